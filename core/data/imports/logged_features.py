"""Judgments, and the logged features of judged documents, compact; the joined set as LETOR text."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import add
from typing import NamedTuple

import numpy as np

from core.data.files.packed import Limits
from core.data.imports.text_file import Place, Places
from core.data.letor.letor_format import document_comment
from core.data.letor.letor_lines import relevance_problem, value_problem
from core.data.tables.table_cells import whole_grade

UNRATED = frozenset({"", "-", "?", "none", "null", "nil", "nan", "na", "n/a"})
"""What tools write, in any case, for a document without a rating."""
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
        """Add a judgment and return its row; None for a document without a rating.

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


_ROWS = 500
_NUMBERED = re.compile(r"feature ([0-9]+)")


class LoggedRow(NamedTuple):
    """The features of a document for a query, as a log has them.

    ``label`` is the relevance, where the log knows it; ``document`` is empty where it does not know the document.
    """

    query: QueryName
    document: str
    label: str
    names: tuple[str, ...]
    values: Sequence[float]
    place: Place


class LoggedFeatures:
    """Features of judgments, by the judgment's row, no more than the limits allow.

    ``names`` are all features, in the order in which logs first list them; ``rows`` the judgment of every set of them.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.names: list[str] = []
        self.rows = array("q")
        self._columns: dict[str, int] = {}
        self._patterns: dict[tuple[str, ...], int] = {}
        self._pattern_columns: list[array[int]] = []
        self._pattern_of = array("i")
        self._ends = array("q", [0])
        self._values = array("d")
        self._row_at: dict[int, int] = {}
        self._places = Places()

    @property
    def not_listed(self) -> int:
        """Number of values that a row does not list; they are 0."""
        return len(self.rows) * len(self.names) - len(self._values)

    def add(self, judgment: int, row: LoggedRow) -> bool:
        """Add a row; return False if the same has been logged already.

        Raises a `DataError` if a value is not finite, a feature is listed twice, or the pair has other values already.
        """
        values = array("d", row.values)
        if not math.isfinite(sum(values)):
            for name, value in zip(row.names, values, strict=True):
                if not math.isfinite(value):
                    row.place.refuse(f"feature {name}: {value_problem(str(value))}")
        pattern = self._patterns.get(row.names)
        if pattern is None:
            pattern = self._new_pattern(row)
        before = self._row_at.setdefault(judgment, len(self.rows))
        if before < len(self.rows):
            self._refuse_other_values(before, pattern, values, row)
            return False
        self.rows.append(judgment)
        self._pattern_of.append(pattern)
        self._values.extend(values)
        self._ends.append(len(self._values))
        self._limits.check_numbers(len(self._values), row.place.file)
        self._places.append(row.place)
        return True

    def listed(self, number: int) -> tuple[Sequence[int], Sequence[float]]:
        """Return columns (from 0) and values of the set of features with this number, in the order of `rows`."""
        columns = self._pattern_columns[self._pattern_of[number]]
        return columns, self._values[self._ends[number] : self._ends[number + 1]]

    def order(self) -> list[int]:
        """Return the columns in the order in which they are written, which does not depend on the first row.

        It is that of the rows that list all features where they agree, else by name; by number where all have only one.
        """
        columns = range(len(self.names))
        if all(map(_NUMBERED.fullmatch, self.names)):
            return sorted(columns, key=lambda j: int(self.names[j].removeprefix("feature ")))
        complete = [list(listed) for listed in self._pattern_columns if len(listed) == len(self.names)]
        return complete[0] if len(complete) == 1 else sorted(columns, key=self.names.__getitem__)

    def _new_pattern(self, row: LoggedRow) -> int:
        if len(set(row.names)) < len(row.names):
            twice = next(name for k, name in enumerate(row.names) if name in islice(row.names, k))
            row.place.refuse(f"feature {twice} is listed twice for document {row.document}")
        columns = array("i")
        for name in row.names:
            number = self._columns.setdefault(name, len(self.names))
            if number == len(self.names):
                self.names.append(name)
            columns.append(number)
        self._pattern_columns.append(columns)
        self._patterns[row.names] = len(self._pattern_columns) - 1
        return len(self._pattern_columns) - 1

    def _refuse_other_values(self, before: int, pattern: int, values: array[float], row: LoggedRow) -> None:
        here = dict(zip(self._pattern_columns[pattern], values, strict=True))
        if dict(zip(*self.listed(before), strict=True)) != here:
            where = self._places[before].told_in(row.place.file)
            row.place.refuse(f"document {row.document} has other features here than in {where}; keep one of them")


def joined_text(judgments: Judgments, features: LoggedFeatures) -> Iterator[str]:
    """Yield the text, some lines at a time.

    Lines ``#1: name`` name the features and ``# qid:1: rambo`` the queries; documents are in the comments. Queries have
    the order of the judgments, their documents that of the log. Query ids are those of the judgments where LETOR text
    can hold them, else numbers.
    """
    order = np.argsort(np.asarray(judgments.query_of)[np.asarray(features.rows)], kind="stable")
    queries = _query_ids(judgments)
    position_of = {j: position for position, j in enumerate(features.order(), 1)}
    yield "".join(f"#{position}: {' '.join(features.names[j].split())}\n" for j, position in position_of.items())
    used = dict.fromkeys(judgments.query_of[features.rows[number]] for number in order.tolist())
    texts = ((queries[number], judgments.queries[number].text) for number in used)
    yield "".join(f"# qid:{query}: {' '.join(text.split())}\n" for query, text in texts if text)
    prefixes: dict[int, tuple[list[int], list[str]]] = {}
    for begin in range(0, len(order), _ROWS):
        lines = []
        for number in order[begin : begin + _ROWS].tolist():
            listed, values = features.listed(number)
            if id(listed) not in prefixes:
                positions = [position_of[j] for j in listed]
                ascending = sorted(range(len(positions)), key=positions.__getitem__)
                prefixes[id(listed)] = ascending, [f"{positions[place]}:" for place in ascending]
            places, written = prefixes[id(listed)]
            row = features.rows[number]
            told = " ".join(map(add, written, [repr(values[place]) for place in places]))
            comment = document_comment(judgments.documents[row])
            lines.append(f"{judgments.ratings[row]} qid:{queries[judgments.query_of[row]]} {told} {comment}\n")
        yield "".join(lines)


def _query_ids(judgments: Judgments) -> list[str]:
    ids = [query.id for query in judgments.queries]
    usable = len(set(ids)) == len(ids) and all(text.split() == [text] and "#" not in text for text in ids)
    return ids if usable else [str(number) for number in range(1, len(ids) + 1)]
