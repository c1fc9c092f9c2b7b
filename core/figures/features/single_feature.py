"""Figure of the quality of every feature alone, compared with chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import plotly.graph_objects as go

from core.analysis.features.random_ranking import Band, DrawnValues
from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.data.nouns import DOCUMENTS, Nouns
from core.figures.look.names import name_labels
from core.figures.look.style import MUTED, OTHER_STYLE, layout, method_style
from core.metrics.equal_values import rounded
from core.metrics.measures import MeasureName
from core.names.plain import in_plotly

LINE = 15  # pixels of the words over the picture
_NEGATIVE = method_style("log").colour
_POSITIVE = method_style("l1").colour


def single_feature_figure(
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    band: Band,
    weights: DrawnValues,
    *,
    constant: Collection[int] = (),
    most: int = 60,
    title: str = "",
    subtitle: str = "",
    convention: str = "",
    nouns: Nouns = DOCUMENTS,
) -> go.Figure:
    """Draw dots sorted by the measure, with both random lines and the line of the best feature.

    Sources: Lai et al. (FenchelRank, IEEE TC 2013), Fig. 1, whose red line is that of random weights; Lai et al.
    (FSMRank, TNNLS 2013), Fig. 4.

    Parameters
    ----------
    scores : sequence of SingleFeatureScore
    measure : {"NDCG@10", "MAP", "Top"}
    band : Band
        Of the same measure under random orders of the documents.
    weights : DrawnValues
        Of the same measure under random weights of all features.
    constant : collection of int
        Constant features (from 1), drawn hollow because they rank nothing.
    most : int
        Largest number of rows; the weakest features are then only in the table.
    """
    ranked = ranked_scores(scores, measure)[:most]
    rows = [f"{score.index}" for score in ranked]
    figure = go.Figure()
    # The reverse order is a second chance: a negative weight makes use of it.
    reverse = [score for score in ranked if better_reversed(score, measure)]
    for score in reverse:
        figure.add_scatter(
            x=list(values_of(score, measure)),
            y=[f"{score.index}"] * 2,
            mode="lines",
            line={"color": MUTED, "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
    figure.add_scatter(
        name="smaller is better",
        x=[values_of(score, measure)[1] for score in reverse],
        y=[f"{score.index}" for score in reverse],
        mode="markers",
        marker={"symbol": "triangle-down", "size": 9, "color": _NEGATIVE},
        customdata=[[in_plotly(score.name), score.index] for score in reverse],
        hovertemplate=f"%{{customdata[0]}} (feature %{{customdata[1]}})<br>{measure} %{{x:.4f}}"
        "<br>smallest values first<extra></extra>",
    )
    flat = [score.index in constant for score in ranked]
    figure.add_scatter(
        name="larger is better",
        x=[values_of(score, measure)[0] for score in ranked],
        y=rows,
        mode="markers",
        marker={
            "symbol": ["circle-open" if is_flat else "circle" for is_flat in flat],
            "size": 10,
            "color": [MUTED if is_flat else _POSITIVE for is_flat in flat],
        },
        customdata=[
            [
                in_plotly(score.name),
                score.index,
                f"constant: any order of the {nouns.rows}" if is_flat else "largest values first",
            ]
            for score, is_flat in zip(ranked, flat, strict=True)
        ],
        hovertemplate=f"%{{customdata[0]}} (feature %{{customdata[1]}})<br>{measure} %{{x:.4f}}"
        "<br>%{customdata[2]}<extra></extra>",
    )
    telling = [max(values_of(score, measure)) for score in scores if score.index not in constant]
    _add_references(figure, max(telling, default=None), band, weights)
    labels = name_labels(*names_of(scores, ranked))
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=rows,
        range=[len(rows) - 0.4, -0.7],
        tickvals=rows,
        ticktext=labels,
        tickfont={"size": 12},
    )
    figure.update_xaxes(title=f"{measure} of the feature alone" + (f" ({convention})" if convention else ""))
    figure.update_yaxes(automargin=True)
    drawn = layout(figure, title=title, subtitle=subtitle, height=172 + 3 * LINE + 19 * max(len(rows), 3))
    return drawn.update_layout(margin={"t": 72 + 3 * LINE, "r": 16, "l": 8})


def values_of(score: SingleFeatureScore, measure: MeasureName) -> tuple[float, float]:
    """Return the measure in descending and in ascending order of the feature's values."""
    return score.value(measure), score.reversed_value(measure)


def better_reversed(score: SingleFeatureScore, measure: MeasureName) -> bool:
    """Tell whether the feature ranks better in ascending order of its values, by more than rounding."""
    falling, rising = values_of(score, measure)
    return rounded(rising) > rounded(falling)


def ranked_scores(scores: Sequence[SingleFeatureScore], measure: MeasureName) -> list[SingleFeatureScore]:
    """Sort from the best feature down; equals in the order of their numbers."""
    return [scores[j] for j in best_alone(scores, measure).columns]


def names_of(scores: Sequence[SingleFeatureScore], ranked: Sequence[SingleFeatureScore]) -> tuple[list[str], list[int]]:
    """Return the names of all features, and the places of the ranked ones among them."""
    place = {score.index: k for k, score in enumerate(scores)}
    return [score.name for score in scores], [place[score.index] for score in ranked]


def _add_references(figure: go.Figure, best: float | None, band: Band, weights: DrawnValues) -> None:
    """Draw both random lines, and the best value of any feature in either order."""
    figure.add_vrect(x0=band.low, x1=band.high, fillcolor=MUTED, opacity=0.3, line_width=0, layer="below")
    figure.add_vline(x=band.expected, line={"color": MUTED, "width": 1.5})
    # Each in a line of its own above the rows: the lines that they name may be close.
    above = {"yref": "paper", "y": 1.0, "yanchor": "bottom", "showarrow": False, "font": {"size": 12}}
    words = {"text": f" random order {band.expected:.4f}", "xanchor": "left"}
    figure.add_annotation(x=band.expected, yshift=2 * LINE, **above, **words)
    figure.add_vline(x=weights.mean, line={"color": MUTED, "width": 1.5, "dash": "dashdot"})
    inward = "right" if weights.mean > (best or 0.0) / 2 else "left"
    words = {"text": f" random weights {weights.mean:.4f} ", "xanchor": inward}
    figure.add_annotation(x=weights.mean, yshift=LINE, **above, **words)
    if best is not None:
        figure.add_vline(x=best, line={"color": OTHER_STYLE.colour, "width": 1.5, "dash": "dash"})
        inward = "right" if best > band.expected else "left"
        words = {"text": f" best {best:.4f} ", "xanchor": inward}
        figure.add_annotation(x=best, yshift=0, **above, **words)
