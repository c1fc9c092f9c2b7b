"""Picture of the lambda at which every method takes in a feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.first_entry import Entry, entry_order
from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.path_views import ratio_of
from core.figures.look.feature_rows import row_labels, row_layout
from core.figures.look.style import MUTED, method_style
from core.figures.picture import Picture, Words, aside, said
from core.methods import get_method
from core.names.numbers import short
from core.names.plain import in_plotly

ROOM_IN_ROW = 0.6
Entries = Mapping[str, Sequence[Entry]]
"""Of every method, by its id."""


@dataclass(frozen=True, eq=False)
class EntryOrder(Picture[Entries]):
    """Draw in which order features enter along paths as lambda falls. The table has a row a feature and method.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    """

    paths: Sequence[FoldPath]
    _: KW_ONLY
    where: str = aside("")
    chosen: float | None = aside(None)

    name, chart = "entry_order", "entry"

    def check(self) -> None:
        super().check()
        one_fold(self.paths)

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: get_method(path.method).title for path in self.paths}

    def subject(self) -> str:
        return f"Order in which features enter under {', '.join(self.titles.values())}"

    def result(self, needed: Mapping[str, Any]) -> Entries:
        return {path.method: entry_order(path.points) for path in self.paths}

    def rows(self, found: Entries) -> pd.DataFrame:
        names, titles = self.paths[0].fold.train.feature_names, self.titles
        return pd.DataFrame(
            [
                {
                    "method": titles[method],
                    "order": entry.rank,
                    "feature": entry.feature + 1,
                    "name": names[entry.feature],
                    "λ/λ_max at entry": entry.ratio,
                    "leaves again": entry.leaves,
                }
                for method, entries in found.items()
                for entry in entries
            ]
        )

    def words(self, found: Entries) -> Words:
        title = entry_title(found, self.titles, self.paths[0].fold.train.feature_names)
        how = "as λ falls, the model grows to the right"
        return Words(title, said(self.where or self.paths[0].fold.name, how, "hollow: removed again later"), title)

    def drawing(self, found: Entries, words: Words) -> go.Figure:
        names = self.paths[0].fold.train.feature_names
        chosen = ratio_of(self.paths[0].points[-1]) if self.chosen is None else self.chosen
        return entry_figure(found, self.titles, names, chosen=chosen, title=words.title, subtitle=words.subtitle)


def entry_title(entries: Entries, titles: Mapping[str, str], names: Sequence[str]) -> str:
    """Say which feature enters first under every method."""
    first = {method_id: found[0].feature for method_id, found in entries.items() if found}
    if not first:
        return "No feature enters"
    opening = next(iter(first.values()))
    agree = [titles[method_id] for method_id, feature in first.items() if feature == opening]
    if len(agree) == len(first):
        under = "every method" if len(agree) > 1 else agree[0]
        return f"{names[opening]} enters first under {under}"
    others = "; ".join(
        f"{names[feature]} under {titles[method_id]}" for method_id, feature in first.items() if feature != opening
    )
    return f"{names[opening]} enters first under {', '.join(agree)}, {others}"


def entry_figure(
    entries: Mapping[str, Sequence[Entry]],
    titles: Mapping[str, str],
    names: Sequence[str],
    *,
    chosen: float,
    most: int = 30,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw a row a feature, with a mark a method at lambda / lambda_max of its entry; models grow to the right.

    Parameters
    ----------
    entries : mapping from method id to its entries
        Results of `entry_order`. The first method decides the order of the rows.
    titles : mapping from method id to its title
    names : sequence of str, length n_features
    chosen : float
        lambda / lambda_max of the chosen model, drawn as a line.
    most : int
        Largest number of rows; the features that enter last are then only in the table.
    """
    ratios = {method: {entry.feature: entry.ratio for entry in found} for method, found in entries.items()}
    features: list[int] = []
    for found in entries.values():
        features += [entry.feature for entry in found if entry.feature not in features]
    rows = features[:most]
    figure = go.Figure()
    for y, j in enumerate(rows):
        ends = [ratios[method][j] for method in entries if j in ratios[method]]
        figure.add_scatter(
            x=[max(ends), min(ends)], y=[y, y], mode="lines", line={"color": MUTED, "width": 1}, hoverinfo="skip",
            showlegend=False,
        )  # fmt: skip
    for place, (method, found) in enumerate(entries.items()):
        style = method_style(method)
        aside = ROOM_IN_ROW * (place - (len(entries) - 1) / 2.0) / len(entries)  # marks at the same lambda stay apart
        shown = [entry for entry in found if entry.feature in rows]
        figure.add_scatter(
            name=titles[method],
            x=[entry.ratio for entry in shown],
            y=[rows.index(entry.feature) + aside for entry in shown],
            mode="markers",
            marker={
                "symbol": [style.marker + ("-open" if entry.leaves else "") for entry in shown],
                "size": 9,
                "color": style.colour,
                "line": {"width": 2, "color": style.colour},
            },
            customdata=[
                [
                    in_plotly(names[entry.feature]),
                    entry.feature + 1,
                    entry.rank,
                    "; it is removed again" if entry.leaves else "",
                ]
                for entry in shown
            ],
            hovertemplate=f"{titles[method]}: %{{customdata[0]}} (feature %{{customdata[1]}})"
            "<br>number %{customdata[2]} to enter, at λ/λ_max = %{x:.2g}%{customdata[3]}<extra></extra>",
        )
    figure.add_vline(x=chosen, line={"color": MUTED, "width": 1.5})
    figure.update_xaxes(title="λ / λ_max at entry", type="log", autorange="reversed", exponentformat="e", dtick=1)
    labels = row_labels(names, rows)
    said = " · ".join(filter(None, (subtitle, f"line: chosen, {short(chosen)} λ_max")))
    return row_layout(figure, labels, title=title, subtitle=said, legend=True)
