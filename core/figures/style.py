"""One look for every picture: colours and dashes by method, numbers as people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn on every page: colour, dash and marker, so that none of them is needed alone."""

    colour: str
    dash: str
    marker: str


# Okabe-Ito hues, darkened or lightened until each has a contrast of 3 or more on white and on the dark theme.
METHOD_STYLES: dict[str, MethodStyle] = {
    "l1": MethodStyle("#1B7FC4", "solid", "circle"),
    "log": MethodStyle("#D55E00", "dash", "diamond"),
    "mcp": MethodStyle("#009E73", "dot", "square"),
    "l0.5": MethodStyle("#C0659A", "dashdot", "triangle-up"),
    "scad": MethodStyle("#A87B00", "longdash", "triangle-down"),
    "fenchelrank": MethodStyle("#5E8C31", "solid", "cross"),
    "fsmrank": MethodStyle("#B5484F", "longdash", "star"),
    "l2": MethodStyle("#7A7F87", "longdashdot", "x"),
}
OTHER_STYLE = MethodStyle("#5E8C31", "solid", "cross")
MUTED = "#8A8F98"


def method_style(method: str) -> MethodStyle:
    """The style of a method; one common style for those that have none of their own."""
    return METHOD_STYLES.get(method, OTHER_STYLE)


def short(value: float) -> str:
    """C, lambda and the like: two digits, 1.2e-3 rather than 0.0012."""
    if value == 0.0:
        return "0"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if 0.01 <= abs(value) < 1000:
        return f"{value:.2g}" if abs(value) < 99.5 else f"{value:.0f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def seconds(value: float) -> str:
    """A duration with two significant digits and its unit."""
    if value < 1.0:
        return f"{value * 1000:.2g} ms" if value * 1000 < 99.5 else f"{value * 1000:.0f} ms"
    return f"{value:.2g} s" if value < 99.5 else f"{value:,.0f} s"


def layout(figure: go.Figure, *, title: str, subtitle: str = "", height: int = 420) -> go.Figure:
    """Title that states what is seen, subtitle that says what it is, subtle grid, no frame. Returns the figure."""
    figure.update_layout(layout_parts(title, subtitle, height))
    figure.update_xaxes(AXIS)
    figure.update_yaxes(AXIS)
    return figure


AXIS: dict[str, Any] = {"showgrid": True, "gridcolor": "rgba(128,128,128,0.18)", "zeroline": False}


def layout_parts(title: str, subtitle: str, height: int) -> dict[str, Any]:
    """What `layout` gives a figure, without the axes (see `AXIS`), for those that are put together from parts."""
    text = f"<b>{title}</b>" + (f"<br><sup>{subtitle}</sup>" if subtitle else "")
    return {
        "title": {"text": text, "x": 0, "xanchor": "left", "xref": "container", "font": {"size": 17}},
        "height": height,
        "margin": {"l": 60, "r": 24, "t": 76, "b": 52},
        "showlegend": False,
        "hovermode": "closest",
        "font": {"size": 14},
    }
