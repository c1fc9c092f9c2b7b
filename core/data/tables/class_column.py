"""The class column of a bipartite table: its classes, and which one is positive (to be ranked on top)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError, UndecidedClassError
from core.data.nouns import AGAINST
from core.data.numbers import is_number, read_number

MOST_CLASSES = 50
"""A column with more values than this is a class column only if a person names the positive class."""
_SHOWN_CLASSES = 10


@dataclass(frozen=True, eq=False)
class ClassColumn:
    """The labels of all documents, with the names of column and file for messages.

    Parameters
    ----------
    labels : sequence of str, shape (n_documents,)
    name : str
    file : str
    """

    labels: Sequence[str]
    name: str
    file: str

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of documents of every class, sorted by class."""
        return dict(sorted(Counter(self.labels).items()))

    @property
    def usual(self) -> str | None:
        """The default positive class; None where a person has to choose.

        It is 1 where the classes are 0 and 1 or -1 and 1; otherwise the rarer of two classes, or the first in sorted
        order if both are equally frequent.
        """
        if len(self.counts) != 2:
            return None
        numbers = {read_number(text): text for text in self.counts if is_number(text)}
        if sorted(numbers) in ([0, 1], [-1, 1]):
            return numbers[1]
        return min(self.counts, key=self.counts.__getitem__)

    def positive(self, wanted: str | None = None) -> str:
        """Return the positive class: ``wanted``, or else the default.

        Raises
        ------
        DataError
            If there is no such class, no or only one class, or too many values for a class column.
        UndecidedClassError
            If there are more than two classes and ``wanted`` is None.
        """
        listing = _listing(list(self.counts))
        if wanted is not None and wanted.strip() not in self.counts:
            msg = f"there is no class {wanted!r}; the classes are {listing}"
            raise DataError(msg, file=self.file, column=self.name)
        if not self.counts:
            msg = "no row has a class; name the column that has the classes"
            raise DataError(msg, file=self.file, column=self.name)
        if len(self.counts) == 1:
            msg = f"there is only one class, {listing}; two are needed to rank one above the other"
            raise DataError(msg, file=self.file, column=self.name)
        if wanted is not None:
            return wanted.strip()
        if len(self.counts) > MOST_CLASSES:
            msg = (
                f"there are {len(self.counts)} different values, too many for classes; put the class in the last "
                "column, name it 'class' in a header, or choose its column; graded data has columns 'relevance' and "
                "'qid'"
            )
            raise DataError(msg, file=self.file, column=self.name)
        if self.usual is None:
            msg = f"there are {len(self.counts)} classes, {listing}; choose the positive one, against the rest"
            raise UndecidedClassError(msg, classes=tuple(self.counts), file=self.file, column=self.name)
        return self.usual

    def relevance(self, positive: str) -> NDArray[np.bool_]:
        """Mark the positive documents, shape (n_documents,), bool."""
        return np.array([label == positive for label in self.labels])

    def query_id(self, positive: str) -> str:
        """Return one word that says which class is ranked above which, e.g. ``"b-against-g"``."""
        others = [label for label in self.counts if label != positive]
        against = others[0] if len(others) == 1 else "rest"
        return "-".join(f"{positive} {AGAINST} {against}".split())


def _listing(classes: Sequence[str]) -> str:
    shown = ", ".join(map(repr, classes[:_SHOWN_CLASSES]))
    return f"{shown}, ..." if len(classes) > _SHOWN_CLASSES else shown
