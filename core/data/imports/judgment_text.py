"""Judgments in lines: Quepid's CSV, TREC's qrels, and judgment lists in LETOR's manner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.data.imports.csv_rows import CsvRows
from core.data.imports.judgments import Judgments, Place, QueryName
from core.data.imports.text_file import TextFile
from core.data.letor.letor_comments import LetorHeader, document_and_text, named_document

QUERY_COLUMNS = ("query", "query text", "querytext", "query_text")
QUERY_ID_COLUMNS = ("qid", "query_id", "query id", "queryid")
DOCUMENT_COLUMNS = ("docid", "doc id", "doc_id", "document_id", "document id", "document", "doc", "url")
ID_COLUMNS = ("id",)
"""It names documents where they have to be joined; in a table that has its own labels it may be a feature."""
RATING_COLUMNS = ("rating", "relevance", "label", "rel", "grade", "judgment", "judgement")


def column(names: Sequence[str], spellings: Sequence[str]) -> int | None:
    """Return the position of the first of these spellings among the names, in any case."""
    lower = [name.lower() for name in names]
    return next((lower.index(spelling) for spelling in spellings if spelling in lower), None)


def document_column(names: Sequence[str]) -> int | None:
    """Return the position of the column that names documents; ``id`` is one where no other is."""
    named = column(names, DOCUMENT_COLUMNS)
    return column(names, ID_COLUMNS) if named is None else named


def query_name(cells: Sequence[str], text: int | None, number: int | None) -> QueryName:
    """Return the query of a row from its columns for text and id."""
    return QueryName("" if number is None else cells[number].strip(), "" if text is None else cells[text].strip())


def read_judgment_table(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read a CSV with columns for query, document and rating, such as Quepid's ``query,docid,rating``.

    A row without a rating is no judgment, nor is one that ends with the query, as Quepid writes an unrated query.
    """
    rows = CsvRows(file)
    text, number = column(rows.names, QUERY_COLUMNS), column(rows.names, QUERY_ID_COLUMNS)
    document, rating = document_column(rows.names), column(rows.names, RATING_COLUMNS)
    if document is None or rating is None:
        msg = "the columns docid and rating are needed"
        raise Place(file.name, 1).problem(msg)
    for line, cells in rows.filled(min(document, rating)):
        name = query_name(cells, text, number)
        judgments.add(name, cells[document].strip(), cells[rating].strip(), Place(file.name, line))
        yield


def read_qrels(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read TREC's qrels, ``qid 0 document relevance``. A relevance below 0 counts as 0."""
    for line, text in file.lines():
        cells = text.split()
        if not cells:
            continue
        place = Place(file.name, line)
        if len(cells) != 4:
            msg = f"{len(cells)} words where qrels have four: query, 0, document, relevance"
            raise place.problem(msg)
        judgments.add(QueryName(cells[0]), cells[2], cells[3], place)
        yield


def read_letor_judgments(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read lines ``3 qid:1 # 1370 star trek``: rating, query id, document and query text, without features.

    A header ``# qid:1: star trek`` names the query first; then, or where a query has several texts, they are titles.
    """
    header = LetorHeader()
    rows: list[tuple[str, str, str, int]] = []
    texts: dict[str, str] = {}
    for line, text in file.lines():
        if header.take(text):
            continue
        place = Place(file.name, line)
        told, _, comment = text.partition("#")
        words = told.split()
        if len(words) != 2 or not words[1].startswith("qid:"):
            msg = "write a judgment as 3 qid:1 # document query text"
            raise place.problem(msg)
        number = words[1].removeprefix("qid:")
        document, query_text = document_and_text(comment)
        named = named_document(comment)
        if named is not None:
            document, query_text = named, ""
        rows.append((number, document, words[0], line))
        if texts.setdefault(number, query_text) != query_text:
            texts[number] = ""
        yield
    for number, document, rating, line in rows:
        name = QueryName(number, header.queries.get(number, texts[number]))
        judgments.add(name, document, rating, Place(file.name, line))
        yield
