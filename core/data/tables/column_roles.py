"""The roles of the columns of a ranking table of any format: query, relevance, document, features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from core.data.errors import DataError, NoNumbersError, UndecidedRolesError, refuse
from core.data.numbers import is_digits, is_number
from core.data.tables.table_cells import Head, is_missing, is_missing_class, whole_grade
from core.data.tables.table_options import TableOptions, resolve_column

CLASS_NAMES = ("class", "label", "target", "y")
"""The last column is the class if it has one of these names, in lower case."""
TELLING_NAMES = ("class", "label", "target", "diagnosis", "y")
"""Names of class columns that need not be last."""
RELEVANCE_NAMES = ("relevance", "label", "rel", "grade", "y")
"""Names of a relevance column, in lower case; the first that a header has is taken."""
QUERY_ID_NAMES = ("qid", "query_id", "query id", "queryid")
QUERY_NAMES = (*QUERY_ID_NAMES, "query")
_NO_FEATURE = ("docid", "document_id", "doc_id", "document id")
"""Whatever they hold, and even where a query lists a document twice."""
DOCUMENT_NAMES = ("docid", "document_id", "doc_id", "document id", "document", "doc", "url")
"""Names of a column that names documents, also by numbers if they differ within each query."""
WORDS_FOR_DOCUMENTS = (
    *("id", "documentid", "doc id", "docno", "uri", "link", "asin", "sku", "ean", "isbn", "product_id", "product id"),
    *("item_id", "item id", "item", "product", "title", "name", "dokument", "dokumentid", "titel", "produkt"),
    *("artikel", "titre", "produit", "documento", "título", "titulo", "producto", "prodotto", "titolo", "文書"),
    *("文書id", "タイトル", "商品", "文档", "文件", "标题", "標題", "문서", "제목", "документ", "название"),
)
"""Names of a column that names documents if it has words."""
MOST_CLASSES = 50
"""A column with more values than this is a class column only if a person names the positive class."""
LARGEST_LEVEL = 10
"""A column of larger whole numbers is not offered as relevance."""
MOST_NUMBERED_CLASSES = 10
"""A last column with more different numbers than this counts as a feature if another column may be the class."""
_ONLY_NAMES = frozenset(TELLING_NAMES) - {"y"}
"""A first row with one of them is a header; y may stand for yes."""
_FEWEST_TEXTS = 3  # queries named by texts
_FEWEST_NUMBERS = 5  # queries named by numbers
_FEWEST_APART = 10  # queries named by numbers whose rows stand apart
_SHOWN = 3
_ID_NAMES = frozenset({"id", "ids", "id number", "sample id", "sample", "patient id", "patient", "case id", "case"})
_ENOUGH_ROWS = 20  # in fewer, measurements may well be different whole numbers by chance


def column_position(names: Sequence[str], spellings: Sequence[str]) -> int | None:
    """Return the position (from 0) of the first of these spellings among the names, in any case."""
    lower = [name.lower() for name in names]
    return next((lower.index(spelling) for spelling in spellings if spelling in lower), None)


def is_header(first: Sequence[str]) -> bool:
    """Tell whether a first row is a header: it names a class or a query, or most of its feature cells are words."""
    words = sum(not is_number(cell) and any(map(str.isalpha, cell)) for cell in first[:-1])
    counted = ([str(start + j) for j in range(len(first) - 1)] for start in (0, 1))
    numbered = first[-1].lower() == "y" and list(first[:-1]) in counted  # as a program names columns without names
    named = any(cell.lower() in _ONLY_NAMES for cell in first) or column_position(first, QUERY_NAMES) is not None
    return numbered or named or 2 * words > len(first) - 1


def check_header(names: Sequence[str], out: Collection[int], file: str, line: int | None) -> None:
    """Refuse empty or repeated names of columns that are not left out.

    Raises a `NoNumbersError` with the header's line, and the numbers of the columns to leave out.
    """
    kept = {j: name for j, name in enumerate(names) if j not in out}
    for j, name in kept.items():
        if not name:
            msg = f"column {j + 1} has no name; name it, or leave it out by its number if it only counts the rows"
            raise NoNumbersError(msg, columns=(str(j + 1),), file=file, line=line)
    at = {name: j for j, name in reversed(kept.items())}
    again = {j: name for j, name in kept.items() if at[name] != j}
    for name in again.values():
        msg = f"two columns are named {name!r}; give every column a name of its own, or leave one out by its number"
        raise NoNumbersError(msg, columns=tuple(str(j + 1) for j in again), file=file, line=line, column=name)


def check_all_differ(names: Sequence[str], file: str, line: int | None) -> None:
    """Refuse a header with repeated names.

    Raises a `DataError` with the header's line.
    """
    repeated = next((name for name, times in Counter(names).items() if times > 1), None)
    if repeated is not None:
        msg = f"two columns are named {repeated!r}; every column needs a name of its own"
        raise DataError(msg, file=file, line=line, column=repeated)


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """Statistics of the cells of a column that were looked at, from which its role is inferred.

    Positions count from 0; without a header the name is empty. ``of_classes`` says that a missing cell is one without a
    class: a class may well be called none.
    """

    position: int
    name: str
    cells: Sequence[str] = field(repr=False)
    of_classes: bool = False

    @cached_property
    def values(self) -> Counter[str]:
        """Number of occurrences of each value; missing cells are not counted."""
        lacks = is_missing_class if self.of_classes else is_missing
        counts = Counter(self.cells)
        return Counter({cell: times for cell, times in counts.items() if not lacks(cell)})

    @cached_property
    def has_words(self) -> bool:
        """Whether every cell is a word, so that the column cannot be a feature."""
        return bool(self.values) and all(any(map(str.isalpha, text)) and not is_number(text) for text in self.values)

    @cached_property
    def are_whole(self) -> bool:
        """Whether all values are whole numbers."""
        return all(is_digits(text.lstrip("+-")) for text in self.values)

    @property
    def all_differ(self) -> bool:
        """Whether no two rows have the same value and none is missing."""
        return len(self.values) == self.values.total() == len(self.cells) > 1

    @property
    def only_names_rows(self) -> bool:
        """Whether it holds words that all differ: names of rows, not classes."""
        return self.has_words and self.all_differ

    @property
    def only_numbers_rows(self) -> bool:
        """Whether it holds whole numbers that all differ."""
        return self.all_differ and self.are_whole

    @property
    def looks_like_id(self) -> bool:
        """Whether its name is that of an id, or it is first and nearly all its values are different whole numbers."""
        n_rows = len(self.cells)
        counted = self.position == 0 and n_rows >= _ENOUGH_ROWS and len(self.values) >= 0.9 * n_rows
        return not self.has_words and (is_id_name(self.name) or (self.are_whole and counted))

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

    @property
    def may_be_query(self) -> bool:
        """Whether texts or ids repeat in it: numbers must stand in consecutive rows, or occur equally often."""
        if not self.values or len(self.values) * 2 > self.values.total():
            return False
        if self.has_words:
            return len(self.values) >= _FEWEST_TEXTS
        if len(self.values) < _FEWEST_NUMBERS or not all(map(is_digits, self.values)):
            return False
        evenly = len(set(self.values.values())) == 1 and len(self.values) >= _FEWEST_APART
        present = [cell for cell in self.cells if not is_missing(cell)]
        return evenly or 1 + sum(cell != before for before, cell in pairwise(present)) == len(self.values)

    @property
    def may_be_relevance(self) -> bool:
        """Whether it has few whole numbers from 0 on."""
        grades = [whole_grade(text) for text in self.values]
        return len(grades) > 1 and all(grade is not None and grade <= LARGEST_LEVEL for grade in grades)


@dataclass(frozen=True, eq=False)
class Columns:
    """Names of the columns in the order of the file, made up without a header, and whether the first row is one."""

    names: tuple[str, ...]
    headed: bool

    def told(self, position: int) -> str:
        """Return the name of a column for messages."""
        name = self.names[position]
        return f"column {name!r}" if self.headed and name else f"column {position + 1}"

    def option(self, position: int) -> str:
        """Return the name of a column for an option; see `option_of`."""
        return option_of(self.names, self.headed, position)


@dataclass(frozen=True, eq=False)
class Roles(Columns):
    """The columns that name queries, have relevance and name documents, as far as header and cells tell.

    Columns that may be ``queries`` or ``relevances`` stand with the likeliest first; only the first rows have been
    looked at. Positions count from 0; ``query`` or ``relevance`` is None where a person has to choose. The question has
    the first values of all ``columns``, in words, and the ``class_column``, as an option names it, should every row
    have a class instead. Columns that options name are ``left_out``; ``notes`` are on what only options or cells tell.
    """

    queries: tuple[ColumnProfile, ...]
    relevances: tuple[ColumnProfile, ...]
    columns: Mapping[str, str]
    query: int | None
    relevance: int | None
    class_column: str | None = None
    document: int | None = None
    left_out: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    def decided(self, file: str) -> tuple[int, int]:
        """Return the positions of the query and the relevance column.

        Raises an `UndecidedRolesError` if a person has to choose one of them.
        """
        if self.query is not None and self.relevance is not None:
            return self.query, self.relevance
        queries = " or ".join(f"{self.told(p.position)} ({shown_values(p)})" for p in self.queries[:_SHOWN])
        grades = " or ".join(f"{self.told(p.position)} ({shown_values(p)})" for p in self.relevances[:_SHOWN])
        msg = f"the query may be {queries}, the relevance {grades}; choose the column of each"
        raise UndecidedRolesError(
            msg,
            queries=tuple(self.option(p.position) for p in self.queries),
            relevances=tuple(self.option(p.position) for p in self.relevances),
            columns=self.columns,
            class_column=self.class_column,
            file=file,
        )


def option_of(names: Sequence[str], headed: bool, position: int) -> str:
    """Return the name of a column for an option: its number if the name is missing or contains a comma."""
    name = names[position]
    alone = list(names).count(name) == 1
    return name if headed and name and "," not in name and alone else str(position + 1)


def shown_values(column: ColumnProfile) -> str:
    """Return the first values of a column for a question, with their number."""
    values = list(column.values)
    if all(map(is_digits, values)):
        values.sort(key=int)
    shown = ", ".join(values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown}, …: {len(values):,} values"


def columns_of(head: Head) -> dict[str, ColumnProfile]:
    """Profile all columns by the first rows; their keys are as options name them."""
    headed, names = header_of(head)
    return {option_of(names, headed, p.position): p for p in profiles_of(head)}


def header_of(head: Head) -> tuple[bool, list[str]]:
    """Whether the first row is a header, and the columns' names; their numbers from 1 without one."""
    headed = is_header(head.first)
    return headed, head.first if headed else [str(j) for j in range(1, len(head.first) + 1)]


