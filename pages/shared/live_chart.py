"""A chart that stays where it is when its figure changes: it keeps its zoom, and only what differs is drawn again.

Streamlit's own chart is a new one for every new figure. This one is a component that hands each figure to the same
Plotly picture in the browser (``live_chart.js``). A picture may have a handle for C, which the reader drags without a
message to the server until they let go (``handle.js``; `core.figures.drag` describes what moves).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.browser.drawing_code import sent_picture
from core.figures.drag.drag import Drag
from core.figures.look.style import Heading, heading
from pages.shared import hidden, keys, panels, present
from pages.shared.beneath import beneath, called, kept_numbers
from pages.shared.cache import kept
from pages.shared.server.assets import DRAWING_LOADER, WHOLE

if TYPE_CHECKING:
    import pandas as pd

_CHART = st.components.v2.component(
    "live_chart",
    js=DRAWING_LOADER,
    isolate_styles=False,
)


@dataclass(frozen=True, eq=False)
class SentChart:
    """What stands on the page of a figure: its heading, and what the browser is sent."""

    heading: Heading | None
    sent: bytes

    @property
    def n_bytes(self) -> int:
        """Its size."""
        return len(self.sent)


def live_chart(
    figure: go.Figure | Callable[[], go.Figure],
    name: str,
    *,
    alt: str,
    of: object = None,
    table: pd.DataFrame | Callable[[], pd.DataFrame] | None = None,
    script: str | Callable[[], str] = "",
    on_click: Callable[[], None] | None = None,
    drag: Drag | Callable[[], Drag | None] | None = None,
    on_release: Callable[[], None] | None = None,
    page: Callable[[], str] | None = None,
    main: bool = False,
    fill: bool = False,
    rows: int = 0,
) -> None:
    """Draw a figure where the last one of this name was, with its heading above; its numbers stand one click beneath.

    Zoom is kept as long as the layout's ``uirevision`` stays the same. The figure needs a height, and its own colours
    for traces: it gets the page's for letters and paper.

    Parameters
    ----------
    figure : plotly Figure or callable
    name : str
        Its key is ``chart_`` and this; downloads are called so.
    alt : str
        For screen readers: what is seen, in a sentence.
    table : DataFrame or callable, optional
        The same numbers; offered beneath with CSV, HTML and SVG to keep. A callable is evaluated when it is opened.
    script : str or callable
        Python that recomputes them; offered beside the table, and written when it is opened.
    of : optional
        All that figure, drag and table are made from, as for `pages.shared.cache.kept`; where it is given, they may
        be callables, which are called only on a cache miss. They must not render anything.
    on_click : callable, optional
        Called after a click on a point and before the page is drawn again; `clicked` then tells which.
    drag : Drag or callable, optional
        What moves with C.
    on_release : callable, optional
        Called when the reader has let go of the handle, before the page is drawn again; `released` then tells where.
    page : callable, optional
        Returns the text of an HTML file with the picture in which C is dragged, for the downloads.
    main : bool
        Whether it is the picture of the page, of which there is one: it is as high as the window has room for.
    fill : bool
        Whether it is as high as that without being the whole picture: one of several within `main_picture`.
    rows : int
        How many rows of pictures fill the window, where it stands in a column inside `main_picture`, else 0.
    """
    if "handle" in hidden.names():
        drag = None
    options = (on_click is not None, main or fill, rows)

    def drawn() -> SentChart:
        made, moving = called(figure), called(drag)
        clickable, filling, _ = options
        sent = payload(made, name, alt, clickable=clickable, drag=moving, fill=filling, rows=rows)
        return SentChart(heading(made), sent)

    picture = drawn() if of is None else kept(f"picture {name}", (alt, of, options, looks(name)), drawn)
    with main_picture() if main else nullcontext():
        panels.above(picture.heading, name)
        _CHART(
            key=keys.chart_key(name),
            data=picture.sent,
            on_clicked_change=on_click or _ignore,
            on_released_change=on_release or _ignore,
        )
    if table is not None and hidden.keeps_numbers():
        beneath(figure, name, table if of is None else lambda: kept_numbers(name, of, table), script, page)


def looks(name: str) -> tuple[Hashable, ...]:
    """What of this visitor's page changes how a picture looks."""
    return present.presenting(), panels.picture(name)["format"], hidden.looks()


def main_picture() -> DeltaGenerator:
    """Where the main picture of a page stands, or all its parts; a page has one."""
    return st.container(key=keys.PICTURE)


def clicked(name: str) -> dict[str, Any] | None:
    """The point that was clicked: ``x``, ``y``, ``customdata``, ``curve_number``, ``point_number``; in ``on_click``."""
    return _told(name, "clicked")


def released(name: str) -> dict[str, Any] | None:
    """Where the reader let go of the handle: ``frame`` and ``c``; in ``on_release``."""
    return _told(name, "released")


def _told(name: str, event: str) -> dict[str, Any] | None:
    """What a chart tells; None where its page has been left meanwhile: Streamlit has forgotten its name then."""
    chart: dict[str, dict[str, Any] | None] = st.session_state.get(keys.chart_key(name)) or {}
    return chart.get(event)


def payload(
    figure: go.Figure,
    name: str,
    alt: str,
    *,
    clickable: bool,
    drag: Drag | None = None,
    fill: bool = False,
    rows: int = 0,
) -> bytes:
    """What the browser is sent, as this visitor's page shows it."""
    return sent_picture(
        present.picture(hidden.picture(figure)),
        alt=hidden.description(figure, alt),
        saved_as=panels.picture(name),
        drag=drag,
        clickable=clickable,
        fill=fill,
        rows=rows,
        scale=present.scale(),
        library=WHOLE[1:],
    )


def _ignore() -> None:
    """Called for an event that nothing answers."""
