"""Changes by hand of weights, and of values of single documents, as one value that an address can hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
_ONE = re.compile(r"w(\d+)=(\S+)|d(\d+)\.(\d+)=(\S+)")


@dataclass(frozen=True)
class Edits:
    """New weights, and new values of documents of one query.

    Attributes
    ----------
    weights : tuple of (int, float)
        Columns, from 0, with their new weights.
    values : tuple of (int, int, float)
        Documents (from 0, in the order of the file) and columns, with their new values.
    """

    weights: tuple[tuple[int, float], ...] = ()
    values: tuple[tuple[int, int, float], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.weights or self.values)

    @property
    def of_model(self) -> Edits:
        """Those of weights alone, which hold for every query."""
        return Edits(self.weights)

    def model(self, weights: FloatArray) -> FloatArray:
        """Return the weights with those changed."""
        changed = weights.copy()
        for j, weight in self.weights:
            changed[j] = weight
        return changed

    def features(self, values: NDArray[np.floating]) -> FloatArray:
        """Return the features of the query's documents, shape (n_documents, n_features), with those changed."""
        changed = np.array(values, dtype=np.float64)
        for document, j, value in self.values:
            changed[document, j] = value
        return changed

    def text(self) -> str:
        """Write them as `read_edits` reads them, for example ``w3=0.5;d1.3=0.25``; all count from 1."""
        weights = [f"w{j + 1}={weight!r}" for j, weight in self.weights]
        return ";".join(weights + [f"d{i + 1}.{j + 1}={value!r}" for i, j, value in self.values])


def read_edits(text: str, n_documents: int, n_features: int) -> Edits:
    """Read edits; what names no document or feature that is there, or no finite number, is left out."""
    weights: dict[int, float] = {}
    values: dict[tuple[int, int], float] = {}
    for part in text.split(";"):
        found = _ONE.fullmatch(part.strip())
        if found is None:
            continue
        number = _number(found[2] or found[5])
        column = int(found[1] or found[4]) - 1
        document = 0 if found[3] is None else int(found[3]) - 1
        if number is None or not 0 <= column < n_features or not 0 <= document < n_documents:
            continue
        if found[3] is None:
            weights[column] = number
        else:
            values[document, column] = number
    return edits_of(weights.items(), ((i, j, value) for (i, j), value in values.items()))


def edits_of(weights: Iterable[tuple[int, float]], values: Iterable[tuple[int, int, float]]) -> Edits:
    """Make edits from any order."""
    return Edits(tuple(sorted(weights)), tuple(sorted(values)))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
