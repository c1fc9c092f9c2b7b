"""Features against what each does alone, in a small view; what a model keeps is filled in by the handle of C."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.figures.lab.compact import LETTERS, compact
from core.figures.look.drawing import Drawing
from core.figures.look.names import name_labels
from core.figures.look.style import MUTED, layout
from core.figures.path.tuning import PART_TITLES
from core.metrics.measures import MeasureName
from core.names.plain import in_plotly

BEST = 10
ROWS = 14
TOGETHER = "all kept, together"


def lab_rows(
    scores: Sequence[SingleFeatureScore], measure: MeasureName, important: Sequence[int], most: int = ROWS
) -> list[int]:
    """Choose the features (columns from 0) with a row, the best alone on top.

    They are the `BEST` best alone, then those that matter most on the path, ``most`` in all: the same at every C.

    Parameters
    ----------
    scores : sequence of SingleFeatureScore, length n_features
    measure : {"NDCG@10", "MAP", "Top"}
    important : sequence of int
        Columns (from 0), the most important first.
    most : int
        At least `BEST`.
    """
    ranked = best_alone(scores, measure)
    best = ranked[:BEST]
    rows = {*best, *[j for j in important if j not in best][: most - len(best)]}
    return [j for j in ranked if j in rows]


def lab_features_figure(
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
    models: Sequence[float],
    *,
    part: str,
    revision: str = "",
) -> go.Figure:
    """Draw a ring a feature at what it reaches alone, under a row for the whole model.

    Parameters
    ----------
    scores : sequence of SingleFeatureScore, length n_features
    measure : {"NDCG@10", "MAP", "Top"}
    rows : sequence of int
        From `lab_rows`.
    models : sequence of float
        What the models reach that may stand in the upper row; the axis reaches the best one.
    part : str
        On which they were measured.
    revision : str
        A zoom is kept as long as this is the same.
    """
    values = [scores[j].value(measure) for j in rows]
    figure = Drawing().add_scatter(
        x=values,
        y=list(range(1, len(rows) + 1)),
        mode="markers",
        marker={"symbol": "circle-open", "size": 8, "color": MUTED, "line": {"width": 1.2}},
        customdata=[[in_plotly(scores[j].name), j + 1] for j in rows],
        hovertemplate=f"%{{customdata[0]}} (feature %{{customdata[1]}})<br>{measure} alone %{{x:.4f}}<extra></extra>",
    )
    low, high = min(values), max([*values, *models])
    air = 0.05 * (high - low) or 0.05
    labels = [TOGETHER, *name_labels([score.name for score in scores], rows)]
    drawn = layout(figure, title="")
    drawn.update_xaxes(title=f"{PART_TITLES[part]} {measure} alone", range=[low - air, high + air], nticks=6)
    drawn.update_yaxes(
        tickvals=list(range(len(labels))), ticktext=labels, range=[len(labels) - 0.4, -0.6], showgrid=True
    )
    drawn.add_hline(y=0.5, line={"color": MUTED, "width": 1, "dash": "dot"})
    longest = max(len(label) for label in labels)
    small = compact(drawn, left=12 + round(0.55 * LETTERS * longest), right=16, top=10)
    return small.update_layout(uirevision=revision).figure()
