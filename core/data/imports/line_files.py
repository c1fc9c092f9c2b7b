"""Judgments and feature logs in lines: CSV, Quepid's too, TREC's qrels, LETOR and SVMlight text, group sizes beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.data.errors import DataError, refuse
from core.data.imports.logged_features import Judgments, LoggedRow, QueryName
from core.data.imports.text_file import CsvRows, Place, TextFile
from core.data.letor._letor_kernel import COMMENT_BEGIN, COMMENT_END, LISTED, QUERY_BEGIN, QUERY_END
from core.data.letor.letor_format import LetorHeader, document_and_text
from core.data.letor.letor_lines import parse, value_problem
from core.data.numbers import is_digits, is_number, read_numbers
from core.data.ranking_data import unnamed
from core.data.tables.column_roles import QUERY_ID_NAMES, RELEVANCE_NAMES, column_position

_LINES = 4096
_QUERY_COLUMNS = ("query", "query text", "querytext", "query_text")
_DOCUMENT_COLUMNS = ("docid", "doc id", "doc_id", "document_id", "document id", "document", "doc", "url")
_ID = "id"
"""It names documents where they have to be joined; in a table that has its own labels it may be a feature."""
_RATING_COLUMNS = ("rating", *RELEVANCE_NAMES[:-1], "judgment", "judgement")  # but y
_UNSAID = QueryName()


class Roles(NamedTuple):
    """The columns of a table by what they hold; None where there is no such column."""

    text: int | None
    number: int | None
    document: int | None
    rating: int | None

    @classmethod
    def of(cls, names: Sequence[str]) -> Roles:
        """Tell them by the names, in any case; ``id`` names documents where no other column does."""
        spellings = (_QUERY_COLUMNS, QUERY_ID_NAMES, _DOCUMENT_COLUMNS, _RATING_COLUMNS)
        text, number, document, rating = (column_position(names, called) for called in spellings)
        return cls(text, number, column_position(names, (_ID,)) if document is None else document, rating)

    def query(self, cells: Sequence[str]) -> QueryName:
        """The query of a row."""
        text, number, _, _ = self
        return QueryName("" if number is None else cells[number].strip(), "" if text is None else cells[text].strip())


def read_judgment_table(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read a CSV with columns for query, document and rating, such as Quepid's ``query,docid,rating``.

    A row without a rating is no judgment, nor is one that ends with the query, as Quepid writes an unrated query.
    """
    rows = CsvRows(file)
    roles = Roles.of(rows.names)
    if roles.document is None or roles.rating is None:
        Place(file.name, 1).refuse("the columns docid and rating are needed")
    for line, cells in rows.filled(min(roles.document, roles.rating)):
        rating = _cell(cells, roles.rating)
        judgments.add(roles.query(cells), _cell(cells, roles.document), rating, Place(file.name, line))
        yield


