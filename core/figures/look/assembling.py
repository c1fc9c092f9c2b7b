"""Fast construction of large figures from plain parts: all that the program takes from inside plotly."""

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
