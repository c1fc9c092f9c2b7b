"""The columns of a ranking table: which one names the query of a row, and which one has its relevance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from core.data.errors import DataError, UndecidedRolesError
from core.data.numbers import is_digits
from core.data.tables.class_layout import MOST_NUMBERED_CLASSES, ColumnProfile, class_layout
from core.data.tables.missing_values import is_missing
from core.data.tables.table_cells import whole_grade
from core.data.tables.table_header import TELLING_NAMES, check_header, column_position, is_header
from core.data.tables.table_options import TableOptions, resolve_column
from core.data.tables.table_text import CsvText

RELEVANCE_NAMES = ("relevance", "label", "rel", "grade", "y")
"""Names of a relevance column, in lower case; the first that a header has is taken."""
QUERY_NAMES = ("qid", "query_id", "query id", "queryid", "query")
LARGEST_LEVEL = 10
"""A column of larger whole numbers is not offered as relevance."""
_ROWS = 2_000  # that tell the roles
_CELLS = 1_000_000
_FEWEST_TEXTS = 3  # queries named by texts
_FEWEST_NUMBERS = 5  # queries named by numbers
_FEWEST_APART = 10  # queries named by numbers whose rows stand apart
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class RoleProfile(ColumnProfile):
    """Statistics of a column's first cells.

    Attributes
    ----------
    runs : int
        Number of times that the value changes from a row to the next, and 1.
    """

    runs: int = 1

    @property
    def may_be_query(self) -> bool:
        """Whether texts or ids repeat in it: numbers must stand in consecutive rows, or occur equally often."""
        if not self.values or len(self.values) * 2 > self.n_rows:
            return False
        if self.has_words:
            return len(self.values) >= _FEWEST_TEXTS
        if len(self.values) < _FEWEST_NUMBERS or not all(is_digits(text) for text in self.values):
            return False
        evenly = len(set(self.values.values())) == 1 and len(self.values) >= _FEWEST_APART
        return self.runs == len(self.values) or evenly

    @property
    def may_be_relevance(self) -> bool:
        """Whether it has few whole numbers from 0 on."""
        grades = [whole_grade(text) for text in self.values]
        return len(grades) > 1 and all(grade is not None and grade <= LARGEST_LEVEL for grade in grades)


@dataclass(frozen=True, eq=False)
class QueryLayout:
    """The columns that name queries and have relevance, as far as header and cells tell.

    Attributes
    ----------
    names : tuple of str
        Names of the columns in the order of the file; their numbers from 1 without a header.
    headed : bool
        Whether the first row is a header.
    queries, relevances : tuple of RoleProfile
        Columns that may have these roles, the likeliest first. Only the first rows have been looked at.
    columns : mapping of str to str
        The first values of every column, in words; empty where nothing has to be asked.
    query, relevance : int or None
        Positions of the columns, from 0; None where a person has to choose.
    class_column : str or None
        The column of classes, should every row have a class instead; as an option names it.
    """

    names: tuple[str, ...]
    headed: bool
    queries: tuple[RoleProfile, ...]
    relevances: tuple[RoleProfile, ...]
    columns: Mapping[str, str]
    query: int | None
    relevance: int | None
    class_column: str | None = None

    def option(self, position: int) -> str:
        """Return the name of a column for an option."""
        return _option(self.names, self.headed, position)

    def told(self, position: int) -> str:
        """Return the name of a column for messages."""
        return f"column {self.names[position]!r}" if self.headed else f"column {position + 1}"

    def decided(self, file: str) -> tuple[int, int]:
        """Return the positions of the query and the relevance column.

        Raises
        ------
        UndecidedRolesError
            If a person has to choose one of them.
        """
        if self.query is not None and self.relevance is not None:
            return self.query, self.relevance
        queries = " or ".join(f"{p.told} ({shown_values(p)})" for p in self.queries[:_SHOWN])
        grades = " or ".join(f"{p.told} ({shown_values(p)})" for p in self.relevances[:_SHOWN])
        msg = f"the query may be {queries}, the relevance {grades}; choose the column of each"
        raise UndecidedRolesError(
            msg,
            queries=tuple(self.option(p.position) for p in self.queries),
            relevances=tuple(self.option(p.position) for p in self.relevances),
            columns=self.columns,
            class_column=self.class_column,
            file=file,
        )


def _option(names: Sequence[str], headed: bool, position: int) -> str:
    """The name of a column for an option: its number if the name is missing or contains a comma."""
    return names[position] if headed and "," not in names[position] else str(position + 1)


def columns_of(table: CsvText) -> dict[str, str]:
    """Return all columns, as options name them, with their first values in words.

    Raises
    ------
    DataError
        If the file is no CSV file.
    """
    headed, names = _header(table)
    return {_option(names, headed, p.position): shown_values(p) for p in _profiles(table, names, headed)}


def _header(table: CsvText) -> tuple[bool, list[str]]:
    """Whether the first row is a header, and the columns' names; their numbers from 1 without one."""
    _, first, _ = table.header_and_rows()
    headed = is_header(first) or column_position(first, QUERY_NAMES) is not None
    return headed, first if headed else [str(j) for j in range(1, len(first) + 1)]


