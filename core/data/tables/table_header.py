"""The first row of a CSV table: whether it is a header, and whether its names can be used."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.errors import DataError
from core.data.tables.table_cells import is_number

CLASS_NAMES = ("class", "label", "target", "y")
"""A last column of one of these names, in lower case, makes the first row a header."""
TELLING_NAMES = ("class", "label", "target", "diagnosis")
"""Names that a column of classes has, wherever it stands."""


def column_position(header: Sequence[str], spellings: Sequence[str]) -> int | None:
    """The position (from 0) of the first of these spellings that the header has, in any case."""
    lower = [name.lower() for name in header]
    return next((lower.index(spelling) for spelling in spellings if spelling in lower), None)


def check_header(names: Sequence[str], file: str, line: int) -> None:
    """Refuse columns without a name, or with the same.

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
    """A first row is a header if it names a class column, or if most of its feature cells are words."""
    words = sum(not is_number(cell) and any(map(str.isalpha, cell)) for cell in first[:-1])
    named = first[-1].lower() in CLASS_NAMES or any(cell.lower() in TELLING_NAMES for cell in first[:-1])
    return named or 2 * words > len(first) - 1
