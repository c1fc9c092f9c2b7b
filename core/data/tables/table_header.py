"""The first row of a CSV table: whether it is a header, and whether its names are usable."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.errors import DataError
from core.data.numbers import is_number

CLASS_NAMES = ("class", "label", "target", "y")
"""The last column is the class if it has one of these names, in lower case."""
TELLING_NAMES = ("class", "label", "target", "diagnosis", "y")
"""Names of class columns that need not be last."""
_ONLY_NAMES = frozenset(TELLING_NAMES) - {"y"}
"""A first row with one of them is a header; y may stand for yes."""


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
    check_all_differ(names, file, line)


def check_all_differ(names: Sequence[str], file: str, line: int) -> None:
    """Refuse a header with repeated names.

    Raises
    ------
    DataError
        With the header's line.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            msg = f"two columns are named {name!r}; every column needs a name of its own"
            raise DataError(msg, file=file, line=line, column=name)
        seen.add(name)


def is_header(first: Sequence[str]) -> bool:
    """Tell whether a first row is a header: it names a class column, or most of its feature cells are words."""
    words = sum(not is_number(cell) and any(map(str.isalpha, cell)) for cell in first[:-1])
    numbered = first[-1].lower() == "y" and list(first[:-1]) in (_counted(0, first), _counted(1, first))
    return numbered or any(cell.lower() in _ONLY_NAMES for cell in first) or 2 * words > len(first) - 1


def _counted(start: int, first: Sequence[str]) -> list[str]:
    """Names that a program gives to the columns before the class where they have none."""
    return [str(start + j) for j in range(len(first) - 1)]