def profiles_of(head: Head) -> list[ColumnProfile]:
    """Profile all columns by the first rows of the table."""
    headed, names = header_of(head)
    first = [[]] * len(names) if headed else [[cell] for cell in head.first]
    return [ColumnProfile(j, name if headed else "", [*first[j], *head.columns[j]]) for j, name in enumerate(names)]


def roles_of(head: Head, options: TableOptions, described: Mapping[str, str | None] | None = None) -> Roles | None:
    """Infer which columns have queries, relevance and documents; None for a table with a class for every row.

    Options, the table's own description and usual names in the header decide. Without them, a column whose texts or ids
    repeat beside one of few small whole numbers leaves the choice to a person, unless an option names the class column.
    ``described`` has names of columns by their roles (query, relevance, document), as the table itself says. Raises a
    `DataError` if an option names a column that does not exist, two name the same, or no column can be relevance or
    query.
    """
    file, line = head.file, head.line
    headed, names = header_of(head)

    def said(role: str) -> int | None:
        option: str | None = getattr(options, f"{role}_column")
        if option is not None:
            return resolve_column(option, names, file)
        name = (described or {}).get(role)
        return names.index(name) if name in names else None

    query, relevance = said("query"), said("relevance")
    asked = query is not None or relevance is not None
    if asked and query == relevance:
        refuse(f"column {names[query or 0]!r} cannot be both query and relevance", file=file)
    if query is None:
        query = column_position(head.first, QUERY_NAMES)
        asked = asked or query is not None
    if not asked and options.class_column is not None:
        return None
    if relevance is None and asked:
        relevance = column_position(head.first, RELEVANCE_NAMES)
    if query is not None and relevance is not None:
        return _decided(head, options, query, relevance, said("document"))
    if not asked and options.document_column is not None:
        asked = True
    out = {j for j, name in enumerate(names) if name in options.named_columns}
    profiles = [profile for profile in profiles_of(head) if profile.position not in out]
    queries = [p for p in profiles if (p.position == query if query is not None else _may_be_query(p, len(names)))]
    queries = sorted((p for p in queries if p.position != relevance), key=lambda p: (not p.has_words, p.position))
    taken = {query} if query is not None else {p.position for p in queries[:1]}
    grades = [p for p in profiles if (p.position == relevance if relevance is not None else p.may_be_relevance)]
    likeliest = sorted((p.name.lower() not in RELEVANCE_NAMES, len(p.values) < 3, p.position) for p in grades)
    grades = [next(p for p in grades if p.position == place) for *_, place in likeliest if place not in taken]
    if queries and grades:
        fit = [] if asked else class_candidates(profiles_of(head), len(names), options.positive)[0]
        column = next((option_of(names, headed, p.position) for p in fit if p.can_be_classes), None)
        values = {option_of(names, headed, p.position): shown_values(p) for p in profiles}
        return Roles(tuple(names), headed, tuple(queries), tuple(grades), values, query, relevance, column)
    if not asked:
        return None
    what, spellings = ("relevance", RELEVANCE_NAMES) if queries else ("query", QUERY_NAMES)
    msg = f"there is no {what} column; name one of the columns {' or '.join(map(repr, spellings))}, or say which it is"
    raise DataError(msg, file=file, line=line)


