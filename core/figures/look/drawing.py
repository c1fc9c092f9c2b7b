"""A figure in the making: plotly's own calls on plain dictionaries, some fifty times as fast as on its objects."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import plotly.graph_objects as go

Part = dict[str, Any]  # a trace, shape, annotation or axis as plotly has it


def assembled(traces: Sequence[Part], layout: Mapping[str, Any]) -> go.Figure:
    """Make a figure of these traces (each with its ``type``) in this layout.

    Plotly's validation takes ten times as long as building the figure, too slow for a figure that follows a slider. The
    tests validate instead: ``go.Figure(figure.to_dict())`` raises at the first unknown property.
    """
    if "pandas" in sys.modules:  # plotly looks into it even where another thread has only begun to import it
        import_module("pandas")  # waits until that is done
    try:
        return go.Figure(list(traces), dict(layout), _validate=False)
    except ValueError:  # a plotly without that option
        return go.Figure(list(traces), dict(layout))


def parts_of(figure: go.Figure) -> dict[str, Any]:
    """Return ``data`` and ``layout`` of a figure, to be read only: plotly's ``to_dict`` copies every part first."""
    data, layout = getattr(figure, "_data", None), getattr(figure, "_layout", None)
    return figure.to_dict() if data is None or layout is None else {"data": data, "layout": layout}


def note(text: str, x: Any, y: Any, anchor: str = "", size: float = 0, colour: str = "", **more: Any) -> Part:
    """Words at a place as an annotation; ``anchor`` names the sides that stand there, such as "left bottom"."""
    sides = {"xanchor" if side in ("left", "center", "right") else "yanchor": side for side in anchor.split()}
    font = ({"size": size} if size else {}) | ({"color": colour} if colour else {})
    return {"text": text, "x": x, "y": y, "showarrow": False} | sides | ({"font": font} if font else {}) | more


def upright(x: Any, line: Part, x_axis: str = "x", y_axis: str = "y", **more: Any) -> Part:
    """A line from the bottom of a plot to its top, as a shape; axes are named as in traces."""
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "xref": x_axis, "yref": f"{y_axis} domain"}
    return {"type": "line", "line": line} | ends | more


class Drawing:
    """Traces and a layout with one pair of axes, gathered call by call as on a plotly Figure.

    Plotly checks every property at every call; a picture that is drawn again whenever C changes would wait for that.
    Words are as in plotly: ``title_text`` is the ``text`` of ``title``, and None takes a property away.
    """

    def __init__(self) -> None:
        self.traces: list[Part] = []
        self.annotations: list[Part] = []
        self.shapes: list[Part] = []
        self.layout: Part = {}

    def add_scatter(self, **trace: Any) -> Drawing:
        return self.add_trace({"type": "scatter"} | trace)

    def add_bar(self, **trace: Any) -> Drawing:
        return self.add_trace({"type": "bar"} | trace)

    def add_trace(self, trace: Part) -> Drawing:
        """Add a trace, with its ``type``."""
        self.traces.append({name: value for name, value in trace.items() if value is not None})
        return self

    def add_annotation(self, **note: Any) -> Drawing:
        self.annotations.append(note)
        return self

    def add_shape(self, **shape: Any) -> Drawing:
        self.shapes.append(shape)
        return self

    def add_vrect(self, x0: float, x1: float, **shape: Any) -> Drawing:
        """Add a band from the bottom to the top."""
        ends = {"x0": x0, "x1": x1, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain"}
        self.shapes.append({"type": "rect"} | ends)
        _update(self.shapes[-1], shape)
        return self

    def add_vline(self, x: float, line: Part) -> Drawing:
        return self.add_shape(**upright(x, line))

    def add_hline(self, y: float, line: Part) -> Drawing:
        return self.add_shape(type="line", line=line, x0=0, x1=1, y0=y, y1=y, xref="x domain", yref="y")

    def update_xaxes(self, part: Part | None = None, **named: Any) -> Drawing:
        return self.update_layout({"xaxis": (part or {}) | named})

    def update_yaxes(self, part: Part | None = None, **named: Any) -> Drawing:
        return self.update_layout({"yaxis": (part or {}) | named})

    def update_annotations(self, **named: Any) -> Drawing:
        for note in self.annotations:
            _update(note, named)
        return self

    def update_layout(self, part: Part | None = None, **named: Any) -> Drawing:
        """Change the layout; what it does not name stays."""
        _update(self.layout, (part or {}) | named)
        return self

    def figure(self) -> go.Figure:
        marks = {"annotations": self.annotations, "shapes": self.shapes}
        return assembled(self.traces, self.layout | {name: drawn for name, drawn in marks.items() if drawn})


def _update(whole: Part, changes: Part) -> None:
    for name, value in changes.items():
        if name == "title" and isinstance(value, str):
            _update(whole, {"title": {"text": value}})
        elif "_" in name:
            outer, _, inner = name.partition("_")
            _update(whole, {outer: {inner: value}})
        elif value is None:
            whole.pop(name, None)
        elif isinstance(value, dict) and name != "meta":  # whose words are our own
            _update(whole.setdefault(name, {}), value)
        else:
            whole[name] = value
