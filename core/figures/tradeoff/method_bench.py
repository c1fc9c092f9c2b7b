"""Figure of several methods on one fold: features kept against quality, marks sized by solver time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.tuning.method_bench import BenchRow
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import MUTED, layout, method_style, seconds
from core.figures.tradeoff.axes import Across

SMALLEST, LARGEST = 9.0, 30.0  # diameters of marks, in pixels
LINE = 21  # pixels of a label
LEAST_HEIGHT, AROUND = 430, 150  # pixels: of the picture, and of what stands around its plot
LETTER, WIDEST = 7.2, 235  # pixels: of a letter, and of the room for labels
NEARLY = 0.99  # of the best


def bench_figure(
    rows: Sequence[BenchRow],
    titles: Mapping[str, str],
    *,
    part: str,
    measure: str,
    up: str,
    usable: int,
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
    usable : int
        Number of features that are not zero everywhere.
    """
    figure = go.Figure()
    shown = [row for row in rows if row.ranks]
    across = Across("features kept", usable, log=True)
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
            hovertemplate=f"<b>{titles[row.method]}</b><br>{measure} {y:.4f}<br>{kept(row)} of {usable} features"
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
    return drawn.update_layout(margin_r=min(24 + LETTER * longest, WIDEST))


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


def bench_sentence(rows: Sequence[BenchRow], titles: Mapping[str, str], part: str, measure: str, usable: int) -> str:
    """Say which method ranks best, and which sparser one comes within 1 % of it."""
    shown = [row for row in rows if row.ranks]
    if not shown:
        return "No method keeps a feature here"
    best = max(shown, key=lambda row: (row.value(part, measure), -kept(row)))
    of = f"{kept(best)} of {usable} features"
    value = f"{measure} {best.value(part, measure):.4f}"
    if len(shown) == 1:
        return f"{titles[best.method]} reaches {value} with {of}"
    sentence = f"{titles[best.method]} ranks best of {len(shown)} methods: {value} with {of}"
    enough = NEARLY * best.value(part, measure)
    near = [row for row in shown if row.value(part, measure) >= enough and kept(row) < kept(best)]
    if not near:
        return sentence
    sparse = min(near, key=lambda row: (kept(row), -row.value(part, measure)))
    share = math.floor(1000.0 * sparse.value(part, measure) / best.value(part, measure)) / 10.0
    return f"{sentence}; {titles[sparse.method]} comes to {share:.1f} % of it with {kept(sparse)}"


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