def _decided(head: Head, options: TableOptions, query: int, relevance: int, document: int | None) -> Roles:
    """Return the roles of a table whose query and relevance are known.

    Raises a `DataError` if one of them is left out, the document's column has another role, or a name is missing or
    repeated.
    """
    headed, names = header_of(head)
    out = frozenset(resolve_column(column, names, head.file) for column in options.named_columns)
    found = Roles(tuple(names), headed, (), (), {}, query, relevance, left_out=out)
    for position, what in ((query, "query"), (relevance, "relevance")):
        if position in out:
            refuse(f"{found.told(position)} has the {what} and cannot be left out", file=head.file)
    if options.document_column is not None and document in (query, relevance, *out):
        msg = f"{found.told(document or 0)} cannot name the document: it has another role or is left out"
        raise DataError(msg, file=head.file)
    if headed:
        check_header(head.first, out, head.file, head.line)
    notes = []
    if document is None or document in (query, relevance, *out):
        document = _document(head, query, {relevance, *out})
        if document is not None and names[document].lower() not in (*DOCUMENT_NAMES, "id"):
            notes = [f"{found.told(document).capitalize()} names the documents."]
    return replace(found, document=document, notes=tuple(notes))


def _document(head: Head, query: int, taken: Collection[int]) -> int | None:
    """Return the column that names documents: ``docid`` always, another usual name if it has words or differs."""
    if not header_of(head)[0]:
        return None
    lower = [name.lower() for name in head.first]
    for spelling in (*DOCUMENT_NAMES, *WORDS_FOR_DOCUMENTS):
        if spelling not in lower or (position := lower.index(spelling)) == query or position in taken:
            continue
        if head.texts is not None:
            words, apart = position in head.texts, True
        else:
            cells = head.columns[position]
            first = next((cell for cell in cells if not is_missing(cell)), "0")
            words = not is_number(first.replace(",", ""))  # 0,5 and 1,000 are none
            apart = len(set(zip(head.columns[query], cells, strict=True))) == len(cells)
        if words or spelling in _NO_FEATURE or (spelling in DOCUMENT_NAMES and apart):
            return position
    return None


