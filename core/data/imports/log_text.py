"""Feature logs in lines: LETOR or SVMlight text and CSV, with a query in every row or a file of group sizes beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.data.errors import DataError
from core.data.imports.csv_rows import CsvRows
from core.data.imports.judgment_text import (
    DOCUMENT_COLUMNS,
    QUERY_COLUMNS,
    QUERY_ID_COLUMNS,
    RATING_COLUMNS,
    column,
    document_column,
    query_name,
)
from core.data.imports.judgments import Place, QueryName
from core.data.imports.logged_features import LoggedRow
from core.data.imports.text_file import TextFile
from core.data.letor._letor_kernel import COMMENT_BEGIN, COMMENT_END, LISTED, QUERY_BEGIN, QUERY_END
from core.data.letor.letor_comments import LetorHeader, document_and_text, named_document
from core.data.letor.letor_lines import parse
from core.data.letor.value_problems import value_problem
from core.data.numbers import is_digits, is_number, read_number, read_numbers
from core.data.ranking_data import unnamed

_LINES = 4096
POSITION_COLUMNS = ("doc position",)
_UNSAID = QueryName()


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
            msg = "this line has no feature; write features as index:value"
            raise DataError(msg, file=file.name, line=line)
        line, at = first, 0
        values = block.features.tolist()
        labels = block.relevance.tolist()
        told: list[tuple[str, str, str]] = []
        for places in block.places.tolist():
            number = content[places[QUERY_BEGIN] : places[QUERY_END]].decode()
            comment = content[places[COMMENT_BEGIN] : places[COMMENT_END]].decode()
            document, text = named_document(comment), ""
            if document is None:
                document, text = document_and_text(comment)
            told.append((number, document, text))
            if texts.setdefault(number, text) != text:
                texts[number] = ""
        for row, (number, document, _) in enumerate(told):
            begin = int(block.places[row, QUERY_BEGIN])
            line += content.count(b"\n", at, begin)
            at = begin
            query = QueryName(number, header.queries.get(number, texts[number]))
            place = Place(file.name, line)
            yield LoggedRow(query, document, str(labels[row]), names[:width], values[row], place)


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


def read_feature_table(file: TextFile) -> Iterator[LoggedRow]:
    """Read a CSV with a query in every row: columns for query and document, perhaps relevance; others are features.

    Without relevance, its documents have to be joined: a column ``id`` names them where no other does. With relevance,
    ``id`` does if its first value is no number; numbers are a feature, as in a CSV that is opened alone.
    """
    rows = CsvRows(file)
    labelled = column(rows.names, RATING_COLUMNS) is not None
    return _queried(file, rows, _worded_document(rows) if labelled else document_column(rows.names))


def read_joined_table(file: TextFile) -> Iterator[LoggedRow]:
    """Read the same beside a file of judgments: a column ``id`` names documents where no other does."""
    rows = CsvRows(file)
    return _queried(file, rows, document_column(rows.names))


def _queried(file: TextFile, rows: CsvRows, document: int | None) -> Iterator[LoggedRow]:
    text, number = column(rows.names, QUERY_COLUMNS), column(rows.names, QUERY_ID_COLUMNS)
    return _table(file, rows, rows.names, (text, number, document, column(rows.names, RATING_COLUMNS)))


def _worded_document(rows: CsvRows) -> int | None:
    """The column of documents, which is ``id`` only where its first value is no number."""
    document = document_column(rows.names)
    if document is None or document == column(rows.names, DOCUMENT_COLUMNS):
        return document
    first = rows.next_cells
    return document if document < len(first) and not is_number(first[document]) else None


def read_snapshot(file: TextFile) -> Iterator[LoggedRow]:
    """Read a snapshot of Quepid: a document's position is its only feature, because a snapshot has no ratings."""
    rows = CsvRows(file)
    text, document = column(rows.names, QUERY_COLUMNS), document_column(rows.names)
    position = column(rows.names, POSITION_COLUMNS)
    for line, cells in rows:
        place = Place(file.name, line)
        told = _cell(cells, position)
        if not is_number(told):
            raise place.problem(value_problem(told))
        query = query_name(cells, text, None)
        yield LoggedRow(query, _cell(cells, document), "", ("Doc Position",), [read_number(told)], place)


