"""The roles of a table's columns: which one holds the classes, and which ones are row ids and no features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from core.data.errors import DataError, UndecidedColumnError
from core.data.numbers import is_digits, is_number
from core.data.tables.class_column import MOST_CLASSES
from core.data.tables.missing_values import is_missing, is_missing_class
from core.data.tables.table_header import CLASS_NAMES, TELLING_NAMES, check_header, is_header
from core.data.tables.table_options import TableOptions, resolve_column
from core.data.tables.table_text import CsvText

MOST_NUMBERED_CLASSES = 10
"""A last column with more different numbers than this counts as a feature if another column may be the class."""
_ID_NAMES = frozenset({"id", "ids", "id number", "sample id", "sample", "patient id", "patient", "case id", "case"})
_LOOKED_AT = 100  # rows that tell which columns hold words
_ENOUGH_VALUES = 100_000
_ENOUGH_ROWS = 20  # in fewer, measurements may well be different whole numbers by chance


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """Statistics of one column's cells, from which its role is inferred.

    Attributes
    ----------
    position : int
        Counted from 0.
    name : str
        Name in the header; empty without a header.
    values : Counter of str
        Number of occurrences of each value; missing cells are not counted.
    n_rows : int
        Number of rows that were looked at.
    """

    position: int
    name: str
    values: Counter[str] = field(repr=False)
    n_rows: int

    @property
    def told(self) -> str:
        """The column's name in messages."""
        return f"column {self.name!r}" if self.name else f"column {self.position + 1}"

    @property
    def has_words(self) -> bool:
        """Whether every cell is a word, so that the column cannot be a feature."""
        return bool(self.values) and all(any(map(str.isalpha, text)) and not is_number(text) for text in self.values)

    @property
    def all_differ(self) -> bool:
        """Whether no two rows have the same value and none is missing."""
        return len(self.values) == self.values.total() == self.n_rows > 1

    @property
    def only_names_rows(self) -> bool:
        """Whether it holds words that all differ: names of rows, not classes."""
        return self.has_words and self.all_differ

    @property
    def only_numbers_rows(self) -> bool:
        """Whether it holds whole numbers that all differ."""
        return self.all_differ and all(is_digits(text.lstrip("+-")) for text in self.values)

    @property
    def looks_like_id(self) -> bool:
        """Whether its name is that of an id, or it is first and nearly all its values are different whole numbers."""
        whole = all(is_digits(text.lstrip("+-")) for text in self.values)
        counted = self.position == 0 and self.n_rows >= _ENOUGH_ROWS and len(self.values) >= 0.9 * self.n_rows
        return not self.has_words and (_is_id_name(self.name) or (whole and counted))

    @property
    def is_measured(self) -> bool:
        """Whether it holds more different numbers than a class column would."""
        return not self.has_words and len(self.values) > MOST_NUMBERED_CLASSES

    @property
    def can_be_classes(self) -> bool:
        """Whether it has at least two and at most `MOST_CLASSES` different values."""
        return 2 <= len(self.values) <= MOST_CLASSES

    @property
    def looks_like_classes(self) -> bool:
        """Whether its values alone suggest classes: two values, or a few words that repeat."""
        return self.can_be_classes and (len(self.values) == 2 or self.has_words) and not self.all_differ


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
        name = self.names[position]
        return name if self.headed and "," not in name else str(position + 1)

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


def class_layout(table: CsvText, options: TableOptions) -> ClassLayout:
    """Infer the role of every column from the options, the header and the cells.

    A column with a telling name is preferred to the last one, and the last one to any other. The class column stays
    undecided where both a named column and the last one could be it.

    Raises
    ------
    DataError
        If the header cannot be used, or an option names a column that does not exist.
    """
    line, first, _ = table.header_and_rows()
    headed = is_header(first)
    if headed:
        check_header(first, table.name, line)
    names = first if headed else [str(j) for j in range(1, len(first) + 1)]
    said = None if options.class_column is None else resolve_column(options.class_column, names, table.name)
    profiles = _profiles(table, first if headed else [""] * len(first), said)
    left_out = {resolve_column(wanted, names, table.name) for wanted in options.named_columns}
    candidates, chosen = _choose(profiles, len(first), options.positive)
    if chosen is None:  # who leaves out one of several columns says that the classes are in another
        usable = {j: p for j, p in profiles.items() if j not in left_out or j == len(first) - 1}
        candidates, chosen = _choose(usable, len(first), options.positive)
    position = chosen if said is None else said
    others = [p for p in profiles.values() if p.position != position]
    ids = [p for p in others if _is_id(p, position, len(first), headed)]
    if options.leaves_out_ids:
        left_out |= {p.position for p in ids}
    if position in left_out:
        msg = f"column {names[position]!r} has the classes and cannot be left out"
        raise DataError(msg, file=table.name)
    return ClassLayout(
        names=tuple(first) if headed else _numbered(len(first), position, left_out),
        headed=headed,
        candidates=tuple(candidates),
        class_position=position,
        ids=tuple(ids),
        kept_ids=tuple(p for p in others if p.position not in left_out and p.looks_like_id),
        left_out=tuple(sorted(left_out)),
    )