def _may_be_query(column: ColumnProfile, n_columns: int) -> bool:
    """Tell whether a column may name queries; a column of a class's name, or a last one of few values, does not."""
    classes = column.position == n_columns - 1 and len(column.values) <= MOST_NUMBERED_CLASSES
    return column.may_be_query and not classes and column.name.lower() not in TELLING_NAMES


def class_candidates(
    profiles: Sequence[ColumnProfile], n: int, positive: str | None
) -> tuple[list[ColumnProfile], int | None]:
    """Return the columns that may hold the classes, the likeliest first, and the position of the chosen one.

    It is None where a person has to choose. The last one of all ``n`` columns must be among the profiles.
    """
    last = next(p for p in profiles if p.position == n - 1)
    others = [p for p in profiles if p is not last]
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


def _stands_for_classes(column: ColumnProfile, profiles: Sequence[ColumnProfile]) -> bool:
    """Tell whether a column is where files put classes: first, second behind an id, or any column of words."""
    before = next((p for p in profiles if p.position == 0), None) if column.position == 1 else None
    behind_id = before is not None and (before.only_numbers_rows or before.only_names_rows)
    return column.position == 0 or behind_id or column.has_words


def is_id_name(name: str) -> bool:
    """Tell whether a name is that of a column of ids of rows."""
    return name.lower().replace("_", " ").replace("-", " ") in _ID_NAMES
