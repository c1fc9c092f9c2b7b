"""Judgments, and the logged features of judged documents, compact; the joined set as LETOR text."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import add, attrgetter
from typing import NamedTuple

from core.data.files.packed import Limits
from core.data.imports.text_file import Place
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


@dataclass(slots=True, eq=False)
class Pair:
    """A judged document of a query; with its features, by numbers of their names, and their place, once it is logged.

    ``query`` is the number of the query, from 0.
    """

    query: int
    document: str
    rating: int
    place: Place
    columns: Sequence[int] = ()
    values: Sequence[float] = ()
    logged: Place | None = None


class Judgments:
    """Judgments of (query, document) pairs, in the order in which they come.

    A query is the same if its text is the same, or its id where one of the two has no text. Of rows, ``counts`` says
    how many are "unrated" (the rating is empty or a word for nothing, as ``None``) or "not_judged" (it is -1), both
    left out; how many ratings are "below_zero", as TREC marks spam, and count as 0; and how many judgments are
    repeated ("repeated_judgments").
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.queries: list[QueryName] = []
        self.pairs: list[Pair] = []
        self.counts = Counter[str]()
        self._by_id: dict[str, int] = {}
        self._by_text: dict[str, int] = {}
        self._known: dict[tuple[int, str], Pair] = {}

    def add(self, query: QueryName, document: str, rating: str, place: Place) -> Pair | None:
        """Add a judgment and return its pair; None for a document without a rating.

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
        new = Pair(self._number(query), document, self._grade(rating, place), place)
        pair = self._known.setdefault((new.query, document), new)
        if pair is new:
            self._limits.check_rows(len(self._known), place.file)
            self.pairs.append(pair)
        elif pair.rating != new.rating:
            place.refuse(
                f"document {document} of query {query.text or query.id} is rated {new.rating} here and "
                f"{pair.rating} in {pair.place.told_in(place.file)}; keep one of them"
            )
        else:
            self.counts["repeated_judgments"] += 1
        return pair

    def find(self, query: QueryName, document: str) -> Pair | None:
        """Return the pair of a judgment; None where there is none."""
        for name in (query.text, query.id):  # where a log has both, the text goes first
            number = self._by_text.get(name, self._by_id.get(name)) if name else None
            if number is not None:
                return self._known.get((number, document))
        return None

    def called(self, pair: Pair) -> str:
        """Query and document of a judgment in words."""
        query = self.queries[pair.query]
        return f"{query.text or query.id}: {pair.document}"

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
    """Features of judged documents, no more than the limits allow; ``pairs`` are the documents that have some."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.pairs: list[Pair] = []
        self._numbers: dict[str, int] = {}
        self._patterns: dict[tuple[str, ...], array[int]] = {}
        self._n_values = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All features, in the order in which logs first list them."""
        return tuple(self._numbers)

    @property
    def not_listed(self) -> int:
        """Number of values that a row does not list; they are 0."""
        return len(self.pairs) * len(self._numbers) - self._n_values

    def add(self, pair: Pair, row: LoggedRow) -> bool:
        """Add a row; return False if the same has been logged already.

        Raises a `DataError` if a value is not finite, a feature is listed twice, or the pair has other values already.
        """
        values = array("d", row.values)
        if not math.isfinite(sum(values)):
            for name, value in zip(row.names, values, strict=True):
                if not math.isfinite(value):
                    row.place.refuse(f"feature {name}: {value_problem(str(value))}")
        columns = self._patterns.get(row.names) or self._new_pattern(row)
        if pair.logged is not None:
            if dict(zip(pair.columns, pair.values, strict=True)) != dict(zip(columns, values, strict=True)):
                where = pair.logged.told_in(row.place.file)
                row.place.refuse(f"document {row.document} has other features here than in {where}; keep one of them")
            return False
        pair.columns, pair.values, pair.logged = columns, values, row.place
        self.pairs.append(pair)
        self._n_values += len(values)
        self._limits.check_numbers(self._n_values, row.place.file)
        return True

    def order(self) -> list[int]:
        """Return the columns in the order in which they are written, which does not depend on the first row.

        It is that of the rows that list all features where they agree, else by name; by number where all have only one.
        """
        names = self.names
        columns = range(len(names))
        if all(map(_NUMBERED.fullmatch, names)):
            return sorted(columns, key=lambda j: int(names[j].removeprefix("feature ")))
        complete = [list(listed) for listed in self._patterns.values() if len(listed) == len(names)]
        return complete[0] if len(complete) == 1 else sorted(columns, key=names.__getitem__)

    def _new_pattern(self, row: LoggedRow) -> array[int]:
        if len(set(row.names)) < len(row.names):
            twice = next(name for k, name in enumerate(row.names) if name in islice(row.names, k))
            row.place.refuse(f"feature {twice} is listed twice for document {row.document}")
        columns = array("i")
        for name in row.names:
            columns.append(self._numbers.setdefault(name, len(self._numbers)))
        self._patterns[row.names] = columns
        return columns


def joined_text(judgments: Judgments, features: LoggedFeatures) -> Iterator[str]:
    """Yield the text, some lines at a time.

    Lines ``#1: name`` name the features and ``# qid:1: rambo`` the queries; documents are in the comments. Queries have
    the order of the judgments, their documents that of the log. Query ids are those of the judgments where LETOR text
    can hold them, else numbers.
    """
    pairs = sorted(features.pairs, key=attrgetter("query"))
    queries = _query_ids(judgments)
    names, position_of = features.names, {j: position for position, j in enumerate(features.order(), 1)}
    yield "".join(f"#{position}: {' '.join(names[j].split())}\n" for j, position in position_of.items())
    texts = (
        (queries[number], judgments.queries[number].text) for number in dict.fromkeys(pair.query for pair in pairs)
    )
    yield "".join(f"# qid:{query}: {' '.join(text.split())}\n" for query, text in texts if text)
    prefixes: dict[int, tuple[list[int], list[str]]] = {}
    for begin in range(0, len(pairs), _ROWS):
        lines = []
        for pair in pairs[begin : begin + _ROWS]:
            if id(pair.columns) not in prefixes:
                positions = [position_of[j] for j in pair.columns]
                ascending = sorted(range(len(positions)), key=positions.__getitem__)
                prefixes[id(pair.columns)] = ascending, [f"{positions[place]}:" for place in ascending]
            places, written = prefixes[id(pair.columns)]
            told = " ".join(map(add, written, [repr(pair.values[place]) for place in places]))
            lines.append(f"{pair.rating} qid:{queries[pair.query]} {told} {document_comment(pair.document)}\n")
        yield "".join(lines)


def _query_ids(judgments: Judgments) -> list[str]:
    ids = [query.id for query in judgments.queries]
    usable = len(set(ids)) == len(ids) and all(text.split() == [text] and "#" not in text for text in ids)
    return ids if usable else [str(number) for number in range(1, len(ids) + 1)]
