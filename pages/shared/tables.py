"""Tables of which a person picks a row, and files to keep."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from core.names.tables import frame_csv

if TYPE_CHECKING:
    import pandas as pd

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

    ``options`` are others of ``st.download_button``.
    """
    kind = mimetypes.guess_type(file_name)[0]
    st.download_button(label, content, file_name, kind, on_click="ignore", **options)


def csv_button(table: pd.DataFrame, name: str, **options: Any) -> None:
    """Draw the button that saves a table with all its digits; ``options`` as for `download`."""
    download("CSV", lambda: frame_csv(table), f"{name}.csv", **options)
