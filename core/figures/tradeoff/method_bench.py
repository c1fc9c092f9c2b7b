"""Figure of several methods on one fold: features kept against quality, marks sized by solver time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.choosing import choosing_part
from core.analysis.path import PathPoint
from core.analysis.tradeoff.tradeoff import TradeoffPoint, best_within, tradeoff_points
from core.analysis.tuning.method_bench import BenchRow
from core.experiments.results.difference import NOT_CLEAR, Difference, signed
from core.figures.look.drawing import Drawing
from core.figures.look.line_labels import spread_labels
from core.figures.look.narrow import narrow
from core.figures.look.style import MUTED, layout, method_style, seconds
from core.figures.path.tuning import PART_WORDS
from core.figures.tradeoff.axes import Across

SMALLEST, LARGEST = 9.0, 30.0  # diameters of marks, in pixels
BESIDE = 0.16  # of a narrow axis: half of a large mark, which would lie over its name
LINE = 21  # pixels of a label
LEAST_HEIGHT, AROUND = 430, 150  # pixels: of the picture, and of what stands around its plot
LETTER, WIDEST = 7.2, 235  # pixels: of a letter, and of the room for labels


def bench_figure(
    rows: Sequence[BenchRow],
    titles: Mapping[str, str],
    *,
    part: str,
    measure: str,
    up: str,
    n_features: int,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw one mark a method, named at the right edge with its time. A mark carries its method as ``customdata``.

    Methods without a model, or with an empty one, are left out because they rank nothing.

    Parameters
    ----------
    rows : sequence of BenchRow
    titles : mapping
        A method's name for people.
    part, measure : str
        The y axis; ``up`` is its title.
    n_features : int
        Number of features that are not zero everywhere.
    """
    figure = Drawing()
    shown = [row for row in rows if row.ranks]
    across = Across("features kept", n_features, log=True)
    ends = across.ends([float(kept(row)) for row in shown])
    heights = [row.value(part, measure) for row in shown]
    low, high = min(heights, default=0.0), max(heights, default=1.0)
    room = max(high - low, 1e-3)
    low, high = low - 0.08 * room, high + 0.08 * room
    height = max(LEAST_HEIGHT, AROUND + LINE * len(shown))
    placed = spread_labels(heights, LINE / (height - AROUND) * (high - low), low, high)
    sizes = mark_sizes([row.seconds for row in shown])
    words = [f"{titles[row.method]} · {seconds(row.seconds)}" for row in shown]
    for row, y, label, size, name in zip(shown, heights, placed, sizes, words, strict=True):
        style = method_style(row.method)
        figure.add_scatter(
            x=[kept(row), ends[1]],
            y=[y, label],
            mode="lines",
            line={"color": style.colour, "width": 1, "dash": style.dash},
            opacity=0.35,
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=[kept(row)],
            y=[y],
            mode="markers",
            marker={"size": size, "symbol": style.marker, "color": style.colour, "opacity": 0.9},
            name=titles[row.method],
            customdata=[[row.method]],
            hovertemplate=f"<b>{titles[row.method]}</b><br>{measure} {y:.4f}<br>{kept(row)} of {n_features} features"
            f"<br>{seconds(row.seconds)} of solver time, {row.passes:,.0f} passes over X<extra></extra>",
            cliponaxis=False,
        )
        figure.add_annotation(x=1.0, xref="paper", xanchor="left", y=label, text=f" {name}", showarrow=False,
                              font={"color": style.colour, "size": 13})  # fmt: skip
    if not shown:
        figure.add_annotation(text="No method keeps a feature here", x=0.5, y=0.5, xref="paper", yref="paper",
                              showarrow=False, font={"color": MUTED})  # fmt: skip
    across.draw(figure, ends, None)
    figure.update_yaxes(title=up, range=[low, high])
    drawn = layout(figure, title=title, subtitle=subtitle, height=height)
    longest = max(map(len, words), default=3)
    left, right = np.log10(ends)
    wider = narrow({}, {"xaxis": {"range": [left, right + BESIDE * (right - left)]}})
    drawn.update_layout(meta=drawn.layout["meta"] | wider)
    return drawn.update_layout(margin_r=min(24 + LETTER * longest, WIDEST)).figure()


def kept(row: BenchRow) -> int:
    """Return the number of features kept; 0 without a model."""
    return row.fit.result.nonzero if row.fit is not None else 0


def mark_sizes(times: Sequence[float]) -> list[float]:
    """Return diameters that grow with the logarithm of the time; all are alike if the times are."""
    logs = [math.log10(max(time, 1e-6)) for time in times]
    if not logs or max(logs) - min(logs) < 1e-9:
        return [SMALLEST + 4.0] * len(logs)
    spread = max(logs) - min(logs)
    return [SMALLEST + (LARGEST - SMALLEST) * (log - min(logs)) / spread for log in logs]


def bench_best(rows: Sequence[BenchRow], usable: NDArray[np.bool_], measure: str) -> TradeoffPoint | None:
    """Return the model that the choosing part picks; None where no method keeps a feature.

    Parameters
    ----------
    rows : sequence of BenchRow
    usable : ndarray of bool, shape (n_features,)
        From `FoldJudge.usable_features`.
    measure : str
    """
    points = [
        point
        for row in rows
        if row.fit is not None
        for point in tradeoff_points([PathPoint.of(row.fit, row.judgement)], usable)
    ]
    return best_within(points, len(usable), measure)


def bench_sentence(
    rows: Sequence[BenchRow],
    titles: Mapping[str, str],
    part: str,
    measure: str,
    usable: NDArray[np.bool_],
    differences: Mapping[str, Difference],
) -> str:
    """Say which method the choosing part picks, and the sparsest one without a clear difference to it.

    ``differences`` has each other method's difference to the one picked.
    """
    best = bench_best(rows, usable, measure)
    if best is None:
        return "No method keeps a feature here"
    count = sum(row.ranks for row in rows)
    value = f"{PART_WORDS[part]} {measure} {best.value(part, measure):.4f}"
    if count == 1:
        return f"{titles[best.method]} reaches {value} with {best.kept} of {len(usable)} features"
    by = PART_WORDS[choosing_part(best.values)].capitalize()
    sentence = (
        f"{by} picks {titles[best.method]} of {count} methods: {value} with {best.kept} of {len(usable)} features"
    )
    sparser = [
        row
        for row in rows
        if kept(row) < best.kept and row.method in differences and differences[row.method].verdict == NOT_CLEAR
    ]
    if not sparser:
        return sentence
    sparse = min(sparser, key=kept)
    found = differences[sparse.method]
    return f"{sentence}; {titles[sparse.method]} with {kept(sparse)}: {signed(found.value)}, {found.verdict}"


def time_sentence(rows: Sequence[BenchRow], titles: Mapping[str, str]) -> str:
    """Say how much longer the slowest method takes than the fastest."""
    shown = sorted((row for row in rows if row.ranks), key=lambda row: row.seconds)
    if not shown:
        return "No method keeps a feature here"
    fast, slow = shown[0], shown[-1]
    if len(shown) == 1 or fast.seconds <= 0.0:
        return f"{titles[slow.method]} keeps {kept(slow)} features in {seconds(slow.seconds)}"
    times = slow.seconds / fast.seconds
    return (
        f"{titles[slow.method]} takes {times:,.{0 if times >= 10 else 1}f} times as long as {titles[fast.method]}: "
        f"{seconds(slow.seconds)} against {seconds(fast.seconds)}"
    )
