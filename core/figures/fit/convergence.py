"""Convergence curves: objective or certificate of a solver against steps, seconds or passes over X."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.best_subset.yardstick import BEST
from core.analysis.endings import TO_A_STATIONARY_POINT
from core.figures.look.drawing import Drawing, Part
from core.figures.look.labels import NUMBER
from core.figures.look.style import (
    CERTIFICATES,
    MUTED,
    NO_WORDS,
    MethodStyle,
    layout,
    method_style,
    seconds,
    solver_style,
)
from core.figures.picture import Words, aside, option
from core.methods import Training
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import unit_words
from core.solvers import FitResult, TracePoint

Horizontal = Literal["steps", "seconds", "passes over X"]
Vertical = Literal["objective", "suboptimality", "certificate"]
HORIZONTAL: tuple[Horizontal, ...] = get_args(Horizontal)
VERTICAL: tuple[Vertical, ...] = get_args(Vertical)

DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_POINTS = 1200  # of all curves, enough for any screen; a long trace is thinned, ends kept
LEAST = 1e-12  # of a certificate on a log axis: what is smaller, also 0, stands there
FEW = 6  # steps that are counted one by one along the axis
LEGEND_ROW, LEGEND_WIDTH = 24, 2  # pixels of a row of the legend, and entries in it where the picture is 1000 wide


BAND = "rgba(128,128,128,0.18)"


def add_bound(figure: Drawing, points: Sequence[TracePoint], x: Horizontal, colour: str) -> None:
    """Draw the best bound so far beneath the objective, and fill what is between: there the optimum lies.

    Points have duality gaps. Those before the first bound above 0, which says nothing of a loss, are left out.
    """
    bounds, best = [], 0.0
    for point in points:
        best = max(best, point.objective - point.certificate.value)
        bounds.append(best)
    settled = [point.objective for point, bound in zip(points, bounds, strict=True) if bound > 0.0]
    if settled:  # the empty model, with which it begins, is far above: it would leave no room for what is between
        low, high = min(bound for bound in bounds if bound > 0.0), settled[0]
        room = max(high - low, 1e-3 * high)
        figure.update_yaxes(range=[low - 0.12 * room, high + 0.12 * room])
    shown = [(point, bound) for point, bound in zip(points, bounds, strict=True) if bound > 0.0]
    for name, heights, width in (
        ("objective above it", [point.objective for point, _ in shown], 0.0),
        ("lower bound: no set is below it", [bound for _, bound in shown], 1.8),
    ):
        figure.add_scatter(
            x=[across(point, x) for point, _ in shown],
            y=heights,
            mode="lines",
            line={"color": colour, "width": width, "dash": "dot"},
            fill="tonexty" if width else None,
            fillcolor=BAND if width else None,
            name=name,
            showlegend=False,
            hoverinfo=None if width else "skip",
            hovertemplate=f"%{{y:.6g}}<extra>{name}</extra>" if width else None,
        )


@dataclass(frozen=True)
class Curve:
    """One run in the figure."""

    name: str
    """Name at the line's end and on hover."""
    method: str
    """Decides colour and dash."""
    trace: Sequence[TracePoint]
    ending: str = ""
    """Why it stopped, in words; empty while it is running."""
    optimum: float | None = None
    """A certified lower bound of the optimal objective, or the best value known; for suboptimality."""
    solver: str = ""
    """Decides colour and dash in place of the method, where a picture compares solvers."""

    @property
    def style(self) -> MethodStyle:
        """The colour, dash and marker."""
        return solver_style(self.solver) if self.solver else method_style(self.method)


@dataclass(frozen=True)
class Axes:
    """What is drawn against what."""

    y: Vertical = "objective"
    x: Horizontal = "steps"
    log_y: bool = False
    log_x: bool = False
    slopes: bool = False
    """Whether theory's rates are drawn, too, where the axis upwards is logarithmic."""

    def at(self, point: TracePoint, curve: Curve) -> tuple[float, float]:
        """Where a point of a curve stands, across and up."""
        place = across(point, self.x)
        if self.y == "objective":
            return place, point.objective
        if self.y == "certificate":
            return place, max(point.certificate.relative, LEAST if self.log_y else 0.0)
        return place, point.objective - (curve.optimum if curve.optimum is not None else curve.trace[-1].objective)

    def shows(self, point: TracePoint, curve: Curve) -> bool:
        """Whether the point can be drawn; a provisional certificate is that of its round, and means nothing here."""
        place, up = self.at(point, curve)
        settled = not (self.y == "certificate" and point.provisional)
        return (
            settled and bool(np.isfinite(place + up)) and (place > 0 or not self.log_x) and (up > 0 or not self.log_y)
        )


