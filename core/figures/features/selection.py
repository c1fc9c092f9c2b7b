"""Figure of the features that methods keep, beside the quality of each feature alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.features.random_ranking import Band
from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.figures.look.drawing import Drawing
from core.figures.look.style import MUTED, method_style
from core.metrics.equal_values import rounded
from core.metrics.measures import MeasureName
from core.names.plain import in_plotly

FloatArray = NDArray[np.float64]
MODEL_ROW = -0.6  # where the whole model stands, above the first row
ROWS = 10  # features with a row, where not all are asked for
BEST = 3  # of them that are the best alone


@dataclass(frozen=True, eq=False)
class Column:
    """One method's model, as a column of the matrix.

    Attributes
    ----------
    method : str
        Decides colour and dash.
    title : str
        Name for people.
    weights : ndarray, shape (n_features,)
    value : float
        What the whole model reaches, on the part and by the measure of the single features.
    """

    method: str
    title: str
    weights: FloatArray
    value: float

    @property
    def nonzero(self) -> int:
        """Number of features kept."""
        return int(np.count_nonzero(self.weights))


def shown_features(
    columns: Sequence[Column],
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    most: int,
    important: Sequence[int] = (),
) -> list[int]:
    """Choose the features (columns of X) to draw, best single feature first.

    They are the `BEST` best alone, the kept ones by weight, those that matter along the path, then the best others. A
    feature that ranks as another one does is no other: of such twins only kept ones follow the first.

    Parameters
    ----------
    columns : sequence of Column
    scores : sequence of SingleFeatureScore, length n_features
    measure : {"NDCG@10", "MAP", "Top"}
    most : int
        Rows at most.
    important : sequence of int
        Columns of X that a model at another C may keep, the most important first.
    """
    ranked = best_alone(scores, measure)
    if most >= len(scores):
        return list(ranked)
    first = {(rounded(scores[j].ndcg_at_10), rounded(scores[j].map)): j for j in reversed(ranked)}
    distinct = [j for j in ranked if j in set(first.values())]
    kept = [j for column in columns for j in np.argsort(-np.abs(column.weights), kind="stable") if column.weights[j]]
    shown = set(list(dict.fromkeys([*distinct[:BEST], *map(int, kept), *important, *distinct, *ranked]))[:most])
    return [j for j in ranked if j in shown]


def rows_above(columns: Sequence[Column]) -> float:
    """Room above the first row for the words of every model, in rows."""
    return 1.4 + len(columns)


def add_references(figure: Drawing, columns: Sequence[Column], band: Band, part: str) -> None:
    """Draw the band of random orders, and the quality of every whole model with its words above all rows."""
    figure.add_vrect(x0=band.low, x1=band.high, fillcolor=MUTED, opacity=0.25, line_width=0, layer="below")
    for place, column in enumerate(columns):
        style = method_style(column.method)
        figure.add_vline(x=column.value, line={"color": style.colour, "width": 1.8, "dash": style.dash})
        figure.add_annotation(
            x=column.value, y=MODEL_ROW - 1.0 - place, xanchor="right", showarrow=False,
            text=f"{column.title}: {column.nonzero} together, {part} {column.value:.4f} ",
            font={"size": 12, "color": style.colour},
        )  # fmt: skip


def add_dots(
    figure: Drawing,
    columns: Sequence[Column],
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
) -> None:
    """Draw rings: coloured if the chosen method keeps the feature, thick if only another method does."""
    chosen = columns[0]
    elsewhere = np.any([column.weights != 0.0 for column in columns], axis=0)
    upside_down = [(y, j) for y, j in enumerate(rows) if chosen.weights[j] < 0.0]
    for y, j in upside_down:
        figure.add_scatter(
            x=[scores[j].value(measure), scores[j].reversed_value(measure)],
            y=[y, y],
            mode="lines",
            line={"color": method_style(chosen.method).colour, "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
    figure.add_scatter(
        name="upside down",
        x=[scores[j].reversed_value(measure) for _, j in upside_down],
        y=[y for y, _ in upside_down],
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 10, "color": method_style(chosen.method).colour},
        customdata=[[in_plotly(scores[j].name), j + 1] for _, j in upside_down],
        hovertemplate=f"%{{customdata[0]}} (feature %{{customdata[1]}})<br>{measure} %{{x:.4f}} with its smallest "
        "values first,<br>as its negative weight uses it<extra></extra>",
    )
    own = chosen.weights != 0.0
    for name, kept, size, colour, width in (
        ("kept by none", ~elsewhere, 7, MUTED, 1),
        ("kept by another method", elsewhere & ~own, 9, MUTED, 2.5),
        (f"kept by {chosen.title}", own, 10, method_style(chosen.method).colour, 2),
    ):
        members = [(y, j) for y, j in enumerate(rows) if kept[j]]
        figure.add_scatter(
            name=name,
            x=[scores[j].value(measure) for _, j in members],
            y=[y for y, _ in members],
            mode="markers",
            marker={"symbol": "circle-open", "size": size, "color": colour, "line": {"width": width}},
            customdata=[[in_plotly(scores[j].name), j + 1, name] for _, j in members],
            hovertemplate=f"%{{customdata[0]}} (feature %{{customdata[1]}})<br>{measure} alone %{{x:.4f}}"
            "<br>%{customdata[2]}<extra></extra>",
        )
