"""Two features of some data, and the results that pictures of them need."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.analysis.ingredient import made_at_once
from core.analysis.penalties.penalty_shape import Round, penalty_of, reweighting_rounds
from core.analysis.penalties.several_starts import Minimum, StartsRun, distinct_minima, random_starts
from core.analysis.penalties.two_features import (
    RATIOS,
    Map,
    loss_map,
    redundant_pair,
    telling_pair,
    trajectory,
    two_feature_training,
)
from core.data import DataError, RankingData
from core.data.naming import columns
from core.data.ranking_data import FloatArray
from core.methods import Fit, Training, get_method


@dataclass(frozen=True, eq=False)
class FeaturePair:
    """Two features of some data, with the loss over their weights; by default of made-up data with two redundant ones.

    Attributes
    ----------
    data : RankingData, optional
        A training part.
    features : pair of str or int, optional
        By name, or by number counting from 1; by default those of `telling_pair`.
    """

    data: RankingData | None = None
    features: tuple[str | int, str | int] | None = None

    @property
    def made_up(self) -> bool:
        """Whether it is the one that is meant where none is given."""
        return self.data is None and self.features in (None, (1, 2))

    @cached_property
    def training(self) -> Training:
        """The problem of the two.

        Raises a `DataError` if they are one feature, or cannot rank, and a `ValueError` if there is no such feature.
        """
        data = redundant_pair() if self.data is None else self.data
        a, b = telling_pair(data) if self.features is None else columns(self.features, data.feature_names)
        if a == b:
            msg = f"both are {data.feature_names[a]}: give two different features"
            raise DataError(msg)
        return two_feature_training(data, (a, b))

    @property
    def names(self) -> tuple[str, str]:
        """Their names."""
        a, b = self.training.data.feature_names
        return a, b

    @property
    def used(self) -> str:
        """How much of the data stands for it; empty where that is all."""
        used = self.training.data.n_queries
        whole = used if self.data is None else self.data.n_queries
        return "" if used == whole else f"{used:,} of {whole:,} queries"

    @cached_property
    def terrain(self) -> Map:
        """The loss over their weights."""
        return loss_map(self.training)


@made_at_once("Measuring the loss")
def pair_loss(pair: FeaturePair) -> Map:
    """The loss over the weights of two features."""
    return pair.terrain


@made_at_once("Following the minima as λ falls")
def pair_minima(pair: FeaturePair, method: str, parameters: Mapping[str, float]) -> tuple[tuple[Fit, ...], ...]:
    """A method's minima at each of `RATIOS`, lowest first."""
    return trajectory(get_method(method), pair.training, parameters, RATIOS)


@made_at_once("Reweighting")
def pair_rounds(pair: FeaturePair, method: str, parameters: Mapping[str, float], ratio: float) -> tuple[Round, ...]:
    """Reweighting of two features, round by round, at a share of lambda_max.

    Raises a `ValueError` if the penalty is convex.
    """
    penalty = penalty_of(get_method(method), parameters)
    return reweighting_rounds(pair.training, penalty, pair.training.lam_at(ratio))


@made_at_once("Fitting from every start")
def pair_starts(
    pair: FeaturePair, method: str, parameters: Mapping[str, float], ratio: float, n: int, seed: int
) -> tuple[FloatArray, tuple[Minimum, ...]]:
    """Random starts on the map of two features, the first at zero, and the minima in which fits from them end.

    Returns
    -------
    starts : ndarray, shape (n, 2)
    minima : tuple of Minimum
        Lowest first.
    """
    training, terrain = pair.training, pair.terrain
    low, high = ([axis[end] for axis in (terrain.first, terrain.second)] for end in (0, -1))
    starts = random_starts(n, low, high, seed)
    fits = StartsRun(get_method(method), training, training.lam_at(ratio), starts, parameters)
    ends = fits.finish()
    return starts, distinct_minima(ends, fits.problem)