def read_matrix(file: TextFile, groups: Sequence[int]) -> Iterator[LoggedRow]:
    """Read a matrix with the relevance first and without queries, as LightGBM and XGBoost do beside ``groups``.

    Parameters
    ----------
    file : TextFile
        SVMlight text, or a CSV with or without a header.
    groups : sequence of int
        How many rows each query has, in the order of the file; queries are numbered from 1.

    Raises
    ------
    DataError
        If the file has another number of rows.
    """
    queries = (str(query) for query, size in enumerate(groups, 1) for _ in range(size))
    n_rows = 0
    for row in _matrix_rows(file):
        n_rows += 1
        query = next(queries, None)
        if query is not None:
            yield row._replace(query=QueryName(query))
    if n_rows != sum(groups):
        msg = f"it has {n_rows:,} rows where the group sizes add up to {sum(groups):,}"
        raise DataError(msg, file=file.name)


def group_sizes(file: TextFile) -> list[int]:
    """Read a file ``.query`` of LightGBM or ``.group`` of XGBoost: how many rows each query has, a line each."""
    sizes = []
    for line, text in file.lines():
        if not text.strip():
            continue
        if not is_digits(text.strip()) or int(text) == 0:
            msg = f"{text.strip()[:40]!r} is not a number of rows; write a whole number above 0"
            raise DataError(msg, file=file.name, line=line)
        sizes.append(int(text))
    return sizes


def _matrix_rows(file: TextFile) -> Iterator[LoggedRow]:
    if is_svmlight(file.head):
        yield from _svmlight(file)
        return
    rows = CsvRows(file)
    names = rows.names or []
    label = column(names, RATING_COLUMNS)
    document = _worded_document(rows)
    yield from _table(file, rows, names, (None, None, document, 0 if label is None else label))


def is_svmlight(head: str) -> bool:
    """Tell whether the first line that is no comment has a feature ``index:value``."""
    first = next((line for line in head.split("\n") if line.strip() and not line.startswith("#")), "")
    words = first.split()
    return len(words) > 1 and is_digits(words[1].partition(":")[0]) and ":" in words[1]


@lru_cache(maxsize=1 << 16)
def _called(index: str) -> str:
    """The name of the feature with this index, which all rows share.

    Raises
    ------
    ValueError
        If it is no whole number.
    """
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
            msg = f"{wrong[:40]!r} is not a feature; write features as index:value"
            raise place.problem(msg) from None
        document = named_document(comment) or document_and_text(comment)[0]
        yield LoggedRow(_UNSAID, document, words[0], names, values, place)


def _table(
    file: TextFile, rows: CsvRows, names: Sequence[str], roles: tuple[int | None, int | None, int | None, int | None]
) -> Iterator[LoggedRow]:
    text, number, document, label = roles
    columns = [j for j in range(rows.width) if j not in roles]
    called = tuple(names[j] for j in columns) if names else unnamed(len(columns))
    for line, cells in rows:
        place = Place(file.name, line)
        try:
            values = list(read_numbers([cells[j] for j in columns]))
        except ValueError:
            wrong = next(j for j in columns if not is_number(cells[j]))
            shown = names[wrong] if names else str(wrong + 1)
            msg = value_problem(cells[wrong].strip(), may_name_documents=bool(names) and document is None)
            raise DataError(msg, file=file.name, line=line, column=shown) from None
        query = query_name(cells, text, number)
        yield LoggedRow(query, _cell(cells, document), _cell(cells, label), called, values, place)


def _cell(cells: Sequence[str], position: int | None) -> str:
    return "" if position is None else cells[position].strip()
