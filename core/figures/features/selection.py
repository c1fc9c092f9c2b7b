"""The features that methods keep: quality alone, weights as a matrix, the strip of C, and what moves with C."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.features.random_ranking import Band
from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_among
from core.analysis.path_views import ratio_of
from core.figures.drag.drag import MODEL, Dot, Drag, Hand, Mark, still, weight_bars
from core.figures.look.drawing import Drawing, note
from core.figures.look.labels import heading_height, name_ends, of_features
from core.figures.look.style import DECADES, MUTED, Words, layout, method_style, silent
from core.figures.path.lines import measure_dots, metric_lines
from core.metrics.equal_values import rounded
from core.metrics.measures import MeasureName

FloatArray = NDArray[np.float64]
MODEL_ROW = -0.6  # where the whole model stands, above the first row
ROWS = 10  # features with a row, where not all are asked for
BEST = 3  # of them that are the best alone


@dataclass(frozen=True, eq=False)
class Column:
    """One method's model, as a column of the matrix."""

    method: str
    """Decides colour and dash."""
    title: str
    """Name for people."""
    weights: FloatArray
    """Shape (n_features,)."""
    value: float
    """What the whole model reaches, on the part and by the measure of the single features."""

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
    feature that ranks as another one does is no other: of such twins only kept ones follow the first. ``most`` is the
    number of rows; ``important`` are columns of X that a model at another C may keep, the most important first.
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
        words = f"{column.title}: {column.nonzero} together, {part} {column.value:.4f} "
        figure.add_annotation(**note(words, column.value, MODEL_ROW - 1.0 - place, "right", 12, style.colour))


def add_dots(
    figure: Drawing,
    columns: Sequence[Column],
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
) -> None:
    """Draw rings: coloured if the chosen method keeps the feature, thick if only another method does."""
    chosen, names = columns[0], [score.name for score in scores]
    elsewhere = np.any([column.weights != 0.0 for column in columns], axis=0)
    upside_down = [(y, j) for y, j in enumerate(rows) if chosen.weights[j] < 0.0]
    for y, j in upside_down:
        ends = [scores[j].value(measure), scores[j].reversed_value(measure)]
        figure.add_scatter(**silent(ends, [y, y], colour=method_style(chosen.method).colour, dash="dot"))
    figure.add_scatter(
        name="upside down",
        x=[scores[j].reversed_value(measure) for _, j in upside_down],
        y=[y for y, _ in upside_down],
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 10, "color": method_style(chosen.method).colour},
        **of_features(
            names,
            [j for _, j in upside_down],
            f"{measure} %{{x:.4f}} with its smallest values first,<br>as its negative weight uses it",
        ),
    )
    own, alone = chosen.weights != 0.0, f"{measure} alone %{{x:.4f}}<br>%{{customdata[2]}}"
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
            **of_features(names, [j for _, j in members], alone, [name] * len(members)),
        )


AXIS_LINE = 16  # pixels
LONGEST_HEAD = 9  # characters
LABELLED_METHODS = 3  # with more columns there is no room for numbers beside the bars
HALF_BAR = 0.3  # of a row
GAP = 0.02  # of the matrix' width, between two columns


def title_of(column: Column) -> str:
    """What stands over a column of several."""
    return f"<b>{'<br>'.join(_head(column))}</b><br>{column.nonzero} kept"


def weights_words(columns: Sequence[Column]) -> Words:
    """How many features all models keep."""
    kept = np.array([column.weights != 0.0 for column in columns])
    title = f"{int(kept.all(axis=0).sum())} of {int(kept.any(axis=0).sum())} are kept by every method"
    if len(columns) == 1:
        title = f"{columns[0].title} keeps {columns[0].nonzero}"
    return Words(title, "weight of each feature in the model")


def weights_heading(columns: Sequence[Column]) -> int:
    """Return the height of everything above the rows of the matrix, in pixels."""
    above = heading_height(weights_words(columns))
    if len(columns) == 1:  # its name is in the title
        return above
    return above + AXIS_LINE * (max(len(_head(column)) for column in columns) + 1) + 12


def _head(column: Column) -> list[str]:
    """Wrap the title to lines as short as its words allow, so that columns fit side by side."""
    return textwrap.wrap(column.title, LONGEST_HEAD, break_long_words=False)


def add_bars(
    figure: Drawing,
    place: int,
    column: Column,
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
    *,
    numbered: bool,
) -> None:
    """Draw the weights of a model; those of the first one are pale, since bars that move with C cover them."""
    members = [(y, j) for y, j in enumerate(rows) if column.weights[j] != 0.0]
    weights = column.weights[[j for _, j in members]]
    figure.add_bar(
        name=f"weights of {column.title}",
        x=weights,
        y=[y for y, _ in members],
        xaxis=f"x{place + 1 if place else ''}",
        orientation="h",
        width=2.0 * HALF_BAR,
        marker={"color": method_style(column.method).colour, "opacity": 1.0 if place else 0.35, "line": {"width": 0}},
        text=[f" {signed(w)} " for w in weights] if numbered else None,
        textposition="outside",
        textfont={"size": 10},
        cliponaxis=False,
        constraintext="none",
        **of_features(
            [score.name for score in scores],
            [j for _, j in members],
            f"weight %{{customdata[3]:.6g}}<br>{measure} alone %{{customdata[2]:.4f}}",
            [scores[j].value(measure) for _, j in members],
            weights,
            head=f"{column.title}: ",
        ),
    )


