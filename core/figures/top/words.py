"""The top of lists: what pictures say of it, how strips are drawn, and the path with its rate of positives beneath."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.analysis.top_strips import TopStrips
from core.analysis.tuning.tuning import told_by_validation
from core.data.nouns import DOCUMENTS, Nouns
from core.figures.drag.drag import Dot, Hand, Mark
from core.figures.look.drawing import Part, note, upright
from core.figures.look.labels import end_notes, narrow
from core.figures.look.style import AXIS, DECADES, MUTED, method_style
from core.figures.path.axes import horizontal_range, metric_range
from core.figures.path.lines import PART_TITLES, PART_WORDS, click_data, measure_dots, metric_lines
from core.figures.path.path import point_title
from core.figures.picture import refuse
from core.models import Model, ModelPath
from core.names.counted import features
from core.names.numbers import short
from core.names.plain import in_plotly

TOP = "Top"
Shares = Mapping[str, NDArray[np.float64]]


def headline(title: str, point: PathPoint, part: str, *, one_list: bool) -> str:
    """Say how many positives the model at the chosen C ranks on top."""
    kept = point.fit.result.nonzero
    if point.fit.result.stop == "time limit":
        gap = short(point.fit.result.certificate.relative)
        return (
            f"{title} takes longer at this C: stopped early with {features(kept)}, gap {gap}; the Fit page finishes it"
        )
    return top_words(title, str(kept), percent(point.metrics[part][TOP]), part, one_list=one_list)


def percent(share: float) -> str:
    """A share without its sign."""
    return f"{100 * share:.0f}"


def top_words(title: str, size: str, top: str, part: str, *, one_list: bool) -> str:
    """Say the same of a model of the path; its size, and the percentage on top, may be ranges."""
    whose = "the" if one_list else "a list's"
    return f"{title} ranks {top} % of {whose} {PART_WORDS[part]} positives above every negative, with {features(size)}"


def model_words(point: PathPoint, part: str) -> str:
    """Describe the model at the chosen C, and say how many positives it ranks on top."""
    return (
        f"C = {short(point.fit.c)}, λ/λ_max = {short(ratio_of(point))}: {point_title(point)} keeps "
        f"{features(point.fit.result.nonzero)}, {PART_WORDS[part]} {TOP} {point.metrics[part][TOP]:.4f}"
    )


def strips_title(strips: TopStrips, nouns: Nouns = DOCUMENTS) -> str:
    """Say how many positives are on top of this list, and how many negatives keep the others below."""
    n, on_top = len(strips.positives), strips.on_top
    if strips.positives[0] == strips.negatives[-1] == 0.0:
        return f"Every {nouns.row} has the same score: none is on top"
    if on_top == n:
        return f"All {n:,} positives score above every negative"
    return strips_words(f"{on_top:,}", n, f"{strips.beaten:,}")


def strips_words(on_top: str, positives: int, beaten: str) -> str:
    """Say the same with numbers that may be ranges."""
    above = "1 negative scores" if beaten == "1" else f"{beaten} negatives score"
    return f"{on_top} of {positives:,} positives score above every negative; {above} as high as the lowest positive"


def lists_title(shares: Shares, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say in how many lists each method ranks a relevant document first; the chosen method comes first.

    The models of ``empty`` methods keep no feature: they have no order, so it would mislead to count.
    """
    first = {method: f"{np.count_nonzero(row > 0.0):,}" for method, row in shares.items()}
    return first_words(first, len(next(iter(shares.values()))), titles, empty)


def first_words(first: Mapping[str, str], total: int, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say the same of numbers of lists that may be ranges, of so many lists in all."""
    (method, count), *others = first.items()
    if total == 0:
        return "No list of this part has relevant and irrelevant documents"
    if method in empty:
        beside = "".join(
            f"; by {titles[m]} it is relevant in {n} of {total:,} lists" for m, n in others if m not in empty
        )
        return f"{titles[method]} keeps no feature at this C, so no document comes first{beside}"
    beside = "".join(f"; {titles[m]} keeps no feature" if m in empty else f", by {titles[m]} in {n}" for m, n in others)
    return f"Ranked by {titles[method]}, the first document is relevant in {count} of {total:,} lists{beside}"


HEIGHT = 400
MOST_DOTS = 1200  # of a strip; the nearest to the top are drawn one by one, of the others an even sample
GOLDEN = 0.6180339887498949
SPREAD = 0.36  # of a strip, above and below its middle
POSITIVES, NEGATIVES = 1.0, 0.0
BARS = 0.8  # of the row of a share
BELOW_WORDS = 0.86  # of the height of the plot
GREY = "rgba(138,143,152,0.45)"


def on_top_words(on_top: str, positives: int) -> str:
    """Say how many positives are on top, beside the strips; the number may be a range."""
    return f"{on_top} of {positives} positives above"


def strips_range(reach: tuple[float, float]) -> tuple[float, float]:
    """Add a margin, and include the top negative."""
    low, high = min(reach[0], 0.0), max(reach[1], 0.0)
    air = 0.04 * (high - low) or 1.0
    return low - air, high + air


def strip_dots(
    name: str, heights: NDArray[np.float64], rows: NDArray[np.int64], middle: float, marker: Part, names: Sequence[str]
) -> Part:
    """Draw one strip's documents; each keeps its height in the strip for all models, so that it can be followed."""
    shown = nearest_to_top(len(rows), MOST_DOTS)
    place = rows[shown]
    centred = name == "top negative"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "uid": name.replace(" ", "-").replace(",", ""),
        "x": heights[shown],
        "y": np.full(len(place), middle) if centred else middle + lift(place),
        "marker": {"opacity": 0.85, **marker},
        "text": [in_plotly(names[row]) for row in place],
        "hovertemplate": f"<b>%{{text}}</b><br>{name}: %{{x:+.4g}}<extra></extra>",
        "cliponaxis": True,
    }


