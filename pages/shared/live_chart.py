"""A chart that stays where it is when its figure changes: it keeps its zoom, and only what differs is drawn again.

Streamlit's own chart is a new one for every new figure. This one is a component that hands each figure to the same
Plotly picture in the browser (``live_chart.js``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import plotly
import plotly.graph_objects as go
import streamlit as st
from plotly.utils import PlotlyJSONEncoder
from streamlit.components.v1 import declare_component

from pages.shared import keys, panels

# Never mounted: it makes the server hand out the library that comes with plotly, so that no request leaves the machine.
_LIBRARY = declare_component("plotly", path=Path(plotly.__file__).parent / "package_data")
_CHART = st.components.v2.component(
    "live_chart",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def live_chart(
    figure: go.Figure,
    name: str,
    *,
    alt: str,
    table: pd.DataFrame | None = None,
    on_click: Callable[[], None] | None = None,
) -> None:
    """Draw a figure where the last one of this name was, with what `panels.chart` puts above and beneath.

    Zoom is kept as long as the layout's ``uirevision`` stays the same. The figure needs a height, and its own colours
    for traces: it gets the page's for letters and paper.

    Parameters
    ----------
    figure : plotly Figure
    name, alt, table
        As for `panels.chart`.
    on_click : callable, optional
        Called after a click on a point and before the page is drawn again; `clicked` then tells which.
    """
    panels.above(figure, name)
    _CHART(
        key=keys.chart_key(name),
        data=payload(figure, name, alt, clickable=on_click is not None),
        on_clicked_change=on_click or _ignore,
    )
    if table is not None:
        panels.beneath(figure, name, table)


def clicked(name: str) -> dict[str, Any] | None:
    """The point that was clicked: ``x``, ``y``, ``customdata``, ``curve_number``, ``point_number``; in ``on_click``."""
    point: dict[str, Any] | None = st.session_state[keys.chart_key(name)]["clicked"]
    return point


def payload(figure: go.Figure, name: str, alt: str, *, clickable: bool) -> bytes:
    """What the browser is sent: JSON with the figure, without a template, and what to do with it."""
    drawn = figure.to_dict()
    drawn["layout"].pop("template", None)
    sent = {
        "plotly": f"component/{_LIBRARY.name}/plotly.min.js",
        "alt": alt,
        "clickable": clickable,
        "picture": panels.picture(name),
        "figure": drawn,
    }
    return json.dumps(sent, cls=PlotlyJSONEncoder, ensure_ascii=False).encode()


def _ignore() -> None:
    """A click that nothing answers."""
