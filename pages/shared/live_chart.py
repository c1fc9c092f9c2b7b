"""A chart that stays where it is when its figure changes: it keeps its zoom, and only what differs is drawn again.

Above it stands its heading; one click beneath its numbers, downloads, and the script that recomputes it.

Streamlit's own chart is a new one for every new figure. This one is a component that hands each figure to the same
Plotly picture in the browser (``live_chart.js``). A picture may have a handle for C, which the reader drags without a
message to the server until they let go (``handle.js``; `core.figures.drag` describes what moves).
"""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.browser.drawing_code import sent_picture
from core.figures.drag.drag import Drag
from core.figures.look.style import Heading, heading
from pages.shared import hidden, keys
from pages.shared.cache import kept
from pages.shared.controls import csv_button, download
from pages.shared.lazy import lazy_popover
from pages.shared.server.assets import DRAWING_LOADER, WHOLE

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Built = TypeVar("Built")
PICTURE_FORMATS = ("png", "svg")
SCRIPT_HEIGHT = 180  # pixels
PICTURE_WIDTH = 1000  # pixels of a saved picture, before its scale of 2: the same from a phone
# The picture's own title does not wrap: it is out of sight, but in what the camera saves.
_LOOK = """<style>
[class*=st-key-chart_] .gtitle { display: none }
[class*=st-key-chart_] :fullscreen .gtitle { display: initial }
</style>"""
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
        st.html(_LOOK + _heading(name, picture.heading))
        _CHART(
            key=keys.chart_key(name),
            data=picture.sent,
            on_clicked_change=on_click or ignore,
            on_released_change=on_release or ignore,
        )
    if table is not None and "table" not in hidden.names():
        beneath(figure, name, table if of is None else lambda: kept_numbers(name, of, table), script, page)


def looks(name: str) -> tuple[Hashable, ...]:
    """What of this visitor's page changes a picture: format, large letters, whether C can be dragged, its sentence."""
    found = hidden.names()
    return saved_picture(name)["format"], hidden.presenting(), "handle" in found, "title" in found


def main_picture() -> DeltaGenerator:
    """Where the main picture of a page stands, or all its parts; a page has one."""
    return st.container(key=keys.PICTURE)


def clicked(name: str) -> Any:
    """The ``customdata`` of the point that was clicked, None where it has none; in ``on_click``."""
    return (_told(name, "clicked") or {}).get("customdata")


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
        figure,
        alt=hidden.description(figure, alt),
        saved_as=saved_picture(name),
        drag=drag,
        clickable=clickable,
        fill=fill,
        rows=rows,
        scale=hidden.scale(),
        library=WHOLE[1:],
    )


def ignore() -> None:
    """Called for an event of a component that nothing answers: the page reads it where it is drawn."""


def _heading(name: str, words: Heading | None) -> str:
    """Title and subtitle as text that wraps, over the room that the picture keeps for its own."""
    if words is None:
        return ""
    lines = "<br>".join(map(html.escape, words.subtitle))
    return (
        f'<div class="heading-{name}" role="heading" aria-level="3" '
        f'style="position:relative; z-index:1; pointer-events:none; min-height:{_rem(words.height)}; '
        f'margin-bottom:-{_rem(words.height)}">'
        f'<div data-reading="title-{name}" style="font-weight:600; font-size:{_rem(words.size)}; line-height:1.35">'
        f"{html.escape(words.title)}</div>"
        f'<div style="font-size:.85rem; line-height:1.4; opacity:.8">{lines}</div></div>'
    )


def _rem(pixels: float) -> str:
    """A length that grows with the page's letters."""
    return f"{pixels / 16:g}rem"


def saved_picture(name: str) -> dict[str, Any]:
    """What the camera of this picture saves, in the format chosen beneath it; as Plotly's options have it."""
    chosen = st.session_state.get(f"format_{name}") or PICTURE_FORMATS[0]
    return {"format": chosen, "filename": name, "width": PICTURE_WIDTH, "scale": 2}


@dataclass(frozen=True, eq=False)
class Numbers:
    """The table of a picture: as one works with it, and as it travels."""

    frame: pd.DataFrame
    arrow: pa.Table | pd.DataFrame

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Numbers:
        """Convert a table once; one with a mixed column is left to Streamlit, which mends it."""
        import pyarrow as pa  # heavy to import, and the Lab does without it

        try:
            return cls(frame, pa.Table.from_pandas(frame))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            return cls(frame, frame)


def called(thing: Built | Callable[[], Built]) -> Built:
    """The thing itself, or what it makes."""
    return thing() if callable(thing) else thing


def kept_numbers(name: str, of: object, table: pd.DataFrame | Callable[[], pd.DataFrame]) -> Numbers:
    """The table of a picture, made once for all that it is made from."""
    return kept(f"table {name}", of, lambda: Numbers.of(called(table)))


def beneath(
    figure: go.Figure | Callable[[], go.Figure],
    name: str,
    table: pd.DataFrame | Numbers | Callable[[], pd.DataFrame | Numbers],
    script: str | Callable[[], str] = "",
    page: Callable[[], str] | None = None,
) -> None:
    """The numbers of a picture, its downloads and the script that recomputes it, one click away and made with it.

    ``page`` returns the text of an HTML file in which C is dragged; without it the file has the figure alone.
    """

    def draw() -> None:
        found, code = table() if callable(table) else table, called(script)
        frame, arrow = (found.frame, found.arrow) if isinstance(found, Numbers) else (found, found)
        st.dataframe(arrow, hide_index=True, key=f"table_{name}")
        with st.container(horizontal=True):
            csv_button(frame, name, key=f"csv_{name}", help="The numbers in the picture.")
            download(
                "HTML" if page is None else "Save as a page",
                page or (lambda: called(figure).to_html(include_plotlyjs=True)),
                f"{name}.html",
                key=f"html_{name}",
                help="The interactive picture in one file that needs no network."
                if page is None
                else "The picture in one file in which C is dragged, as here, without a network.",
            )
            if code:
                help = "It recomputes these numbers from the data and draws the picture. Copy it below."
                download("Python script", code, f"{name}.py", key=f"script_{name}", help=help)
        st.segmented_control(
            "The camera above the picture saves",
            PICTURE_FORMATS,
            default=PICTURE_FORMATS[0],
            required=True,
            key=f"format_{name}",
            persist_state="session",
            on_change=st.rerun,  # the picture stands outside
            help="PNG for slides, SVG for print",
        )
        if code:
            st.code(code, language="python", height=SCRIPT_HEIGHT)

    lazy_popover("Numbers and downloads", draw, key=f"keep_{name}", icon=":material/table:", type="tertiary")
