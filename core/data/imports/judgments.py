"""Relevance of documents for queries, as judged by people or by a tool."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from core.data.errors import DataError
from core.data.letor.value_problems import relevance_problem
from core.data.limits import Limits
from core.data.tables.table_cells import whole_grade

UNRATED = frozenset({"", "-", "?", "none", "null", "nil", "nan", "na", "n/a"})
"""What tools write, in any case, where nobody rated."""
_WITH_COMMA = re.compile(r"^(-?[0-9]+),([0-9]{1,2})$")
_NOT_JUDGED = re.compile(r"-1(\.0*)?")


class Place(NamedTuple):
    """Where something stands: file, line and, in JSON, column, from 1."""

    file: str
    line: int
    column: int | None = None

    @property
    def words(self) -> str:
        """Line and column in words."""
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"

    def told_in(self, file: str) -> str:
        """Line and column in words, for a message about ``file``: with the file's name where it is another one."""
        return self.words if self.file == file else f"{self.words} of {self.file}"

    def problem(self, reason: str) -> DataError:
        """Make an error about what stands here."""
        return DataError(reason, file=self.file, line=self.line, column=self.column)


class Places:
    """The places of many rows, in their order: two numbers each, because a log may have millions."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._first_rows: list[int] = []  # of each file
        self._lines = array("q")
        self._columns = array("q")  # 0 where a place has no column

    def append(self, place: Place) -> None:
        """Add the place of the next row."""
        if not self._files or self._files[-1] != place.file:
            self._files.append(place.file)
            self._first_rows.append(len(self._lines))
        self._lines.append(place.line)
        self._columns.append(place.column or 0)

    def __getitem__(self, row: int) -> Place:
        file = self._files[bisect_right(self._first_rows, row) - 1]
        return Place(file, self._lines[row], self._columns[row] or None)


class QueryName(NamedTuple):
    """What a file calls a query: an id, its text, or both; empty where the file does not say."""

    id: str = ""
    text: str = ""


@dataclass
class Query:
    """A judged query."""

    id: str
    text: str


class Judgments:
    """Judgments of (query, document) pairs, in the order in which they come.

    A query is the same if its text is the same, or its id where one of the two has no text.

    Parameters
    ----------
    limits : Limits
        How many there may be.

    Attributes
    ----------
    queries : list of Query
    unrated : int
        Rows without a rating: it is empty or a word for nothing, as ``None``.
    not_judged : int
        Rows with the rating -1, which says that nobody judged; they are left out.
    below_zero : int
        Ratings below -1, which count as 0: TREC marks spam so.
    repeated : int
        Rows that repeat an earlier one.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.queries: list[Query] = []
        self.documents: list[str] = []
        self.ratings = array("h")
        self.query_of = array("i")
        self.unrated = 0
        self.not_judged = 0
        self.below_zero = 0
        self.repeated = 0
        self._places = Places()
        self._by_id: dict[str, int] = {}
        self._by_text: dict[str, int] = {}
        self._rows: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        return len(self.documents)

    def add(self, query: QueryName, document: str, rating: str, place: Place) -> int | None:
        """Add a judgment and return its row; None where nobody judged.

        Raises
        ------
        DataError
            If the rating is no grade, a name is empty, the pair has another rating already, or there are too many.
        """
        if not (query.id or query.text):
            msg = "the query has no name"
            raise place.problem(msg)
        if rating.lower() in UNRATED:
            self.unrated += 1
            return None
        rating = _WITH_COMMA.sub(r"\1.\2", rating)
        if _NOT_JUDGED.fullmatch(rating):
            self.not_judged += 1
            return None
        if not document:
            msg = "the document has no id"
            raise place.problem(msg)
        grade = self._grade(rating, place)
        number = self._number(query)
        row = self._rows.setdefault((number, document), len(self.documents))
        if row == len(self.documents):
            self._limits.check_rows(row + 1, place.file)
            self.documents.append(document)
            self.ratings.append(grade)
            self.query_of.append(number)
            self._places.append(place)
        elif self.ratings[row] != grade:
            msg = (
                f"document {document} of query {query.text or query.id} is rated {grade} here and "
                f"{self.ratings[row]} in {self._places[row].told_in(place.file)}; keep one of them"
            )
            raise place.problem(msg)
        else:
            self.repeated += 1
        return row

    def row(self, query: QueryName, document: str) -> int | None:
        """Return the row of a judgment; None where there is none."""
        number = self.number(query)
        return None if number is None else self._rows.get((number, document))

    def number(self, query: QueryName) -> int | None:
        """Return the number of a query that a log names; its text goes before its id."""
        for name in query[::-1]:
            if name:
                found = self._by_text.get(name)
                found = self._by_id.get(name) if found is None else found
                if found is not None:
                    return found
        return None

    def rows_without(self, logged: Iterable[int]) -> list[int]:
        """Return the judgments that are not among the rows ``logged``."""
        seen = set(logged)
        return [row for row in range(len(self.documents)) if row not in seen]

    def called(self, row: int) -> str:
        """Query and document of a judgment in words."""
        query = self.queries[self.query_of[row]]
        return f"{query.text or query.id}: {self.documents[row]}"

    def _number(self, query: QueryName) -> int:
        found = self._by_text.get(query.text) if query.text else None
        if found is None and query.id:
            found = self._by_id.get(query.id)
            if found is not None and query.text and self.queries[found].text not in ("", query.text):
                found = None
        if found is None:
            found = len(self.queries)
            self.queries.append(Query(query.id, query.text))
        if query.text:
            self._by_text.setdefault(query.text, found)
            self.queries[found].text = self.queries[found].text or query.text
        if query.id:
            self._by_id.setdefault(query.id, found)
        return found

    def _grade(self, text: str, place: Place) -> int:
        grade = whole_grade(text.removeprefix("-"))
        if grade and text.startswith("-"):
            self.below_zero += 1
            return 0
        if grade is None:
            raise place.problem(relevance_problem(text))
        return grade
