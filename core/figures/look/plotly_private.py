"""Everything that the program takes from inside plotly, which plotly promises nothing of: no other module does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.private_names import Row

_FIGURE = "plotly.graph_objects:Figure"


def _try_unchecked() -> None:
    figure = go.Figure([{"type": "bar", "unknown": 1}], {}, _validate=False)
    if list(figure.to_dict()["data"][0]) != ["type", "unknown"]:
        raise ValueError


def _try_parts() -> None:
    figure = unchecked([{"type": "bar"}], {"height": 30})
    if figure._data[0]["type"] != "bar" or figure._layout["height"] != 30:
        raise ValueError


UNCHECKED = Row(
    needs={_FIGURE: "data, layout, frames, skip_invalid, kwargs"},
    gives="figures without plotly's validation, of parts that the tests have validated: `_validate`",
    lost="Pictures take ten times as long to build.",
    trial=_try_unchecked,
)
PARTS = Row(
    needs={_FIGURE: "data, layout, frames, skip_invalid, kwargs"},
    gives="what a figure consists of, without a copy: `_data`, `_layout`",
    lost="Pictures are copied whenever they are sent.",
    trial=_try_parts,
)
ROWS = (UNCHECKED, PARTS)


def unchecked(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> go.Figure:
    """Make a figure of these traces in this layout, which plotly does not validate."""
    if UNCHECKED:
        return go.Figure(list(traces), dict(layout), _validate=False)
    return go.Figure(list(traces), dict(layout))


def parts_of(figure: go.Figure) -> dict[str, Any]:
    """Return ``data`` and ``layout`` of a figure, to be read only: plotly's ``to_dict`` copies every part first."""
    return {"data": figure._data, "layout": figure._layout} if PARTS else figure.to_dict()
