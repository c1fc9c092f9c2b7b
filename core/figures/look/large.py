"""A figure for a projector: the same picture with larger letters and thicker lines, to be read from the last row."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

SCALE = 1.7
"""How much larger everything is that is measured in pixels; the page's letters grow by the same."""
SMALLEST = 20.0
"""Pixels of the smallest letters."""
_LETTERS = 14.0  # Plotly's and Streamlit's own sizes, where a figure names none
_TICKS = 12.0
_BETWEEN = 0.75  # of the other ticks, as Plotly writes 2 and 5 between powers of ten
_AWAY = ("xshift", "yshift", "ax", "ay", "standoff", "borderpad", "ticklen", "thickness")
_AXES = ("xaxis", "yaxis")


def enlarged(figure: go.Figure) -> go.Figure:
    """Return a copy whose letters, lines, marks and margins are larger; places along the axes stay.

    Parameters
    ----------
    figure : plotly Figure
        Its height is kept: what is larger takes the room of what is drawn.
    """
    drawn = _grown(figure.to_dict(), "")
    layout = drawn["layout"]
    layout.pop("template", None)
    layout.setdefault("font", {}).setdefault("size", _letters(_LETTERS))
    layout.setdefault("hoverlabel", {}).setdefault("font", {}).setdefault("size", _letters(_TICKS))
    layout.setdefault("legend", {}).setdefault("font", {}).setdefault("size", _letters(_TICKS))
    for name in {*_AXES, *(name for name in layout if name.startswith(_AXES))}:
        axis = layout.setdefault(name, {})
        axis.setdefault("tickfont", {}).setdefault("size", _letters(_TICKS))
        if axis.get("type") == "log" and "tickvals" not in axis and not isinstance(axis.get("dtick"), int | float):
            axis["tickfont"]["size"] = SMALLEST / _BETWEEN
        if isinstance(axis.get("title"), str):
            axis["title"] = {"text": axis["title"]}
        if "title" in axis:
            axis["title"].setdefault("font", {}).setdefault("size", _letters(_LETTERS))
    for item in layout.get("annotations", ()):
        item.setdefault("font", {}).setdefault("size", _letters(_TICKS))
    for trace in drawn["data"]:
        if trace.get("type", "scatter") == "scatter":
            line = trace.setdefault("line", {})
            line.setdefault("width", 2 * SCALE)
    return go.Figure(drawn)


def _letters(size: float) -> float:
    return max(size * SCALE, SMALLEST)


def _grown(part: Any, inside: str) -> Any:
    """The same part with its pixels larger; ``inside`` is the name under which the figure has it."""
    if isinstance(part, dict):
        return {name: _pixels(name, value, inside) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_grown(item, inside) for item in part]
    return part


def _pixels(name: str, value: Any, inside: str) -> Any:
    if name == "size" and "font" in inside:
        return _letters(value) if isinstance(value, int | float) else value
    lengths = (name == "size" and inside == "marker") or (name == "width" and inside == "line") or inside == "margin"
    if lengths or name in _AWAY:
        return _times(value)
    return _grown(value, name)


def _times(value: Any) -> Any:
    """A length, or one for each point."""
    if isinstance(value, list | tuple):
        return [_times(item) for item in value]
    return value * SCALE if isinstance(value, int | float) and not isinstance(value, bool) else value
