"""Large figures from plain parts, without plotly checking every property of every trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

Part = dict[str, Any]  # a trace, shape, annotation or axis as plotly has it


def assembled(traces: Sequence[Part], layout: Mapping[str, Any]) -> go.Figure:
    """A figure of these traces (each with its ``type``) in this layout.

    Plotly's validation takes ten times as long as building the figure, which is felt where a picture answers a slider.
    It is left to the tests: ``go.Figure(figure.to_dict())`` raises at the first property that is none.
    """
    return go.Figure(list(traces), dict(layout), _validate=False)