def shown_values(column: ColumnProfile) -> str:
    """Return the first values of a column for a question, with their number."""
    values = list(column.values)
    if all(is_digits(value) for value in values):
        values.sort(key=int)
    shown = ", ".join(values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown}, …: {len(values):,} values"


def query_layout(table: CsvText, options: TableOptions) -> QueryLayout | None:
    """Infer which columns have queries and relevance; None for a table with a class for every row.

    Options and usual names in the header decide. Without them, a column whose texts or ids repeat beside one of few
    small whole numbers leaves the choice to a person, unless an option names the class column.

    Raises
    ------
    DataError
        If an option names a column that does not exist, both name the same, or no column can be relevance or query.
    """
    line, first, _ = table.header_and_rows()
    headed, names = _header(table)

    def said(option: str | None) -> int | None:
        return None if option is None else resolve_column(option, names, table.name)

    query, relevance = said(options.query_column), said(options.relevance_column)
    asked = query is not None or relevance is not None
    if asked and query == relevance:
        msg = f"column {names[query or 0]!r} cannot be both query and relevance"
        raise DataError(msg, file=table.name)
    if query is None:
        query = column_position(first, QUERY_NAMES)
        asked = asked or query is not None
    if not asked and options.class_column is not None:
        return None
    if relevance is None and asked:
        relevance = column_position(first, RELEVANCE_NAMES)
    if query is not None and relevance is not None:
        if headed:
            check_header(first, table.name, line)
        return QueryLayout(tuple(names), headed, (), (), {}, query, relevance)
    out = {j for j, name in enumerate(names) if name in options.named_columns}
    profiles = [profile for profile in _profiles(table, names, headed) if profile.position not in out]
    queries = [p for p in profiles if (p.position == query if query is not None else _may_be_query(p, len(names)))]
    queries = sorted((p for p in queries if p.position != relevance), key=lambda p: (not p.has_words, p.position))
    taken = {query} if query is not None else {p.position for p in queries[:1]}
    grades = [p for p in profiles if (p.position == relevance if relevance is not None else p.may_be_relevance)]
    grades = sorted((p for p in grades if p.position not in taken), key=_likely_relevance)
    if queries and grades:
        classes = None if asked else class_layout(table, options)
        fit = [] if classes is None else [p.position for p in classes.candidates if p.can_be_classes]
        column = None if classes is None or not fit else classes.option(fit[0])
        values = {_option(names, headed, p.position): shown_values(p) for p in profiles}
        return QueryLayout(tuple(names), headed, tuple(queries), tuple(grades), values, query, relevance, column)
    if not asked:
        return None
    what, spellings = ("relevance", RELEVANCE_NAMES) if queries else ("query", QUERY_NAMES)
    msg = f"there is no {what} column; name one of the columns {' or '.join(map(repr, spellings))}"
    raise DataError(msg, file=table.name, line=line)


def _likely_relevance(column: RoleProfile) -> tuple[bool, bool, int]:
    return column.name.lower() not in RELEVANCE_NAMES, len(column.values) < 3, column.position


def _may_be_query(column: RoleProfile, n_columns: int) -> bool:
    """Tell whether a column may name queries; a column of a class's name, or a last one of few values, does not."""
    classes = column.position == n_columns - 1 and len(column.values) <= MOST_NUMBERED_CLASSES
    return column.may_be_query and not classes and column.name.lower() not in TELLING_NAMES


def _profiles(table: CsvText, names: Sequence[str], headed: bool) -> list[RoleProfile]:
    """Profile all columns by the first rows of the table."""
    n = len(names)
    below = table.header_and_rows()[2] if headed else table.rows()
    rows = [cells for _, cells in islice(below, max(min(_ROWS, _CELLS // n), 20)) if len(cells) == n]
    profiles = []
    for j, name in enumerate(names):
        cells = [text for row in rows if not is_missing(text := row[j].strip())]
        runs = 1 + sum(cell != before for before, cell in pairwise(cells))
        profiles.append(RoleProfile(j, name if headed else "", Counter(cells), len(cells), runs))
    return profiles
