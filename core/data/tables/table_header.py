"""The first row of a CSV table: whether it is a header, and whether its names are usable."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.errors import DataError
from core.data.tables.table_cells import is_number

CLASS_NAMES = ("class", "label", "target", "y")
"""If the last cell of the first row is one of these, in lower case, the row is a header."""
TELLING_NAMES = ("class", "label", "target", "diagnosis")
"""Names of class columns that need not be last."""


def column_position(header: Sequence[str], spellings: Sequence[str]) -> int | None:
    """Return the position (from 0) of the first of these spellings that the header has, in any case."""
    lower = [name.lower() for name in header]
    return next((lower.index(spelling) for spelling in spellings if spelling in lower), None)


def check_header(names: Sequence[str], file: str, line: int) -> None:
    """Refuse a header with empty or repeated names.

    Raises
    ------
    DataError
        With the header's line.
    """
    for j, name in enumerate(names):
        if not name:
            msg = f"column {j + 1} has no name; name it, or remove it if it only numbers the rows"
            raise DataError(msg, file=file, line=line)
        if name in names[:j]:
            msg = f"two columns are named {name!r}; every column needs a name of its own"
            raise DataError(msg, file=file, line=line, column=name)


def is_header(first: Sequence[str]) -> bool:
    """Tell whether a first row is a header: it names a class column, or most of its feature cells are words."""
    words = sum(not is_number(cell) and any(map(str.isalpha, cell)) for cell in first[:-1])
    named = first[-1].lower() in CLASS_NAMES or any(cell.lower() in TELLING_NAMES for cell in first[:-1])
    return named or 2 * words > len(first) - 1
