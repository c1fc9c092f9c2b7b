"""The toy problem of Rakotomamonjy (2012, §4.1): two Gaussian classes that differ in a few of many features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data.dataset import Dataset, Fold, LastFolds
from core.data.division import split_data
from core.data.ranking_data import IntArray, RankingData
from core.data.scaling import scale_fold

N_DRAWS = 10
_TRAINING_SHARE = 0.7
TOY_PROVENANCE = (
    "Drawn as in Rakotomamonjy (2012, §4.1), ten times: two Gaussian classes that differ in 10 of 30 features, "
    "100 documents to learn from (30 of them for validation) and 1000 to test on; the covariances are W(I, 10)."
)


@dataclass(frozen=True, eq=False)
class ToyProblem:
    """Training and test data of one query each, and the relevant features.

    Attributes
    ----------
    train, test : RankingData
        Standardised: the training data has mean 0 and variance 1 in every feature, the test data is scaled alike.
    support : ndarray of int64, shape (n_relevant,)
        The relevant features, counted from 0; they come first.
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
    return Dataset(name=name, fold_names=names, convention="standard", provenance=provenance, load=LastFolds(_draw, 2))


def _draw(position: int) -> Fold:
    problem = toy_problem(seed=position)
    train, vali = split_data(problem.train, _TRAINING_SHARE, position)
    return Fold(_name(position), train, vali, problem.test)


def _name(position: int) -> str:
    return f"draw {position + 1}"
