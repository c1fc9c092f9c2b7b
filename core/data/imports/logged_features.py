"""Logged features of judged documents, compact: names once, values as doubles; and the joined set as LETOR text."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import add
from typing import NamedTuple

import numpy as np

from core.data.imports.judgments import Judgments, QueryName
from core.data.imports.text_file import Place, Places
from core.data.letor.letor_comments import document_comment
from core.data.letor.value_problems import value_problem
from core.data.limits import Limits

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