def _profiles(table: CsvText, names: Sequence[str], said: int | None) -> dict[int, ColumnProfile]:
    """Profile the columns that may hold classes or ids, by position.

    Other columns are skipped: profiling all of a wide table would take much memory. So would counting values that are
    nearly all different: of such a column the first ones tell enough.
    """
    n = len(names)

    def rows() -> Iterator[list[str]]:
        below = table.header_and_rows()[2] if any(names) else (row for row in table.rows())
        return (cells for _, cells in below if len(cells) == n)

    telling = {j for j, name in enumerate(names) if name.lower() in TELLING_NAMES or _is_id_name(name)}
    words = set(range(n))
    for cells in islice(rows(), _LOOKED_AT):
        words = {j for j in words if is_missing(cells[j]) or not is_number(cells[j])}
    wanted = sorted({0, min(1, n - 1), n - 1} | telling | words | ({said} if said is not None else set()))
    values: dict[int, Counter[str]] = {j: Counter() for j in wanted}
    looked_at = dict.fromkeys(wanted, 0)
    counting = dict(values)
    room = table.limits.rows
    for cells in rows():
        for j, counter in counting.items():
            counter[cells[j].strip()] += 1
            looked_at[j] += 1
        if max(map(len, counting.values()), default=0) > _ENOUGH_VALUES:
            counting = {j: counter for j, counter in counting.items() if len(counter) <= _ENOUGH_VALUES}
        if sum(map(len, counting.values())) > room:
            break
    for counter in values.values():
        for text in [text for text in counter if is_missing_class(text)]:
            del counter[text]
    return {j: ColumnProfile(j, names[j], counter, looked_at[j]) for j, counter in values.items()}


def _choose(profiles: dict[int, ColumnProfile], n: int, positive: str | None) -> tuple[list[ColumnProfile], int | None]:
    """Return the columns that may hold the classes, the likeliest first, and the chosen one.

    The chosen one is None where a person has to choose.
    """
    last = profiles[n - 1]
    others = [p for p in profiles.values() if p is not last]
    named = [p for p in others if p.name.lower() in TELLING_NAMES and p.can_be_classes]
    looks = [p for p in others if p not in named and p.looks_like_classes and _stands_for_classes(p, profiles)]
    candidates = [*named, last, *looks]
    if last.name.lower() in CLASS_NAMES:
        return [last, *named, *looks], last.position
    having = candidates if positive is None else [p for p in candidates if positive.strip() in p.values]
    if having:  # a class that is said tells its column
        named, looks = ([p for p in group if p in having] for group in (named, looks))
    would_do = len(last.values) == 2 if positive is None else last in having
    if named and would_do:
        meant = [p for p in named if not p.is_measured] + [last]
    elif named:
        meant = named
    elif would_do:
        first_words = [p for p in looks if p.position == 0 and p.has_words] if positive is None else []
        meant = [last, *(looks if positive is not None and last.is_measured else first_words)]
    elif having and last not in having:
        meant = looks
    elif last.can_be_classes and not last.is_measured:
        meant = [last] if last.has_words else [last, *looks]
    else:
        meant = looks or [last]
    if len(meant) > 1:
        return meant, None
    return sorted(candidates, key=lambda p: p is not meant[0]), meant[0].position


def _stands_for_classes(column: ColumnProfile, profiles: dict[int, ColumnProfile]) -> bool:
    """Tell whether a column is where files put classes: first, second behind an id, or any column of words."""
    before = profiles.get(0) if column.position == 1 else None
    behind_id = before is not None and (before.only_numbers_rows or before.only_names_rows)
    return column.position == 0 or behind_id or column.has_words


def _is_id(column: ColumnProfile, class_position: int | None, n: int, headed: bool) -> bool:
    """Tell whether a column is left out by default as an id.

    With the class in the last column, a numeric column is always a feature.
    """
    if column.only_names_rows:
        return True
    if class_position in (None, n - 1):
        return False
    first_of_all = column.position == 0 and not headed and column.only_numbers_rows
    return first_of_all or (_is_id_name(column.name) and column.all_differ)


def _is_id_name(name: str) -> bool:
    return name.lower().replace("_", " ").replace("-", " ") in _ID_NAMES


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
