"""Figure of the features that the methods of a run keep: a dot a method and feature, sized by number of folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.agreement import feature_names, keeps_all, kept_in_folds, strongest_over_folds
from core.experiments.results.single_scores import TrainingScores, n_strong
from core.experiments.results.summary import MethodLine
from core.figures.look.feature_rows import row_labels, row_layout
from core.figures.look.labels import name_labels
from core.figures.picture import Words
from core.figures.protocol.marks import line_styles
from core.figures.protocol.of_run import DatasetPicture
from core.names.plain import in_plotly

SMALLEST, LARGEST = 4.0, 15.0  # of a mark, in pixels
LONGEST_HEAD, TILT = 20, -50
HEAD_ROOM = 112  # pixels for the tilted names
MOST_NAMED = 3
MOST_ROWS = 40


@dataclass(frozen=True, eq=False)
class RunFeatures:
    """The features that the methods of a run keep on a dataset.

    Attributes
    ----------
    lines : sequence of MethodLine
    names : mapping of int to str
        Of the features that any line keeps, by number from 1.
    strong : collection of int
        Features (from 1) that rank best alone; empty where that would take long to tell.
    """

    lines: Sequence[MethodLine]
    names: Mapping[int, str]
    strong: Collection[int]


@dataclass(frozen=True, eq=False)
class ProtocolFeatures(DatasetPicture[RunFeatures]):
    """Draw in how many folds of a dataset each method keeps a feature; strong ones are bold.

    The table has a row a feature that is kept.

    Parameters
    ----------
    run : Run
    dataset : str, optional
        By default the first.
    """

    name, chart = "protocol_features", "reproduce_features"

    def needs(self) -> dict[str, TrainingScores]:
        return {"single": TrainingScores.of(self.run.plan)}

    def result(self, needed: Mapping[str, Any]) -> RunFeatures:
        single, lines = needed["single"], self.lines
        known = self.shown in single
        strong = strongest_over_folds(single[self.shown], n_strong(single, self.shown)) if known else ()
        return RunFeatures(lines, feature_names(lines), strong)

    def rows(self, found: RunFeatures) -> pd.DataFrame:
        return pd.DataFrame(protocol_features_rows(found.lines, found.names, self.run.titles))

    def sentence(self, found: RunFeatures) -> str:
        """Say which features most models keep."""
        shown, names = telling(found.lines), found.names
        counts = kept_in_folds(shown)
        rows = _by_models(counts)
        models = sum(len(line.results) for line in shown)
        if not rows:
            return "No model keeps a feature"
        totals = _totals(counts)
        half = [j for j in rows if 2 * totals[j] >= models]
        if not half:
            first = rows[0]
            return f"No feature is kept by half the models; {_name(first, names)} by most: {totals[first]} of {models}"
        named = ", ".join(_name(j, names) for j in half[:MOST_NAMED])
        others = f" and {len(half) - MOST_NAMED} more" if len(half) > MOST_NAMED else ""
        are = "is" if len(half) == 1 else "are"
        return f"{named}{others} {are} kept by at least half of {models} models"

    def words(self, found: RunFeatures) -> Words:
        title = self.sentence(found)
        bold = f"; bold: the {len(found.strong)} that rank best alone" if found.strong else ""
        return Words(title, f"{self.shown} · the larger a dot, the more folds keep the feature{bold}", title)

    def drawing(self, found: RunFeatures, words: Words) -> go.Figure:
        """Draw features in rows, those that most models keep on top, and methods in columns.

        Methods that keep every feature carry no information here, and are left out unless all do.
        """
        names, titles = found.names, self.run.titles
        shown = telling(found.lines)
        counts = kept_in_folds(shown)
        rows = _by_models(counts)[:MOST_ROWS]
        styles = line_styles([line.choice.label for line in found.lines])
        figure = go.Figure()
        for place, line in enumerate(shown):
            label, folds = line.choice.label, len(line.results)
            here = [(y, j, counts[label][j]) for y, j in enumerate(rows) if j in counts[label]]
            style = styles[label]
            figure.add_scatter(
                x=[place] * len(here),
                y=[y for y, _, _ in here],
                mode="markers",
                marker={
                    "size": [SMALLEST + (LARGEST - SMALLEST) * count / folds for _, _, count in here],
                    "color": style.colour,
                    "symbol": "circle-open" if style.marker.endswith("-open") else "circle",
                    "opacity": 1.0,
                    "line": {"width": 1.5 if style.marker.endswith("-open") else 0},
                },
                name=titles.get(label, label),
                customdata=[[label, j, count] for _, j, count in here],
                hovertext=[
                    f"{in_plotly(_name(j, names))} (feature {j})<br>kept in {count} of {folds} folds"
                    for _, j, count in here
                ],
                hovertemplate=f"<b>{in_plotly(titles.get(label, label))}</b><br>%{{hovertext}}<extra></extra>",
                cliponaxis=False,
            )
        known = [*names.values(), *(_name(j, names) for j in rows if j not in names)]
        labels = row_labels(known, [known.index(_name(j, names)) for j in rows])
        labels = [f"<b>{label}</b>" if j in found.strong else label for j, label in zip(rows, labels, strict=True)]
        heads = [titles.get(line.choice.label, line.choice.label) for line in shown]
        drawn = row_layout(figure, labels, words)
        height, top = drawn.layout.height, drawn.layout.margin.t
        drawn.update_layout(height=height + HEAD_ROOM, margin={"t": top + HEAD_ROOM, "r": 70})
        return drawn.update_xaxes(
            range=[-0.6, max(len(shown), 1) - 0.4],
            tickvals=list(range(len(shown))),
            ticktext=name_labels(heads, range(len(shown)), LONGEST_HEAD),
            tickangle=TILT,
            tickfont={"size": 12},
            side="top",
        )


def telling(lines: Sequence[MethodLine]) -> list[MethodLine]:
    """Return the lines that leave a feature out; all lines if none does."""
    return [line for line in lines if not keeps_all(line)] or list(lines)


def protocol_features_rows(
    lines: Sequence[MethodLine], names: Mapping[int, str], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """List every kept feature, most kept first, with the number of folds by method (a column each)."""
    counts = kept_in_folds(lines)
    return [
        {"feature": j, "name": _name(j, names)}
        | {titles.get(label, label): folds.get(j, 0) for label, folds in counts.items()}
        for j in _by_models(counts)
    ]


def _by_models(counts: Mapping[str, Mapping[int, int]]) -> list[int]:
    """Sort features by how many models keep them, then how many methods, then their number."""
    totals = _totals(counts)
    methods = {j: sum(j in folds for folds in counts.values()) for j in totals}
    return sorted(totals, key=lambda j: (-totals[j], -methods[j], j))


def _totals(counts: Mapping[str, Mapping[int, int]]) -> dict[int, int]:
    totals: dict[int, int] = {}
    for folds in counts.values():
        for j, count in folds.items():
            totals[j] = totals.get(j, 0) + count
    return totals


def _name(j: int, names: Mapping[int, str]) -> str:
    return names.get(j, f"feature {j}")
