"""The roles of a table's columns: which one holds the classes, and which ones are row ids and no features."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from core.data.errors import DataError, UndecidedColumnError
from core.data.numbers import is_number
from core.data.tables.column_roles import (
    TELLING_NAMES,
    ColumnProfile,
    check_header,
    class_candidates,
    header_of,
    is_id_name,
    option_of,
)
from core.data.tables.table_cells import Head, is_missing
from core.data.tables.table_options import TableOptions, resolve_column

_LOOKED_AT = 100  # rows that tell which columns hold words


@dataclass(frozen=True, eq=False)
class ClassLayout:
    """The roles of the columns of a table with classes.

    Attributes
    ----------
    names : tuple of str
        Names of the columns in the order of the file; generated without a header.
    headed : bool
        Whether the first row is a header.
    candidates : tuple of ColumnProfile
        Columns that may hold the classes, the likeliest first.
    class_position : int or None
        Position of the class column; None where a person has to choose.
    ids : tuple of ColumnProfile
        Columns with row ids, which are left out by default.
    kept_ids : tuple of ColumnProfile
        Columns that look like ids but are used as features.
    left_out : tuple of int
        Positions of all columns that are left out, ascending.
    """

    names: tuple[str, ...]
    headed: bool
    candidates: tuple[ColumnProfile, ...]
    class_position: int | None
    ids: tuple[ColumnProfile, ...]
    kept_ids: tuple[ColumnProfile, ...]
    left_out: tuple[int, ...]

    @property
    def usual(self) -> bool:
        """Whether the class column is the last one, as in most files."""
        return self.class_position == len(self.names) - 1

    def option(self, position: int) -> str:
        """Return the name of a column for a command-line option: its number if the name contains a comma."""
        return option_of(self.names, self.headed, position)

    def told(self, position: int) -> str:
        """Return the name of a column for messages."""
        return f"column {self.names[position]!r}" if self.headed else f"column {position + 1}"

    def decided(self, file: str) -> int:
        """Return the position of the class column.

        Raises
        ------
        UndecidedColumnError
            If a person has to choose the column.
        """
        if self.class_position is not None:
            return self.class_position
        told = " or ".join(f"{c.told} ({_values(c)})" for c in self.candidates)
        msg = f"the class may be {told}; choose the column with the classes"
        raise UndecidedColumnError(msg, columns=tuple(self.option(c.position) for c in self.candidates), file=file)


def class_texts(head: Head, options: TableOptions) -> set[int]:
    """Return the columns that may hold classes or ids, of which all rows are looked at.

    Others are numbers: to profile all of a wide table would take much memory.

    Raises
    ------
    DataError
        If an option names a column that does not exist.
    """
    headed, names = header_of(head)
    n = len(names)
    wanted = {0, min(1, n - 1), n - 1}
    if options.class_column is not None:
        wanted.add(resolve_column(options.class_column, names, head.file))
    for j, (name, cells) in enumerate(zip(names, head.columns, strict=True)):
        words = all(is_missing(cell) or not is_number(cell) for cell in cells[:_LOOKED_AT])
        if words or (headed and (name.lower() in TELLING_NAMES or is_id_name(name))):
            wanted.add(j)
    return wanted


def class_layout(head: Head, options: TableOptions, texts: Mapping[int, Sequence[str]]) -> ClassLayout:
    """Infer the role of every column from the options, the header and the cells.

    A column with a telling name is preferred to the last one, and the last one to any other. The class column stays
    undecided where both a named column and the last one could be it.

    Parameters
    ----------
    head : Head
    options : TableOptions
    texts : mapping of int to sequence of str
        All cells of the columns that `class_texts` names.

    Raises
    ------
    DataError
        If the header cannot be used, or an option names a column that does not exist.
    """
    headed, names = header_of(head)
    n, file = len(names), head.file
    said = None if options.class_column is None else resolve_column(options.class_column, names, file)
    profiles = [
        ColumnProfile(j, names[j] if headed else "", cells, of_classes=True) for j, cells in sorted(texts.items())
    ]
    left_out = {resolve_column(wanted, names, file) for wanted in options.named_columns}
    if headed:
        check_header(head.first, left_out, file, head.line)
    candidates, chosen = class_candidates(profiles, n, options.positive)
    if chosen is None:  # who leaves out one of several columns says that the classes are in another
        usable = [p for p in profiles if p.position not in left_out or p.position == n - 1]
        candidates, chosen = class_candidates(usable, n, options.positive)
    position = chosen if said is None else said
    others = [p for p in profiles if p.position != position]
    ids = [p for p in others if _is_id(p, position, n, headed)]
    if options.leaves_out_ids:
        left_out |= {p.position for p in ids}
    if position in left_out:
        msg = f"column {names[position]!r} has the classes and cannot be left out"
        raise DataError(msg, file=file)
    return ClassLayout(
        names=tuple(names) if headed else _numbered(n, position, left_out),
        headed=headed,
        candidates=tuple(candidates),
        class_position=position,
        ids=tuple(ids),
        kept_ids=tuple(p for p in others if p.position not in left_out and p.looks_like_id),
        left_out=tuple(sorted(left_out)),
    )


def _is_id(column: ColumnProfile, class_position: int | None, n: int, headed: bool) -> bool:
    """Tell whether a column is left out by default as an id.

    With the class in the last column, a numeric column is always a feature.
    """
    if column.only_names_rows:
        return True
    if class_position in (None, n - 1):
        return False
    first_of_all = column.position == 0 and not headed and column.only_numbers_rows
    return first_of_all or (is_id_name(column.name) and column.all_differ)


def _numbered(n: int, class_position: int | None, left_out: Collection[int]) -> tuple[str, ...]:
    """Generate names for a table without a header; features are numbered without gaps."""
    number = count(1)
    return tuple(
        "class" if j == class_position else f"column {j + 1}" if j in left_out else f"feature {next(number)}"
        for j in range(n)
    )


def _values(column: ColumnProfile) -> str:
    shown = sorted(column.values)
    return ", ".join(map(repr, shown)) if len(shown) <= 4 else f"{len(shown)} values"
