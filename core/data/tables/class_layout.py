"""Tables with classes: which column holds them, which class is positive, and which columns are ids of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError, UndecidedClassError, UndecidedColumnError, refuse
from core.data.nouns import AGAINST
from core.data.numbers import is_number, read_number
from core.data.tables.column_roles import (
    MOST_CLASSES,
    TELLING_NAMES,
    ColumnProfile,
    Columns,
    check_header,
    class_candidates,
    header_of,
    is_id_name,
)
from core.data.tables.table_cells import Head, is_missing
from core.data.tables.table_options import NOTHING, TableOptions, resolve_column

_SHOWN_CLASSES = 10
_LOOKED_AT = 100  # rows that tell which columns hold words


@dataclass(frozen=True, eq=False)
class ClassLayout(Columns):
    """The roles of the columns of a table with classes.

    ``candidates`` may hold the classes, the likeliest first; ``class_position`` is None where a person has to choose.
    Columns with ``ids`` of rows are left out by default; ``kept_ids`` look like ids but are used as features. Positions
    of all columns that are ``left_out`` ascend.
    """

    candidates: tuple[ColumnProfile, ...]
    class_position: int | None
    ids: tuple[ColumnProfile, ...]
    kept_ids: tuple[ColumnProfile, ...]
    left_out: tuple[int, ...]

    @property
    def usual(self) -> bool:
        """Whether the class column is the last one, as in most files."""
        return self.class_position == len(self.names) - 1

    def decided(self, file: str) -> int:
        """Return the position of the class column.

        Raises an `UndecidedColumnError` if a person has to choose the column.
        """
        if self.class_position is not None:
            return self.class_position
        told = " or ".join(f"{self.told(c.position)} ({_values(c)})" for c in self.candidates)
        msg = f"the class may be {told}; choose the column with the classes"
        raise UndecidedColumnError(msg, columns=tuple(self.option(c.position) for c in self.candidates), file=file)


def class_texts(head: Head, options: TableOptions) -> set[int]:
    """Return the columns that may hold classes or ids, of which all rows are looked at.

    Others are numbers: to profile all of a wide table would take much memory. Raises a `DataError` if an option names a
    column that does not exist.
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
    undecided where both a named column and the last one could be it. ``texts`` are all cells of the columns that
    `class_texts` names. Raises a `DataError` if the header cannot be used, or an option names a column that does not
    exist.
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
    if NOTHING not in options.drop_columns:
        left_out |= {p.position for p in ids}
    if position in left_out:
        refuse(f"column {names[position]!r} has the classes and cannot be left out", file=file)
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


@dataclass(frozen=True, eq=False)
class ClassColumn:
    """The labels of all documents, with the names of column and file for messages."""

    labels: Sequence[str]
    name: str
    file: str

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of documents of every class, sorted by class."""
        return dict(sorted(Counter(self.labels).items()))

    @property
    def usual(self) -> str | None:
        """The default positive class; None where a person has to choose.

        It is 1 where the classes are 0 and 1 or -1 and 1; otherwise the rarer of two classes, or the first in sorted
        order if both are equally frequent.
        """
        if len(self.counts) != 2:
            return None
        numbers = {read_number(text): text for text in self.counts if is_number(text)}
        if sorted(numbers) in ([0, 1], [-1, 1]):
            return numbers[1]
        return min(self.counts, key=self.counts.__getitem__)

    def positive(self, wanted: str | None = None) -> str:
        """Return the positive class: ``wanted``, or else the default.

        Raises a `DataError` if there is no such class, no or only one class, or too many values for a class column; an
        `UndecidedClassError` if there are more than two classes and ``wanted`` is None.
        """
        listing = ", ".join(map(repr, list(self.counts)[:_SHOWN_CLASSES]))
        listing += ", ..." if len(self.counts) > _SHOWN_CLASSES else ""
        if wanted is not None and wanted.strip() not in self.counts:
            refuse(f"there is no class {wanted!r}; the classes are {listing}", file=self.file, column=self.name)
        if not self.counts:
            refuse("no row has a class; name the column that has the classes", file=self.file, column=self.name)
        if len(self.counts) == 1:
            msg = f"there is only one class, {listing}; two are needed to rank one above the other"
            raise DataError(msg, file=self.file, column=self.name)
        if wanted is not None:
            return wanted.strip()
        if len(self.counts) > MOST_CLASSES:
            msg = (
                f"there are {len(self.counts)} different values, too many for classes; put the class in the last "
                "column, name it 'class' in a header, or choose its column; graded data has columns 'relevance' and "
                "'qid'"
            )
            raise DataError(msg, file=self.file, column=self.name)
        if self.usual is None:
            msg = f"there are {len(self.counts)} classes, {listing}; choose the positive one, against the rest"
            raise UndecidedClassError(msg, classes=tuple(self.counts), file=self.file, column=self.name)
        return self.usual

    def relevance(self, positive: str) -> NDArray[np.bool_]:
        """Mark the positive documents, shape (n_documents,), bool."""
        return np.array([label == positive for label in self.labels])

    def query_id(self, positive: str) -> str:
        """Return one word that says which class is ranked above which, e.g. ``"b-against-g"``."""
        others = [label for label in self.counts if label != positive]
        against = others[0] if len(others) == 1 else "rest"
        return "-".join(f"{positive} {AGAINST} {against}".split())