def read_qrels(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read TREC's qrels, ``qid 0 document relevance``. A relevance below 0 counts as 0."""
    for line, text in file.lines():
        cells = text.split()
        if not cells:
            continue
        place = Place(file.name, line)
        if len(cells) != 4:
            place.refuse(f"{len(cells)} words where qrels have four: query, 0, document, relevance")
        judgments.add(QueryName(cells[0]), cells[2], cells[3], place)
        yield


def read_letor_judgments(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read lines ``3 qid:1 # 1370 star trek``: rating, query id, document and query text, without features.

    A header ``# qid:1: star trek`` names the query first; then, or where a query has several texts, they are titles.
    """
    header = LetorHeader()
    rows: list[tuple[str, str, str, Place]] = []
    texts: dict[str, str] = {}
    for line, text in file.lines():
        if header.take(text):
            continue
        place = Place(file.name, line)
        told, _, comment = text.partition("#")
        words = told.split()
        if len(words) != 2 or not words[1].startswith("qid:"):
            place.refuse("write a judgment as 3 qid:1 # document query text")
        number = words[1].removeprefix("qid:")
        document, query_text = document_and_text(comment)
        rows.append((number, document, words[0], place))
        if texts.setdefault(number, query_text) != query_text:
            texts[number] = ""
        yield
    for number, document, rating, place in rows:
        judgments.add(QueryName(number, header.queries.get(number, texts[number])), document, rating, place)
        yield


def read_letor_log(file: TextFile) -> Iterator[LoggedRow]:
    """Read LETOR text: ``4 qid:1 1:12.3 2:9.5 # 7555 rambo``; documents and query texts stand in the comments.

    A header ``# qid:1: rambo`` names the query first; then, or where a query has several texts, they are titles. A line
    that leaves features out has zeros there.
    """
    header = LetorHeader()
    names: tuple[str, ...] = ()
    texts: dict[str, str] = {}
    for first, content in _blocks(file, header):
        try:
            block = parse(content, file.name, file.limits.of_numbers_as_objects)
        except DataError as error:
            at = None if error.line is None else error.line + first - 1
            raise DataError(error.reason, file=file.name, line=at, column=error.column) from None
        width = block.features.shape[1]
        if len(names) < width:
            names = header.names(width) or tuple(header.features.get(j, f"feature {j}") for j in range(1, width + 1))
        if not (block.places[:, LISTED] > 0).all():
            row = int((block.places[:, LISTED] == 0).argmax())
            line = first + content.count(b"\n", 0, int(block.places[row, QUERY_BEGIN]))
            Place(file.name, line).refuse("this line has no feature; write features as index:value")
        line, at = first, 0
        values = block.features.tolist()
        labels = block.relevance.tolist()
        told: list[tuple[str, str, str]] = []
        for places in block.places.tolist():
            number = content[places[QUERY_BEGIN] : places[QUERY_END]].decode()
            comment = content[places[COMMENT_BEGIN] : places[COMMENT_END]].decode()
            document, text = document_and_text(comment)
            told.append((number, document, text))
            if texts.setdefault(number, text) != text:
                texts[number] = ""
        for row, (number, document, _) in enumerate(told):
            begin = int(block.places[row, QUERY_BEGIN])
            line += content.count(b"\n", at, begin)
            at = begin
            query = QueryName(number, header.queries.get(number, texts[number]))
            yield LoggedRow(query, document, str(labels[row]), names[:width], values[row], Place(file.name, line))


def _blocks(file: TextFile, header: LetorHeader) -> Iterator[tuple[int, bytes]]:
    """Yield some thousand lines at a time after the number of their first; the header is read on the way."""
    above, holds, first, lines = True, False, 1, list[str]()
    for number, line in file.lines():
        above = above and header.take(line)
        holds = holds or (not above and bool(line.strip()) and not line.lstrip().startswith("#"))
        lines.append("" if above else line)
        if len(lines) == _LINES:
            if holds:
                yield first, "\n".join([*lines, ""]).encode()
            holds, first, lines = False, number + 1, []
    if holds:  # a last line that has no end may have been cut off
        yield first, "\n".join([*lines, ""] if file.ends_a_line else lines).encode()


def read_feature_table(file: TextFile, *, joined: bool = False) -> Iterator[LoggedRow]:
    """Read a CSV with a query in every row: columns for query and document, perhaps relevance; others are features.

    If its documents have to be joined (it is ``joined``, or has no relevance), a column ``id`` names them where no
    other does. Else ``id`` does if its first value is no number; numbers are a feature, as in a CSV opened alone.
    """
    rows = CsvRows(file)
    roles = Roles.of(rows.names)
    return _table(file, rows, roles if joined or roles.rating is None else _with_worded_document(roles, rows))


def _with_worded_document(roles: Roles, rows: CsvRows) -> Roles:
    """The roles, where ``id`` names documents only if its first value is no number."""
    if roles.document is None or roles.document != column_position(rows.names, (_ID,)):
        return roles
    first = rows.next_cells
    worded = roles.document < len(first) and not is_number(first[roles.document])
    return roles if worded else roles._replace(document=None)


def read_matrix(file: TextFile, groups: Sequence[int]) -> Iterator[LoggedRow]:
    """Read a matrix with the relevance first and without queries, as LightGBM and XGBoost do beside ``groups``.

    It is SVMlight text, or a CSV with or without a header; ``groups`` says how many rows each query has, in the order
    of the file, and queries are numbered from 1. Raises a `DataError` if the file has another number of rows.
    """
    queries = (str(query) for query, size in enumerate(groups, 1) for _ in range(size))
    n_rows = 0
    for row in _matrix_rows(file):
        n_rows += 1
        query = next(queries, None)
        if query is not None:
            yield row._replace(query=QueryName(query))
    if n_rows != sum(groups):
        refuse(f"it has {n_rows:,} rows where the group sizes add up to {sum(groups):,}", file=file.name)


def group_sizes(file: TextFile) -> list[int]:
    """Read a file ``.query`` of LightGBM or ``.group`` of XGBoost: how many rows each query has, a line each."""
    sizes = []
    for line, text in file.lines():
        if not text.strip():
            continue
        if not is_digits(text.strip()) or int(text) == 0:
            Place(file.name, line).refuse(
                f"{text.strip()[:40]!r} is not a number of rows; write a whole number above 0"
            )
        sizes.append(int(text))
    return sizes


def _matrix_rows(file: TextFile) -> Iterator[LoggedRow]:
    if is_svmlight(file.head):
        yield from _svmlight(file)
        return
    rows = CsvRows(file)
    roles = _with_worded_document(Roles.of(rows.names), rows)
    yield from _table(file, rows, Roles(None, None, roles.document, roles.rating or 0))


def is_svmlight(head: str) -> bool:
    """Tell whether the first line that is no comment has a feature ``index:value``."""
    first = next((line for line in head.split("\n") if line.strip() and not line.startswith("#")), "")
    words = first.split()
    return len(words) > 1 and is_digits(words[1].partition(":")[0]) and ":" in words[1]


@lru_cache(maxsize=1 << 16)
def _called(index: str) -> str:
    """The name of the feature with this index, which all rows share; a `ValueError` if it is no whole number."""
    if not is_digits(index):
        raise ValueError(index)
    return f"feature {int(index)}"


def _svmlight(file: TextFile) -> Iterator[LoggedRow]:
    for line, text in file.lines():
        told, _, comment = text.partition("#")
        words = told.split()
        if not words:
            continue
        place = Place(file.name, line)
        pairs = [word.partition(":") for word in words[1:]]
        try:
            names = tuple([_called(index) for index, _, _ in pairs])
            values = list(read_numbers([value for _, _, value in pairs]))
        except ValueError:
            wrong = next("".join(pair) for pair in pairs if not is_digits(pair[0]) or not is_number(pair[2]))
            place.refuse(f"{wrong[:40]!r} is not a feature; write features as index:value")
        yield LoggedRow(_UNSAID, document_and_text(comment)[0], words[0], names, values, place)


def _table(file: TextFile, rows: CsvRows, roles: Roles) -> Iterator[LoggedRow]:
    columns = [j for j in range(rows.width) if j not in roles]
    called = tuple(rows.names[j] for j in columns) if rows.names else unnamed(len(columns))
    for line, cells in rows.filled():
        try:
            values = list(read_numbers([cells[j] for j in columns]))
        except ValueError:
            wrong = next(j for j in columns if not is_number(cells[j]))
            shown = rows.names[wrong] if rows.names else str(wrong + 1)
            may_name_documents = bool(rows.names) and roles.document is None
            msg = value_problem(cells[wrong].strip(), may_name_documents=may_name_documents)
            raise DataError(msg, file=file.name, line=line, column=shown) from None
        document, label = _cell(cells, roles.document), _cell(cells, roles.rating)
        yield LoggedRow(roles.query(cells), document, label, called, values, Place(file.name, line))


def _cell(cells: Sequence[str], position: int | None) -> str:
    return "" if position is None else cells[position].strip()
