"""Training data with its loss, and the recipe by which a family of methods makes its loss."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, DataError, RankingData
from core.data.copies import equal_columns
from core.data.missing import refuse_gaps
from core.losses import Loss, SquaredHinge
from core.penalties import L1, L2On, L2OnSelected, Penalty
from core.solvers import Problem, ProximalNewton, Solver
from core.solvers.certificates import dual_point_with_exempt
from core.solvers.problem import SLOPE_ROUNDING, AtZero, Units, units_of, without_offsets

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
T = TypeVar("T")


class EmptyOptimumError(DataError):
    """The empty model is optimal at every lambda; the message says why.

    Parameters
    ----------
    way_out : mapping
        Parameters of the method with which another model is optimal; empty if there are none.
    """

    def __init__(self, reason: str, way_out: Mapping[str, float] | None = None) -> None:
        self.way_out = dict(way_out or {})
        super().__init__(reason)


@dataclass(frozen=True, eq=False, kw_only=True)
class LossRecipe:
    """How a family of methods makes and uses its loss.

    Attributes
    ----------
    make : callable
        Takes the data and a method's parameters, returns the loss.
    parameters : tuple of str
        Names of the parameters that the loss depends on.
    largest_lam : callable
        Takes the training data with its loss and a penalty, returns the smallest lambda at which the l1 model with the
        penalty's prices and signs keeps no feature that has a price; lambda_max for the plain `L1`.
    explain_empty : callable
        Takes data and loss, returns the error that explains why lambda_max is 0.
    l1_solver : Solver
        Solver of the l1 problem that starts the reweighting of a concave penalty.
    convex : bool
        Whether the loss is convex. Only then does a lambda_max of 0 prove that the empty model is optimal.
    """

    make: Callable[[RankingData, Mapping[str, float]], Loss]
    parameters: tuple[str, ...] = ()
    largest_lam: Callable[[Training, Penalty], float]
    explain_empty: Callable[[RankingData, Loss], DataError]
    l1_solver: Solver = field(default_factory=ProximalNewton)
    convex: bool = True


@dataclass(frozen=True, eq=False)
class Training:
    """Training data with its loss: everything that does not depend on penalty, C or solver.

    Parameters
    ----------
    loss : Loss
        The loss of these documents.
    recipe : LossRecipe
        The recipe that made the loss.
    convention : {"standard", "letor3", "letor4"}
        Metric convention of the data; filters judge features by it.
    counted_terms : int, optional
        Terms by which C counts; by default those of the loss. A sample counts those of its whole data, so that a C
        means the same lambda on both.
    """

    data: RankingData
    loss: Loss
    recipe: LossRecipe
    convention: Convention = "standard"
    counted_terms: int | None = None
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of ``make``, computed on the first call with this key.

        It is for quantities that do not depend on C, such as those of filters.
        """
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept

    def on_selected(self, key: Hashable, select: Callable[[], Iterator[IntArray]]) -> L2On:
        """Return the l2 penalty on the features that ``select`` finds, in parts; those found with this key are kept."""
        return L2On(self._kept[key]) if key in self._kept else L2OnSelected(self.in_parts(key, select))

    def in_parts(self, key: Hashable, make: Callable[[], Iterator[T]]) -> Iterator[T]:
        """Yield what ``make`` yields; once its last item is there, that item alone. It is `once` for long work."""
        if key in self._kept:
            yield self._kept[key]
            return
        last: list[T] = []
        for item in make():
            last[:] = [item]
            yield item
        self._kept.update((key, item) for item in last)

    @cached_property
    def fingerprint(self) -> str:
        """That of the data, with the loss, its parameters, the convention and the terms that C counts."""
        recipe, kind = self.recipe.make, type(self.loss)
        loss = [recipe.__module__, recipe.__qualname__, kind.__qualname__]
        settings = [(name, float(getattr(self.loss, name))) for name in self.recipe.parameters]
        return f"{self.data.fingerprint} {loss} {settings} {self.convention} {self.counted_terms}"

    @cached_property
    def copies(self) -> tuple[tuple[int, ...], ...]:
        """Groups of columns with the same value in every document; see `core.data.copies.equal_columns`."""
        return equal_columns([self.data.features])

    @cached_property
    def features(self) -> NDArray[np.floating]:
        """What problems are made of: see `without_offsets`."""
        return without_offsets(self.data)

    @cached_property
    def units(self) -> Units | None:
        """Units in which fits are solved; see `units_of`."""
        return units_of(self.data)

    def problem(self, penalty: Penalty, lam: float) -> Problem:
        """Return the problem of this data and loss with a penalty."""
        return Problem(self.features, self.loss, penalty, lam, units=self.units)

    @cached_property
    def lam_max(self) -> float:
        """Smallest lambda at which the l1 model is empty; 0 if it is empty at every lambda."""
        return self.recipe.largest_lam(self, L1())

    @cached_property
    def at_zero(self) -> AtZero:
        """The loss of the empty model, if it has a gradient: lambda_max follows, and fits of a large X start there."""
        return AtZero.of(self.features if self.units is None else self.units.features, self.loss)

    @property
    def knows_lam_max(self) -> bool:
        """Whether `lam_max` is at hand."""
        return "lam_max" in vars(self)

    @cached_property
    def empty(self) -> DataError:
        """The error that explains why the empty model is optimal at every lambda, where lambda_max is 0."""
        return self.recipe.explain_empty(self.data, self.loss)

    @property
    def n_terms(self) -> int:
        """The number of terms by which C counts."""
        return self.loss.n_terms if self.counted_terms is None else self.counted_terms

    def c_of(self, lam: float) -> float:
        """Compute C = 1 / (lambda n_terms); n_terms is P for RankSVM, as in Laporte et al. (2014, eq. 7)."""
        return 1.0 / (lam * self.n_terms)

    def lam_of(self, c: float) -> float:
        """Compute lambda = 1 / (C n_terms).

        Raises a `ValueError` if C is not a positive number, or beyond the range of double precision.
        """
        return lam_of_c(c, self.n_terms)

    def lam_at(self, ratio: float) -> float:
        """Compute lambda from its share of lambda_max.

        Raises a `ValueError` if the ratio is not a positive number, and a `DataError` if lambda_max is 0; an
        `EmptyOptimumError` if that is a result and not an error in the data.
        """
        if not (np.isfinite(ratio) and ratio > 0):
            msg = f"lambda / lambda_max must be a positive number, not {ratio:g}"
            raise ValueError(msg)
        if self.lam_max == 0.0:
            raise self.empty
        return ratio * self.lam_max


