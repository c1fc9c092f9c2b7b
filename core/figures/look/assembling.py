"""Fast construction of large figures from plain parts, without plotly's validation."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import plotly.graph_objects as go

from core.figures.look.plotly_private import unchecked

Part = dict[str, Any]  # a trace, shape, annotation or axis as plotly has it


def assembled(traces: Sequence[Part], layout: Mapping[str, Any]) -> go.Figure:
    """Make a figure of these traces (each with its ``type``) in this layout.

    Plotly's validation takes ten times as long as building the figure, too slow for a figure that follows a slider. The
    tests validate instead: ``go.Figure(figure.to_dict())`` raises at the first unknown property.
    """
    if "pandas" in sys.modules:  # plotly looks into it even where another thread has only begun to import it
        import_module("pandas")  # waits until that is done
    return unchecked(traces, layout)
