"""Relevance of documents for queries, as judged by people or by a tool."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import NamedTuple

from core.data.imports.text_file import Place, Places
from core.data.letor.value_problems import relevance_problem
from core.data.limits import Limits
from core.data.tables.table_cells import whole_grade

UNRATED = frozenset({"", "-", "?", "none", "null", "nil", "nan", "na", "n/a"})
"""What tools write, in any case, where nobody rated."""
_WITH_COMMA = re.compile(r"^(-?[0-9]+),([0-9]{1,2})$")
_NOT_JUDGED = re.compile(r"-1(\.0*)?")


class QueryName(NamedTuple):
    """What a file calls a query: an id, its text, or both; empty where the file does not say."""

    id: str = ""
    text: str = ""


class Judgments:
    """Judgments of (query, document) pairs, in the order in which they come.

    A query is the same if its text is the same, or its id where one of the two has no text.

    Attributes
    ----------
    queries : list of QueryName
    counts : Counter of str
        How many rows are "unrated" (the rating is empty or a word for nothing, as ``None``) or "not_judged" (it is -1);
        both are left out. How many ratings are "below_zero", as TREC marks spam, and count as 0; and how many
        judgments are repeated ("repeated_judgments").
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.queries: list[QueryName] = []
        self.documents: list[str] = []
        self.ratings = array("h")
        self.query_of = array("i")
        self.counts = Counter[str]()
        self._places = Places()
        self._by_id: dict[str, int] = {}
        self._by_text: dict[str, int] = {}
        self._rows: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        return len(self.documents)

    def add(self, query: QueryName, document: str, rating: str, place: Place) -> int | None:
        """Add a judgment and return its row; None where nobody judged.

        Raises a `DataError` if the rating is no grade, a name is empty, or the pair has another rating already.
        """
        if not (query.id or query.text):
            place.refuse("the query has no name")
        if rating.lower() in UNRATED:
            self.counts["unrated"] += 1
            return None
        rating = _WITH_COMMA.sub(r"\1.\2", rating)
        if _NOT_JUDGED.fullmatch(rating):
            self.counts["not_judged"] += 1
            return None
        if not document:
            place.refuse("the document has no id")
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
            place.refuse(
                f"document {document} of query {query.text or query.id} is rated {grade} here and "
                f"{self.ratings[row]} in {self._places[row].told_in(place.file)}; keep one of them"
            )
        else:
            self.counts["repeated_judgments"] += 1
        return row

    def row(self, query: QueryName, document: str) -> int | None:
        """Return the row of a judgment; None where there is none."""
        for name in (query.text, query.id):  # where a log has both, the text goes first
            number = self._by_text.get(name, self._by_id.get(name)) if name else None
            if number is not None:
                return self._rows.get((number, document))
        return None

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
            self.queries.append(query)
        if query.text:
            self._by_text.setdefault(query.text, found)
            if not self.queries[found].text:
                self.queries[found] = self.queries[found]._replace(text=query.text)
        if query.id:
            self._by_id.setdefault(query.id, found)
        return found

    def _grade(self, text: str, place: Place) -> int:
        grade = whole_grade(text.removeprefix("-"))
        if grade and text.startswith("-"):
            self.counts["below_zero"] += 1
            return 0
        if grade is None:
            place.refuse(relevance_problem(text))
        return grade
