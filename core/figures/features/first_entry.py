"""Picture of the lambda at which every method takes in a feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.path_views import Entry, entry_order, ratio_of
from core.figures.look.labels import of_features, row_labels, row_layout
from core.figures.look.style import DECADES, MUTED, method_style, silent
from core.figures.of_paths import OfPaths
from core.figures.picture import Words, aside, said
from core.names.numbers import short

ROOM_IN_ROW = 0.6
MOST_ROWS = 30  # the features that enter last are then only in the table
Entries = Mapping[str, Sequence[Entry]]
"""Of every method, by its id."""


@dataclass(frozen=True, eq=False)
class EntryOrder(OfPaths[Entries]):
    """Draw in which order features enter along paths as lambda falls. The table has a row a feature and method.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    """

    _: KW_ONLY
    chosen: float | None = aside(None)

    name, chart = "entry_order", "entry"
    topic = "Order in which features enter under {0.names}"

    def result(self, needed: Mapping[str, Any]) -> Entries:
        return {path.method: entry_order(path.points) for path in self.paths}

    def rows(self, found: Entries) -> pd.DataFrame:
        names, titles = self.fold.train.feature_names, self.titles
        return pd.DataFrame(
            {"method": titles[method], "order": one.rank, "feature": one.feature + 1, "name": names[one.feature]}
            | {"λ/λ_max at entry": one.ratio, "leaves again": one.leaves}
            for method, entries in found.items()
            for one in entries
        )

    def title(self, entries: Entries) -> str:
        """Say which feature enters first under every method."""
        titles, names = self.titles, self.fold.train.feature_names
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

    def words(self, found: Entries) -> Words:
        title = self.title(found)
        how = "as λ falls, the model grows to the right"
        return Words(title, said(self.where_words, how, "hollow: removed again later"), title)

    def drawing(self, found: Entries, words: Words) -> go.Figure:
        """Draw a row a feature, with a mark a method at its entry; the first method decides the order of the rows."""
        names = self.fold.train.feature_names
        chosen = ratio_of(self.paths[0].points[-1]) if self.chosen is None else self.chosen
        words = replace(words, subtitle=said(words.subtitle, f"line: chosen, {short(chosen)} λ_max"))
        entries, titles = found, self.titles
        ratios = {method: {entry.feature: entry.ratio for entry in order} for method, order in entries.items()}
        features: list[int] = []
        for order in entries.values():
            features += [entry.feature for entry in order if entry.feature not in features]
        rows = features[:MOST_ROWS]
        figure = go.Figure()
        for y, j in enumerate(rows):
            ends = [ratios[method][j] for method in entries if j in ratios[method]]
            figure.add_scatter(**silent([max(ends), min(ends)], [y, y], showlegend=False))
        for place, (method, order) in enumerate(entries.items()):
            style = method_style(method)
            # Marks at the same lambda stay apart.
            apart = ROOM_IN_ROW * (place - (len(entries) - 1) / 2.0) / len(entries)
            shown = [entry for entry in order if entry.feature in rows]
            figure.add_scatter(
                name=titles[method],
                x=[entry.ratio for entry in shown],
                y=[rows.index(entry.feature) + apart for entry in shown],
                mode="markers",
                marker={
                    "symbol": [style.marker + ("-open" if entry.leaves else "") for entry in shown],
                    "size": 9,
                    "color": style.colour,
                    "line": {"width": 2, "color": style.colour},
                },
                **of_features(
                    names,
                    [entry.feature for entry in shown],
                    "number %{customdata[2]} to enter, at λ/λ_max = %{x:.2g}%{customdata[3]}",
                    [entry.rank for entry in shown],
                    ["; it is removed again" if entry.leaves else "" for entry in shown],
                    head=f"{titles[method]}: ",
                ),
            )
        figure.add_vline(x=chosen, line={"color": MUTED, "width": 1.5})
        figure.update_xaxes(DECADES, title="λ / λ_max at entry", autorange="reversed")
        labels = row_labels(names, rows)
        return row_layout(figure, labels, words, legend=True)
