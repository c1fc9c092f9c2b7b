"""Logged features of judged documents, compact: names once, values as doubles."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from core.data.imports.judgments import Place, Places, QueryName
from core.data.letor.value_problems import value_problem
from core.data.limits import Limits


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
    """Features of judgments, by the judgment's row.

    Parameters
    ----------
    limits : Limits
        How many values there may be.

    Attributes
    ----------
    names : list of str
        All features, in the order in which logs first list them.
    rows : array of int
        The judgment of every set of features.
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

        Raises
        ------
        DataError
            If a value is not finite, a feature is listed twice, other values have been logged for the pair, or there
            are too many values.
        """
        values = array("d", row.values)
        if not math.isfinite(sum(values)):
            for name, value in zip(row.names, values, strict=True):
                if not math.isfinite(value):
                    msg = f"feature {name}: {value_problem(str(value))}"
                    raise row.place.problem(msg)
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

    def complete_orders(self) -> list[list[int]]:
        """Return the orders in which rows list all features, each once."""
        return [list(columns) for columns in self._pattern_columns if len(columns) == len(self.names)]

    def _new_pattern(self, row: LoggedRow) -> int:
        if len(set(row.names)) < len(row.names):
            twice = next(name for k, name in enumerate(row.names) if name in islice(row.names, k))
            msg = f"feature {twice} is listed twice for document {row.document}"
            raise row.place.problem(msg)
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
        columns, kept = self.listed(before)
        if dict(zip(columns, kept, strict=True)) == dict(zip(self._pattern_columns[pattern], values, strict=True)):
            return
        where = self._places[before].told_in(row.place.file)
        msg = f"document {row.document} has other features here than in {where}; keep one of them"
        raise row.place.problem(msg)