def lam_of_c(c: float, n_terms: int) -> float:
    """Compute lambda = 1 / (C n_terms); see `Training.lam_of`."""
    if not (np.isfinite(c) and c > 0):
        msg = f"C must be a positive number, not {c:g}"
        raise ValueError(msg)
    scaled = c * n_terms
    if not (np.isfinite(scaled) and np.isfinite(1.0 / scaled)):
        msg = f"C = {c:g} is too extreme to compute with; use a value nearer to 1"
        raise ValueError(msg)
    return 1.0 / scaled


LARGEST_VALUE = 1e50
"""Solvers take products of up to four values, and sums over all pairs; beyond this they leave double precision."""


def refuse_extreme_values(data: RankingData) -> None:
    """Refuse features whose values are too large to compute with, or all too small.

    Raises
    ------
    DataError
        With the feature and the way out.
    """
    lowest, highest = data.value_range
    if max(-lowest, highest) <= LARGEST_VALUE and highest - lowest >= 1.0 / LARGEST_VALUE and data.is_even:
        return  # as nearly always, and the ends of every feature are slow to find
    low, high = (end.astype(np.float64) for end in (data.ranges.low, data.ranges.high))
    largest = np.maximum(-low, high)
    way_out = "scale the features first, for instance to mean 0 and deviation 1 (standard)"
    refuse_gaps(data)
    if largest.max() > LARGEST_VALUE:
        j = int(largest.argmax())
        msg = (
            f"feature {data.feature_names[j]!r} has values up to {largest[j]:.0e}, too large to compute with (at most "
            f"{LARGEST_VALUE:g}); {way_out}"
        )
        raise DataError(msg)
    span = (high - low).max()
    if 0 < span < 1.0 / LARGEST_VALUE:
        msg = (
            f"the values of every feature differ by at most {span:.0e}, too little to compute with (at least "
            f"{1.0 / LARGEST_VALUE:g}); {way_out}"
        )
        raise DataError(msg)


@contextmanager
def enough_precision() -> Iterator[None]:
    """Say what is wrong with the data where a system of equations cannot be solved.

    Raises
    ------
    DataError
        With the way out.
    """
    try:
        yield
    except np.linalg.LinAlgError:
        msg = (
            "the features' values differ so much in size that double precision does not suffice for this method; "
            "scale the features first, for instance to mean 0 and deviation 1 (standard)"
        )
        raise DataError(msg) from None


def steepest_slope(training: Training, penalty: Penalty) -> float:
    """Compute the largest |dL/dw_j| over the price of feature j; 0 where no feature with a price helps.

    The slopes are those at w = 0 or, where features pay nothing, at the best model of these alone. A slope towards the
    sign that a weight may not have does not count. For the plain `L1` this is lambda_max, ||dL/dw at 0||_inf.
    """
    at_zero, units, n = training.at_zero, training.units, training.data.n_features
    slope, exempt = at_zero.found.gradient, penalty.exempt(n)
    if exempt.any():
        problem = Problem(at_zero.features, training.loss, penalty, 1.0)
        found = dual_point_with_exempt(problem, np.zeros(n), exempt)
        slope = slope if found is None else found[1]
    allowed = np.where(penalty.signs(n) * slope > 0.0, 0.0, np.abs(slope))
    steep = allowed * (1.0 if units is None else units.powers)
    data = training.data
    reach = max(map(abs, data.value_range)) if data.is_even else 2.0 * data.ranges.within.astype(np.float64)
    noise = 0.1 * SLOPE_ROUNDING * reach * at_zero.found.score_slope  # what constant features leave
    prices = np.where(exempt, np.inf, penalty.first_weights(n))
    return float((np.where(steep > noise, steep, 0.0) / prices).max(initial=0.0))


def _squared_hinge(data: RankingData, parameters: Mapping[str, float]) -> Loss:
    return SquaredHinge.of(data)


def _no_feature_helps(data: RankingData, loss: Loss) -> DataError:
    return DataError(
        "no feature differs, on average, between documents that are preferred and those they are preferred to, so the "
        "empty model is optimal at every lambda; check that the features vary within queries"
    )


RANKSVM_LOSS = LossRecipe(make=_squared_hinge, largest_lam=steepest_slope, explain_empty=_no_feature_helps)
