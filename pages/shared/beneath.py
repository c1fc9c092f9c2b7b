"""What stands beneath a picture, one click away: its numbers, downloads, and the script that recomputes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import plotly.graph_objects as go
import streamlit as st

from core.names.tables import frame_csv
from pages.shared.cache import kept
from pages.shared.lazy import lazy_popover

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Built = TypeVar("Built")
PICTURE_FORMATS = ("png", "svg")
SCRIPT_HEIGHT = 180  # pixels


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
        _beneath(figure, name, table() if callable(table) else table, called(script), page)

    lazy_popover("Numbers and downloads", draw, key=f"keep_{name}", icon=":material/table:", type="tertiary")


def _beneath(
    figure: go.Figure | Callable[[], go.Figure],
    name: str,
    table: pd.DataFrame | Numbers,
    script: str,
    page: Callable[[], str] | None,
) -> None:
    frame, arrow = (table.frame, table.arrow) if isinstance(table, Numbers) else (table, table)
    st.dataframe(arrow, hide_index=True, key=f"table_{name}")
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            lambda: frame_csv(frame),
            f"{name}.csv",
            "text/csv",
            on_click="ignore",
            key=f"csv_{name}",
            help="The numbers in the picture.",
        )
        st.download_button(
            "HTML" if page is None else "Save as a page",
            page or (lambda: called(figure).to_html(include_plotlyjs=True)),
            f"{name}.html",
            "text/html",
            on_click="ignore",
            key=f"html_{name}",
            help="The interactive picture in one file that needs no network."
            if page is None
            else "The picture in one file in which C is dragged, as here, without a network.",
        )
        if script:
            st.download_button(
                "Python script",
                lambda: script,
                f"{name}.py",
                "text/x-python",
                on_click="ignore",
                key=f"script_{name}",
                help="It recomputes these numbers from the data and draws the picture. Copy it below.",
            )
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
    if script:
        st.code(script, language="python", height=SCRIPT_HEIGHT)