def lift(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where in their strip documents stand, by their place in the list: the same for all models."""
    return np.asarray(SPREAD * (2.0 * ((rows * GOLDEN) % 1.0) - 1.0))


def nearest_to_top(n: int, most: int) -> NDArray[np.int64]:
    """Return the places that are drawn of ``n`` in falling order: half of them at the top, then an even sample."""
    if n <= most:
        return np.arange(n)
    nearest = most // 2
    return np.concatenate([np.arange(nearest), np.linspace(nearest, n - 1, most - nearest).astype(np.int64)])


def below_words(x: float, dash: str, name: str) -> Part:
    """A line from the bottom up to a share of the height."""
    return upright(x, {"dash": dash, "color": MUTED, "width": 1.6}, y1=BELOW_WORDS, name=name, layer="below")


def words_at(x: float, text: str, y: float, side: str, size: int, colour: str, above: int = 0) -> Part:
    """Words at a place of the scores, at the bottom or the top of the plot."""
    on = {"xref": "x", "xshift": 5 if side == "left" else -5, "yref": "y domain", "yshift": above}
    return note(text, x, y, f"{side} {'top' if y == 1.0 else 'bottom'}", size, colour, **on)


def bar_places(methods: int) -> list[tuple[float, float]]:
    """The middle of each method's bar in the row of a share and half its height, the first on top."""
    half = BARS / methods / 2.0
    return [(BARS / 2.0 - half * (2 * k + 1), half) for k in range(methods)]


ABOVE, BELOW = (0.44, 1.0), (0.0, 0.24)  # of the height of the plots; between them stand an axis and the handle's words
SMALLEST_RATIO = 1e-4  # lambda / lambda_max at the right end of an axis without a path
LABELS = 76  # pixels at the right for names of parts
LABEL_SHARE = 0.2  # of the height of the lower plot: a line of text


def check_path(path: ModelPath | None, model: Model) -> None:
    """Refuse a path that does not belong beneath a picture of a model: of another fold, convention or method."""
    if path is None:
        return
    folds = {(one.fold.train.fingerprint, one.convention) for one in (path, model)}
    why = "give the path of the model's method, on its fold and under its convention"
    refuse(len(folds) > 1 or (path.points and path.method != model.fit.method), why)


def best_on_path(path: ModelPath | None) -> PathPoint | None:
    """The model with the best Top on the validation part; None where that cannot tell."""
    return told_by_validation(path.points, TOP) if path is not None and path.points else None


def line_words(model: Model, path: ModelPath | None) -> str:
    """Say what the lines in `with_top_below` are; without a path, which C the model has."""
    if path is None:
        return f"C = {short(model.fit.c)}"
    return f"solid: the chosen C{' · dashed: best on validation' if best_on_path(path) is not None else ''}"


def with_top_below(figure: go.Figure, model: Model, path: ModelPath | None) -> go.Figure:
    """Make room beneath a picture of one of its models, and draw Top on every part along the path there.

    A path may have no points while none is known: then the axes stand there alone. Without a path, return the figure as
    it is.
    """
    if path is None:
        return figure
    points, best = path.points, best_on_path(path)
    chosen = PathPoint(model.fit, model.judgement)
    reach = horizontal_range([points], "lambda", ratio_of(chosen)) if points else [0.02, math.log10(SMALLEST_RATIO)]
    low, high = metric_range([points] if points else [[chosen]], TOP, [])
    below = {"domain": list(BELOW), "anchor": "x2", "range": [low, high], "nticks": 6, "title": TOP}
    lines = [_line(ratio_of(chosen), "solid", "chosen C")]
    if best is not None:
        lines.append(_line(ratio_of(best), "dash", "best on validation"))
    figure.update_layout(
        yaxis={"domain": list(ABOVE), "anchor": "x"},
        xaxis={"anchor": "y"},
        xaxis2=AXIS | DECADES | {"range": reach, "autorange": False, "anchor": "y2", "title": "λ / λ_max"},
        yaxis2=AXIS | below,
        margin_r=LABELS,
        meta=(figure.layout.meta or {}) | narrow({}, {"xaxis": {"title": {"text": ""}}}),  # else beneath the handle
        shapes=[*figure.layout.shapes, *lines],
    )
    if points:
        on = {"xaxis": "x2", "yaxis": "y2", "showlegend": False, "customdata": click_data(points)}
        figure.add_traces([line | on for line in metric_lines(points, TOP, [ratio_of(point) for point in points])])
        figure.update_layout(annotations=[*figure.layout.annotations, *_ends(points[-1], low, high)])
    return figure


def _line(ratio: float, dash: str, name: str) -> Part:
    return upright(ratio, {"dash": dash, "color": MUTED, "width": 1.8}, "x2", "y2", name=name)


def _ends(last: PathPoint, low: float, high: float) -> list[Part]:
    """Which curve is which part, at the right ends."""
    found, colour = last.judgement, method_style(last.fit.method).colour
    ends = [(PART_TITLES[part], found.metrics[part][TOP], colour) for part in found.metrics]
    return end_notes(ends, LABEL_SHARE * (high - low), low, high, 12, xref="x2 domain", xshift=5, yref="y2")


def path_below_drag(hand: Hand) -> tuple[Mark, list[Dot]]:
    """The line in the curves beneath the picture, and dots on them."""
    across = hand.along(lambda frame: frame.ratio)
    return Mark(across=across, x="xaxis2", y="yaxis2"), measure_dots(hand, across, TOP, "xaxis2", "yaxis2")
