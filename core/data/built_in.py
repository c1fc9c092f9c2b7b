"""Data that comes with the program: scikit-learn's sets with classes, and the toy problem of the infinite push."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from core.data.dataset import Dataset, Fold, LastFolds
from core.data.division import split_data
from core.data.ranking_data import FloatArray, IntArray, RankingData
from core.data.scaling import scale_fold
from core.data.tables.class_layout import ClassColumn

ClassTable = tuple[FloatArray, tuple[str, ...], tuple[str, ...]]
"""Features of shape (n_documents, n_features), their names, and the class of every document."""


@dataclass(frozen=True)
class ClassSet:
    """A built-in set with a class for every document, described as a catalogue entry is.

    ``usual`` is the default positive class; only ``load``, which returns the table, imports scikit-learn.
    """

    name: str
    title: str
    provenance: str
    licence: str
    usual: str
    load: Callable[[], ClassTable] = field(repr=False)

    def classes(self) -> ClassColumn:
        """Return the class of every document."""
        return ClassColumn(self.load()[2], "class", self.name)

    def read(self, positive: str | None = None) -> RankingData:
        """Return the set as ranking data, with one class positive against the rest.

        Raises a `DataError` if there is no such class.
        """
        (features, names, labels), classes = self.load(), self.classes()
        chosen = classes.positive(self.usual if positive is None else positive)
        return RankingData.build(
            features,
            classes.relevance(chosen),
            [0, len(labels)],
            query_ids=[classes.query_id(chosen)],
            feature_names=names,
            document_ids=[f"sample {number}" for number in range(1, len(labels) + 1)],
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
    return features, tuple(map(str, names)), tuple(map(str, labels))  # type: ignore[call-overload]


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


N_DRAWS = 10
_TRAINING_SHARE = 0.7
TOY_PROVENANCE = (
    "Drawn as in Rakotomamonjy (2012, §4.1), ten times: two Gaussian classes that differ in 10 of 30 features, "
    "100 documents to learn from (30 of them for validation) and 1000 to test on; the covariances are W(I, 10)."
)


@dataclass(frozen=True, eq=False)
class ToyProblem:
    """Training and test data of one query each, and the relevant features.

    The training data has mean 0 and variance 1 in every feature, the test data is scaled alike. ``support``, shape
    (n_relevant,), are the relevant features, counted from 0; they come first.
    """

    train: RankingData
    test: RankingData
    support: IntArray


def toy_problem(
    *, n_relevant: int = 10, n_features: int = 30, n_train: int = 100, n_test: int = 1000, seed: int = 0
) -> ToyProblem:
    """Draw a toy problem.

    In the relevant features the classes are Gaussian with means mu and -mu, mu drawn from {-1, +1}^r, and each class
    has its own covariance, drawn from a Wishart distribution. The paper does not give its parameters. Here it is W_r(I,
    r): scale I and r degrees of freedom, the fewest with which the covariance is not singular. With them the rate of
    positives on top rises with the examples as in Figure 1 (a logistic model, r = 10, d = 30: 0.1 at 40, 0.4 at 100,
    0.5 at 1000); scaled to mean I, the classes would be separable. The other features are independent standard
    Gaussians in both classes. Both classes are equally frequent, and documents stand in random order.

    Parameters
    ----------
    n_relevant : int
        r.
    n_features : int
        d, relevant ones included.
    n_train, n_test : int
        Number of documents, at least 2 each.
    seed : int
        The same seed gives the same problem. Problems of one seed share mu and both covariances if they share r, and
        the test documents (but for scaling) if they share d, too.

    Raises
    ------
    ValueError
        If ``n_relevant`` is not from 1 to ``n_features``, or a part has fewer than two documents.
    """
    if not 1 <= n_relevant <= n_features:
        msg = f"{n_relevant} of {n_features} features cannot be relevant; give a number from 1 to {n_features}"
        raise ValueError(msg)
    if min(n_train, n_test) < 2:
        msg = f"{n_train} training and {n_test} test documents are too few: both sets need each class"
        raise ValueError(msg)
    shape, *draws = np.random.default_rng(seed).spawn(3)
    mu = shape.choice([-1.0, 1.0], n_relevant)
    # A standard Gaussian row times Z has the covariance Z'Z, which is Wishart for a Gaussian Z.
    factors = shape.standard_normal((2, n_relevant, n_relevant))
    names = [f"relevant {j}" for j in range(1, n_relevant + 1)]
    names += [f"noise {j}" for j in range(1, n_features - n_relevant + 1)]

    def documents(n: int, draw: np.random.Generator) -> RankingData:
        relevance = draw.permutation(np.arange(n) % 2)
        features = draw.standard_normal((n, n_features))
        for grade, centre in enumerate((-mu, mu)):
            rows = relevance == grade
            features[rows, :n_relevant] = centre + features[rows, :n_relevant] @ factors[grade]
        return RankingData.build(
            features, relevance, [0, n], query_ids=["positive-against-negative"], feature_names=names
        )

    train, test = (documents(n, draw) for n, draw in zip((n_train, n_test), draws, strict=True))
    parts = scale_fold(Fold("toy", train, test=test), "standard").parts()
    return ToyProblem(parts["train"], parts["test"], np.arange(n_relevant))


def open_toy(name: str, provenance: str) -> Dataset:
    """Return ten draws of the toy problem (seeds 0 to 9, r = 10, d = 30) as the folds of a dataset.

    As in the paper, hyperparameters are chosen on a random 30 % of the 100 training documents.
    """
    names = tuple(map(_name, range(N_DRAWS)))
    return Dataset(name=name, fold_names=names, convention="standard", provenance=provenance, load=LastFolds(_draw))


def _draw(position: int) -> Fold:
    problem = toy_problem(seed=position)
    train, vali = split_data(problem.train, _TRAINING_SHARE, position)
    return Fold(_name(position), train, vali, problem.test)


def _name(position: int) -> str:
    return f"draw {position + 1}"
