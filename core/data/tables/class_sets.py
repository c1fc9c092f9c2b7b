"""Bipartite sets that come with scikit-learn: one query; one class is positive against the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from core.data.ranking_data import FloatArray, RankingData
from core.data.tables.class_layout import ClassColumn


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Features of shape (n_documents, n_features), their names, and the class of every document."""

    features: FloatArray
    feature_names: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ClassSet:
    """A built-in set with a class for every document.

    Attributes
    ----------
    name, title, provenance, licence : str
        As in a catalogue entry.
    usual : str
        The default positive class.
    load : callable
        Loads the table; only this imports scikit-learn.
    """

    name: str
    title: str
    provenance: str
    licence: str
    usual: str
    load: Callable[[], ClassTable] = field(repr=False)

    def classes(self) -> ClassColumn:
        """Return the class of every document."""
        return ClassColumn(self.load().labels, "class", self.name)

    def read(self, positive: str | None = None) -> RankingData:
        """Return the set as ranking data, with one class positive against the rest.

        Raises a `DataError` if there is no such class.
        """
        table, classes = self.load(), self.classes()
        chosen = classes.positive(self.usual if positive is None else positive)
        return RankingData.build(
            table.features,
            classes.relevance(chosen),
            [0, len(table.labels)],
            query_ids=[classes.query_id(chosen)],
            feature_names=table.feature_names,
            document_ids=[f"sample {number}" for number in range(1, len(table.labels) + 1)],
        )


@lru_cache(maxsize=1)
def _breast_cancer() -> ClassTable:
    from sklearn.datasets import load_breast_cancer

    found = load_breast_cancer()
    return _table(found.data, found.feature_names, found.target_names[found.target])


@lru_cache(maxsize=1)
def _digits() -> ClassTable:
    from sklearn.datasets import load_digits

    found = load_digits()
    names = [f"pixel row {row}, column {column}" for row in range(1, 9) for column in range(1, 9)]
    return _table(found.data, names, found.target)


def _table(features: FloatArray, names: object, labels: object) -> ClassTable:
    return ClassTable(features, tuple(map(str, names)), tuple(map(str, labels)))  # type: ignore[call-overload]


CLASS_SETS: tuple[ClassSet, ...] = (
    ClassSet(
        "breast-cancer",
        "Breast cancer: malignant above benign",
        "Breast Cancer Wisconsin (Diagnostic) of Wolberg, Street and Mangasarian (1995), UCI Machine Learning "
        "Repository, as it comes inside scikit-learn: 569 samples of cells, measured in images; malignant (212) is "
        "positive.",
        "CC BY 4.0",
        "malignant",
        _breast_cancer,
    ),
    ClassSet(
        "digits",
        "Handwritten digits: one above the rest",
        "Optical Recognition of Handwritten Digits (test part) of Alpaydin and Kaynak (1998), UCI Machine Learning "
        "Repository, as it comes inside scikit-learn: 1797 images of 8 x 8 pixels; 0 is positive against the rest, or "
        "the digit that is chosen as positive class.",
        "CC BY 4.0",
        "0",
        _digits,
    ),
)