OBJECTIVE = Axes()


def convergence_drawing(curves: Sequence[Curve], axes: Axes = OBJECTIVE, words: Words = NO_WORDS) -> Drawing:
    """Draw runs on common axes; several are named in a legend, where no name lies over another.

    Provisional iterates, such as those inside a round of reweighting, need not lower the objective and are drawn in
    grey. Beneath the objective of a search for the best subset stands its bound.
    """
    figure, x, y, log_x, log_y = Drawing(), axes.x, axes.y, axes.log_x, axes.log_y
    alone = len(curves) == 1
    of_one_method = len({curve.method for curve in curves}) < len(curves)
    most = MOST_POINTS // max(len(curves), 1)
    for position, curve in enumerate(curves):
        # Several runs of one method share its colour; the line tells them apart, and the last is the present one.
        own = "solid" if position == len(curves) - 1 else DASHES[position % len(DASHES)]
        dash = own if of_one_method and not curve.solver else curve.style.dash
        shown = [point for point in _thinned(curve.trace, most) if axes.shows(point, curve)]
        if alone and not log_y and y == "objective" and curve.method == BEST:
            add_bound(figure, shown, x, curve.style.colour)
        _add_curve(figure, curve, shown, axes, dash, alone=alone)
    if axes.slopes and log_y:
        for line in guide_slopes([(trace["x"], trace["y"]) for trace in figure.traces if trace["x"]]):
            figure.add_trace(line)
    titles = {"steps": "steps", "seconds": "solver seconds", "passes over X": "passes over X (n × d entries read)"}
    figure.update_xaxes(title=titles[x], type="log" if log_x else "linear", exponentformat="e" if log_x else None)
    if x == "steps" and not log_x and max((c.trace[-1].step for c in curves if c.trace), default=0) <= FEW:
        figure.update_xaxes(dtick=1)
    figure.update_yaxes(
        title=_vertical_title(curves, y),
        type="log" if log_y else "linear",
        exponentformat="e",
        tickformat=None if log_y else NUMBER,
    )
    laid = layout(figure, words)
    if alone:
        return laid
    # Names in rows at the foot: there is room on a phone, too, and in a saved picture.
    place = {"x": 0, "xanchor": "left", "y": 0, "yanchor": "bottom", "yref": "container"}
    laid.update_layout(showlegend=True, legend={"orientation": "h", **place, "font": {"size": 13}})
    return laid.update_layout(margin_b=laid.layout["margin"]["b"] + LEGEND_ROW * -(-len(curves) // LEGEND_WIDTH))


def _vertical_title(curves: Sequence[Curve], y: Vertical) -> str:
    if y == "objective":
        return "Objective"
    if y == "suboptimality":
        return "Objective − lowest objective"
    kinds = {curve.trace[-1].certificate.kind for curve in curves if curve.trace}
    if kinds == {"duality gap"}:
        return "relative duality gap"
    return "relative stationarity residual" if kinds == {"stationarity"} else "relative gap or residual"


def _add_curve(
    figure: Drawing, curve: Curve, points: Sequence[TracePoint], axes: Axes, dash: str, *, alone: bool
) -> None:
    style = curve.style
    inside = [k for k, p in enumerate(points) if p.provisional]
    settled = [p for p in points if not p.provisional]
    if inside:
        # With the settled points on the way, so that every round leads into what follows.
        rounds = points[: inside[-1] + 2]
        grey = style.colour if curve.solver else MUTED
        look = {"color": grey, "dash": "dot", "width": 1.2}
        _add_line(figure, rounds, curve, axes, look, "inside a round of reweighting", named=False)
    if not settled:
        return
    name = curve.name if alone or not curve.ending else f"{curve.name}: {curve.ending}"
    look = {"color": style.colour, "dash": dash, "width": 2.4}
    _add_line(figure, settled, curve, axes, look, name, named=True)
    if curve.ending:
        place, up = axes.at(settled[-1], curve)
        figure.add_scatter(
            x=[place],
            y=[up],
            mode="markers+text" if alone else "markers",
            marker={"symbol": style.marker, "size": 11, "color": style.colour},
            text=[curve.ending],
            textposition="bottom left",  # the curve comes from above
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )


def _add_line(
    figure: Drawing, points: Sequence[TracePoint], curve: Curve, axes: Axes, look: Part, what: str, *, named: bool
) -> None:
    places, heights = zip(*(axes.at(p, curve) for p in points), strict=True)
    figure.add_scatter(
        x=list(places),
        y=list(heights),
        mode="lines+markers" if len(points) <= 60 else "lines",
        line=look,
        marker={"size": 6, "symbol": curve.style.marker},
        name=what,
        showlegend=named,
        text=[_hover(p) for p in points],
        hovertemplate="%{text}<extra>" + what + "</extra>",
    )


def ending_words(result: FitResult) -> str:
    """Say why a run stopped; if a rule or limit stopped it, add the certificate."""
    if result.converged_to_a_stationary_point:
        return TO_A_STATIONARY_POINT
    if result.stop in ("converged", "empty model", "stopped"):
        return result.stop
    certificate = result.certificate
    label = f"{CERTIFICATES[certificate.kind]} {short(certificate.relative)} of {unit_words(certificate.share_of)}"
    return " ".join(filter(None, [f"{result.stop}, {label}", certificate.among]))


def _hover(point: TracePoint) -> str:
    certificate = point.certificate
    bound = " ".join(filter(None, [certificate.kind, short(certificate.relative), certificate.among]))
    return (
        f"step {point.step:,}<br>objective {point.objective:.8g}<br>{bound}"
        f"<br>{counted(point.nonzero, 'feature')}<br>{seconds(point.seconds)}, {point.passes:,.1f} passes"
    )


def across(point: TracePoint, x: Horizontal) -> float:
    """Place of a point along the horizontal axis."""
    return {"steps": float(point.step), "seconds": point.seconds, "passes over X": point.passes}[x]


def _thinned(points: Sequence[TracePoint], most: int) -> Sequence[TracePoint]:
    """Keep at most so many points, evenly in log of position, because curves bend at the start."""
    if len(points) <= most:
        return points
    keep = np.unique(np.geomspace(1, len(points), most).astype(int) - 1)
    return [points[k] for k in keep]


@dataclass(frozen=True, eq=False)
class CurvesPicture:
    """The axes of curves of convergence: options of the declaration of a picture."""

    _: KW_ONLY
    against: Horizontal = option("steps", titles={name: name for name in HORIZONTAL}, looks=True)
    quantity: Vertical = option("objective", titles={name: name for name in VERTICAL})
    log_across: bool = option(False, looks=True)
    log_up: bool | None = option(None, looks=True)
    slopes: bool = option(False, looks=True)
    same: str = aside("")
    training: Training | None = aside(None)

    def curves(self, curves: Sequence[Curve], words: Words) -> go.Figure:
        """Draw the curves on these axes."""
        log_up = self.quantity != "objective" if self.log_up is None else self.log_up
        axes = Axes(self.quantity, self.against, log_up, self.log_across, self.slopes)
        figure = convergence_drawing(curves, axes, words)
        return (figure.update_layout(uirevision=self.same) if self.same else figure).figure()


FloatArray = NDArray[np.float64]

POINTS = 60
SLOPES_EXPLAINED = (
    "Thin lines: the rates of theory. 1/k takes ten times the steps for each further digit, 1/k² about three times, "
    "and linear the same number of steps for every digit. Compare how steep they are; where they begin means nothing."
)


def guide_slopes(curves: Sequence[tuple[Sequence[float], Sequence[float]]]) -> list[Part]:
    """Draw the rates from the upper left corner of what the curves cover, named at their ends.

    The curves are places across and up, which are positive. Where they span nothing there are no lines.
    """
    across = np.concatenate([np.asarray(x, dtype=float) for x, _ in curves] or [np.empty(0)])
    up = np.concatenate([np.asarray(y, dtype=float) for _, y in curves] or [np.empty(0)])
    positive = across[across > 0]
    if not len(positive) or positive.min() == positive.max() or up.min() == up.max():
        return []
    first, last, high, low = float(positive.min()), float(positive.max()), float(up.max()), float(up.min())
    middle = float(np.sqrt(first * last))  # there the linear one, whose factor theory leaves open, arrives at the foot
    rates: dict[str, Callable[[FloatArray], FloatArray]] = {
        "1/k": lambda k: high * first / k,
        "1/k²": lambda k: high * (first / k) ** 2,
        "linear": lambda k: high * (low / high) ** ((k - first) / (middle - first)),
    }
    k = np.geomspace(first, last, POINTS)
    return [_line(name, k, rate(k), low) for name, rate in rates.items()]


def _line(name: str, k: FloatArray, value: FloatArray, low: float) -> Part:
    inside = value >= low * (1.0 - 1e-9)
    places, heights = k[inside], value[inside]
    return {
        "type": "scatter",
        "x": places,
        "y": heights,
        "mode": "lines+text",
        "line": {"color": MUTED, "width": 1, "dash": "solid"},
        "text": [""] * (len(places) - 1) + [name],
        "textposition": "middle right",
        "textfont": {"color": MUTED, "size": 12},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
        "name": name,
    }
