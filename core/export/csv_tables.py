"""Tables as CSV with every digit."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from core.names.plain import in_spreadsheet


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows under the union of their columns, in order of first appearance.

    A text that a spreadsheet would take for a formula has an apostrophe before it. Floats are written so that reading
    them gives the same float. None, and a column that a row lacks, is an empty cell.

    Parameters
    ----------
    rows : sequence of mapping
        Rows of plain values.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(in_spreadsheet, columns))
    writer.writerows([_text(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _text(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else in_spreadsheet(str(value))