def signed(weight: float) -> str:
    """Write a weight with its sign and two decimals, or two significant digits if it is small."""
    digits = f"{abs(weight):.2f}" if abs(weight) >= 0.05 else f"{abs(weight):.2g}"
    return f"{'+' if weight > 0.0 else '−'}{digits}"


STRIP = 96  # pixels
ABOVE, BELOW = 26, 20  # room for the handle, and for lambda
ENDS, LABEL = 76, 14  # room for the names of the parts at the ends of their lines, and the height of one
LOWEST_SHARE = 0.2  # of the models along a path may lie below the strip


def along_c_figure(points: Sequence[PathPoint], measure: str, *, title: str, scale: float = 1.0) -> go.Figure:
    """Draw the measure of every part along a path of at least two models, falling in lambda, in one low strip.

    It is ``scale`` times as high as usual, where letters are larger.
    """
    ratios = [ratio_of(point) for point in points]
    lines = metric_lines(points, measure, ratios)
    figure = Drawing()
    for line in lines:
        figure.add_scatter(**line | {"mode": "lines"})
    drawn = layout(figure, Words(title), height=round(STRIP * scale))
    ends = [np.log10(ratios[0]) + 0.03, np.log10(ratios[-1]) - 0.03]
    drawn.update_xaxes(DECADES, range=ends, tickfont={"size": 11}, fixedrange=True)
    values = np.concatenate([line["y"] for line in lines])
    high, usual = values.max(), np.quantile(values, LOWEST_SHARE)
    room = max(high - usual, 1e-3)
    # The first models may rank so badly that all other differences would vanish.
    drawn.update_yaxes(range=[usual - 0.5 * room, high + 0.2 * room], nticks=3, tickfont={"size": 11}, showgrid=False,
                       fixedrange=True, automargin=True,
                       title={"text": measure, "font": {"size": 11}})  # fmt: skip
    drawn.add_annotation(**note("λ / λ_max", 1.0, 0.0, "left top", 11, xref="paper", yref="paper", xshift=16))
    low, top = drawn.layout["yaxis"]["range"]
    ends = [(line["name"], float(np.clip(line["y"][-1], low, top)), None) for line in lines]
    name_ends(drawn, ends, LABEL * (top - low) / (STRIP - ABOVE - BELOW), low, top, 11)
    # The page says what it is; its own heading would take as much room again.
    return drawn.update_layout(margin={"t": ABOVE, "r": ENDS, "l": 8, "b": BELOW}, meta=None, title=None).figure()


FILLED = 5.0  # radius of a feature's dot, in pixels


@dataclass(frozen=True, eq=False)
class SelectionDrags:
    """What moves in the pictures of the kept features."""

    hand: Hand
    """The chosen method's path."""
    rows: Sequence[int]
    """Columns (from 0) of the features drawn, from the top down."""
    part: str
    measure: MeasureName
    """The part on which features are measured, and by what, as is the strip."""

    def in_strip(self) -> Drag:
        """The handle, in `along_c_figure`; there have to be frames."""
        across, measure = self.hand.along(lambda frame: frame.ratio), self.measure
        dots = measure_dots(self.hand, across, measure)
        return Drag(hand=self.hand, picture=f"strip {measure}", marks=[Mark(across=across)], dots=dots, measure=measure)

    def in_single_features(self, scores: Sequence[SingleFeatureScore]) -> Drag:
        """A dot on every feature that is kept, and one at the quality of the whole model."""
        colour = self.hand.colour
        together = self.hand.along(lambda frame: frame.judgement.metrics[self.part][self.measure])
        dots = [Dot(across=together, up=still(MODEL_ROW), colour=colour, size=MODEL)]
        for row, j in enumerate(self.rows):
            place, shown = still(scores[j].value(self.measure)), self.hand.keeps(j)
            dots.append(Dot(across=place, up=still(row), colour=colour, size=FILLED, shown=shown))
        return Drag(hand=self.hand, picture=f"single features {list(self.rows)}", dots=dots)

    def in_weights(self) -> Drag:
        """A bar a feature, from zero to its weight."""
        bars = weight_bars(self.hand, self.rows, HALF_BAR)
        return Drag(hand=self.hand, picture=f"weights {list(self.rows)}", bars=bars)

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest weight of any feature with a row, at any frame; with 0 between them."""
        drawn = [frame.weights[list(self.rows)] for frame in (*self.hand.frames, self.hand.now)]
        return float(min(0.0, np.min(drawn, initial=0.0))), float(max(0.0, np.max(drawn, initial=0.0)))


def rowless_words(hand: Hand, rows: Sequence[int]) -> Callable[[Frame], str]:
    """Return what is said of kept features without a row (columns from 0) at a frame; nothing where all have one."""
    without = sorted(set(range(len(hand.now.weights))) - set(rows))
    along = cache(lambda: counts_among(hand.frames, without))

    def words(shown: Frame) -> str:
        count = str(np.count_nonzero(shown.weights[without])) if shown is hand.now else along()[shown.c]
        return "" if count == "0" else f"{count} more kept feature{' has' if count == '1' else 's have'} no row here"

    return words
