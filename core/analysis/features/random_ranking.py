"""Two baselines for a feature or a model: a random order of the documents, and random weights of all features.

They answer different questions. A random order is a ranking without any knowledge. Random non-negative weights use the
features, and that large values tend to mean relevance: where most features do, they rank far better than chance. The
red line of Lai et al. (FenchelRank, IEEE TC 2013), Fig. 1, is the second.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, get_args

import numpy as np

from core.analysis.ingredient import made_at_once
from core.data import Convention, RankingData
from core.data.division import query_order
from core.metrics import JudgedLists, Measure
from core.metrics.measures import MeasureName

Values = TypeVar("Values")
_MEASURES = tuple(Measure.parse(name) for name in get_args(MeasureName))
PAPERS_DRAWS = 10  # Lai et al. 2013 (FenchelRank), Section 1
DRAWN_DOCUMENTS = 4_000_000
"""Of all random orders of a band together: a second or two."""


@dataclass(frozen=True)
class Band:
    """A measure under random orders of the documents: its exact expectation, and the range of nine draws in ten.

    Parameters
    ----------
    expected : float
        The exact mean over all orders of the documents.
    low, high : float
        5 % and 95 % quantile of the mean over queries, over the drawn orders.
    """

    expected: float
    low: float
    high: float


@dataclass(frozen=True)
class DrawnValues:
    """Mean and range of a measure over a few random models.

    Parameters
    ----------
    mean, low, high : float
        Mean, smallest and largest value of the mean over queries, over the draws.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ByMeasure(Generic[Values]):
    """NDCG@10, MAP and Top of random rankings.

    Parameters
    ----------
    values : mapping
        By measure.
    n_draws : int
        Number of orders or models drawn.
    """

    values: Mapping[MeasureName, Values]
    n_draws: int

    def of(self, measure: MeasureName) -> Values:
        """The values of a measure."""
        return self.values[measure]


RandomOrder = ByMeasure[Band]
"""Of uniformly random orders of every query's documents."""
RandomWeights = ByMeasure[DrawnValues]
"""Of linear models with random non-negative weights that sum to 1."""


@made_at_once("Drawing random rankings")
def random_rankings(data: RankingData, convention: Convention) -> tuple[RandomOrder, RandomWeights]:
    """Draw both baselines of data, always the same; with as many random orders as take a second or two: 20 to 200."""
    n_draws = min(max(DRAWN_DOCUMENTS // data.n_documents, 20), 200)
    return random_order(data, convention, n_draws=n_draws), random_weights(data, convention)


def random_order(data: RankingData, convention: Convention, *, n_draws: int = 200) -> RandomOrder:
    """Compute bands of NDCG@10, MAP and Top under random orders of the documents, always the same ones.

    Parameters
    ----------
    n_draws : int
        At least 1.
    """
    judged = JudgedLists(data, convention)
    rng = np.random.default_rng(0)
    # Independent uniform scores put the documents of every query in a uniformly random order. Documents of a query and
    # a grade are alike, so that the order of the file has no part in what is drawn.
    place = np.argsort(query_order(data)).repeat(np.diff(data.query_offsets))
    numbers = np.argsort(np.lexsort((data.relevance, place)))
    draws = (judged.rank(rng.random(data.n_documents)[numbers]) for _ in range(n_draws))
    drawn = np.array([[ranked.mean(measure) for measure in _MEASURES] for ranked in draws])
    every_order = judged.rank(np.zeros(data.n_documents))
    # Among n irrelevant documents a relevant one is the first of n + 1 with probability 1 / (n + 1).
    first = (judged.n_relevant > 0) / (judged.sizes - judged.n_relevant + 1)
    expected = [*(every_order.mean(measure) for measure in _MEASURES[:2]), float(first.mean())]
    lows, highs = np.quantile(drawn, [0.05, 0.95], axis=0).tolist()
    bands = map(Band, expected, lows, highs)
    return RandomOrder(dict(zip(get_args(MeasureName), bands, strict=True)), n_draws)


def random_weights(data: RankingData, convention: Convention, *, n_draws: int = PAPERS_DRAWS) -> RandomWeights:
    """Compute NDCG@10, MAP and Top of random convex weightings of all features (Lai et al. 2013, FenchelRank, Fig. 1).

    The paper draws w at random, w_i >= 0 and sum_i w_i = 1, sorts the documents by descending <w, x>, ten times, and
    takes the average. It does not name the distribution; here every such w is equally likely (a flat Dirichlet
    distribution, uniform on the simplex). Features stay as they are: their scales and directions count. Tied documents
    are judged in expectation over their orders. The draws are the same at every call.

    Parameters
    ----------
    n_draws : int
        At least 1; the paper's ten by default.
    """
    judged = JudgedLists(data, convention)
    by_name = np.argsort(np.argsort(data.feature_names))
    weights = np.random.default_rng(0).dirichlet(np.ones(data.n_features), size=n_draws)[:, by_name]
    draws = (judged.rank(data.features @ w) for w in weights)
    drawn = np.array([[lists.mean(measure) for measure in _MEASURES] for lists in draws])
    values = [DrawnValues(float(of.mean()), float(of.min()), float(of.max())) for of in drawn.T]
    return RandomWeights(dict(zip(get_args(MeasureName), values, strict=True)), n_draws)
