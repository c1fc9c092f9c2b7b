"""Buttons whose click is not lost, tables of which a person picks a row, and files to keep.

Streamlit tells one run of a click, and breaks that run off where another message of the browser comes before the run
has reached the button. Here the click is noted when it comes in, and stays until the page has read it.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.names.tables import frame_csv

if TYPE_CHECKING:
    import pandas as pd

_CLICKED = "clicked_buttons"


def button(
    label: str,
    *,
    key: str,
    place: DeltaGenerator | None = None,
    on_click: Callable[..., None] | None = None,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    **options: Any,
) -> bool:
    """Draw a button; True in the first run that reaches it after a click.

    All arguments are those of ``st.button``, but for ``place``: where to draw it, if not here.
    """
    (place or st).button(label, key=key, on_click=_note, args=(key, on_click, args, kwargs or {}), **options)
    clicked: set[str] = st.session_state.get(_CLICKED, set())
    if key not in clicked:
        return False
    clicked.remove(key)
    return True


def forget_clicks() -> None:
    """Once a page has been drawn to its end: what it has not read is on it no more."""
    st.session_state.pop(_CLICKED, None)


def _note(key: str, on_click: Callable[..., None] | None, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    st.session_state.setdefault(_CLICKED, set()).add(key)
    if on_click is not None:
        on_click(*args, **kwargs)


Row = TypeVar("Row")


def picked_row(
    table: pd.DataFrame, rows: Sequence[Row], *, key: str, formats: Mapping[str, Any], **options: Any
) -> Row | None:
    """Draw a table and return the one of ``rows``, whose lines these are, that a person has picked; None at first.

    ``formats`` are those of its columns; ``options`` others of ``st.dataframe``.
    """
    state = st.dataframe(
        table,
        hide_index=True,
        key=key,
        column_config=formats,
        on_select="rerun",
        selection_mode="single-row",
        **options,
    )
    return next((rows[k] for k in state["selection"]["rows"] if k < len(rows)), None)


def download(label: str, content: str | bytes | Callable[[], str | bytes], file_name: str, **options: Any) -> None:
    """Draw a button that saves a file, whose name tells its kind; a click draws nothing anew.

    The content is made at the click: a file of each tick of a live part would be gone before the browser looks for it.
    ``options`` are others of ``st.download_button``.
    """

    def made() -> str | bytes:
        return content() if callable(content) else content

    st.download_button(label, made, file_name, mimetypes.guess_type(file_name)[0], on_click="ignore", **options)


def csv_button(table: pd.DataFrame, name: str, **options: Any) -> None:
    """Draw the button that saves a table with all its digits; ``options`` as for `download`."""
    download("CSV", lambda: frame_csv(table), f"{name}.csv", **options)
