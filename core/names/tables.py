"""Tables for spreadsheets, whose cells are text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.names.plain import in_spreadsheet

if TYPE_CHECKING:
    import pandas as pd


def frame_csv(table: pd.DataFrame) -> str:
    """Write a table's rows as CSV, without its index; no cell of text is taken for a formula."""
    safe = table.rename(columns=_safe)
    for k, kind in enumerate(table.dtypes):
        if kind.kind not in "biufcmM":
            safe.isetitem(k, table.iloc[:, k].map(_safe).to_numpy())
    return str(safe.to_csv(index=False))


def _safe(value: Any) -> Any:
    return in_spreadsheet(value) if isinstance(value, str) else value
