"""Reweighted l2: features scaled by their last weights until few are left (Laporte, Déjean & Mothe 2014, CORIA)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.penalties import L2, L2Survivors
from core.solvers.base import IN_ROUND, Certificate, Iterate, until_standstill
from core.solvers.newton.newton import Newton
from core.solvers.problem import FloatArray, Problem

NOWHERE = Certificate("stationarity", np.inf, np.inf, among=IN_ROUND)  # before the first step nothing is known
ROUND_TOL = 1e-4  # relative gap at which a round ends; the last fit has no such limit
MOST_ROUNDS = 200  # after which they count as settled
SETTLED = 1e-2  # the rounds have, when one drops nothing and changes no weight by more than this share
Rule = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Reweighting:
    """The rule of a round, given w, the weights of the features scaled by v; the features' own weights are w v.

    Attributes
    ----------
    scale : callable
        Maps (w, v) to the next round's v.
    size : callable
        Maps (w, v) to the values that are compared with the null threshold.
    """

    scale: Rule
    size: Rule


def _product(w: FloatArray, v: FloatArray) -> FloatArray:
    return np.abs(w * v)


def _root_of_product(w: FloatArray, v: FloatArray) -> FloatArray:
    return np.sqrt(np.abs(w * v))


def _own_weight(w: FloatArray, v: FloatArray) -> FloatArray:
    return np.abs(w)


TOWARDS_L1 = Reweighting(scale=_root_of_product, size=_product)  # eq. 5
TOWARDS_L0 = Reweighting(scale=_product, size=_product)  # eq. 6
AROM = Reweighting(scale=_product, size=_own_weight)  # section 2.2: x <- w x; the sign of a scale changes nothing


@dataclass(frozen=True)
class ReweightedL2:
    """Algorithm 1: fit the l2 model of the scaled features, scale by its weights, drop null features, repeat.

    In w, the weights of the features themselves, a round minimises L(w) + (lam/2) sum_j (w_j / v_j)^2. Let u be the
    last round's weights. With v_j^2 = |u_j| this is a majoriser of L + lam ||w||_1 that touches it at u (up to a
    constant); with v_j^2 = u_j^2 it is one of L + lam sum_j log |w_j|, the paper's stand-in for lam ||w||_0. So the
    first never increases under eq. 5 and the second never under eq. 6 and AROM, whose scales are the same. AROM only
    compares another weight with the threshold, that of the scaled feature, and mostly drops a feature a round later.
    The second function has no minimum (it decreases without end as a weight goes to 0). Its rounds select features, and
    the result depends on the start, the l2 model.

    The certificate covers the last fit alone: the l2 model of the survivors, with a duality gap of the problem on their
    columns. It does not compare with other sets of as many features.

    The paper's loop ends when at most r features are left. It would never end if fewer features than that fall below
    the threshold (the l1 model may have more than r). So the rounds also end when they have settled, up to the accuracy
    of a round, and the r largest weights stay. If all features fall below the threshold in one round, the model is
    empty. Where features' ranges differ widely, a weight is compared with the threshold in units that bring the ranges
    together (see `core.solvers.problem.Units`).
    """

    id: ClassVar[str] = "reweighted-l2"
    title: ClassVar[str] = "reweighted ℓ2"
    explanation: ClassVar[str] = (
        "Fits the ℓ2 model, scales every feature by a function of its weight, drops those whose weight is null, and "
        "fits again, until few enough are left. Then it fits the ℓ2 model of these features, unscaled. A round takes "
        "about two Newton steps."
    )

    rule: Reweighting

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, L2Survivors):
            return "reweighted ℓ2 is for the ℓ2 penalty on the features that survive it"
        return Newton().accepts(replace(problem, penalty=L2()))

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """Iterate from zero, whatever the start: the first round's weights decide which features are left later."""
        assert isinstance(problem.penalty, L2Survivors)
        keep, null = problem.penalty.keep, problem.penalty.null
        left, scale = np.arange(problem.n_features), np.ones(problem.n_features)
        units = unit = problem.weight_units
        reached = Iterate(-1, np.zeros(problem.n_features), np.inf, NOWHERE, 0.0)
        for _ in range(MOST_ROUNDS):
            if len(left) <= keep:
                break
            before = reached.weights[left]
            for iterate in self._fit(problem, left, scale, reached):
                reached = iterate
                yield iterate
                if iterate.certificate.relative <= ROUND_TOL:
                    break
            weights = reached.weights[left]
            survive = self.rule.size(weights / scale, scale) > null / unit
            settled = bool(survive.all()) and np.all(np.abs(weights - before) <= SETTLED * np.abs(before))
            left, scale = left[survive], self.rule.scale(weights / scale, scale)[survive]
            # A weight of a feature that its last weight has scaled has no unit any more.
            unit = unit[survive] if self.rule.size is _product else np.ones(len(left))
            if settled:
                break
        largest = np.argsort(-np.abs(reached.weights[left] * units[left]), kind="stable")  # of equal ones the first
        left = left[np.sort(largest[:keep])]
        among = problem.penalty.among if len(left) < problem.n_features else ""
        for iterate in self._fit(problem, left, np.ones(len(left)), reached):
            yield replace(iterate, provisional=False, certificate=replace(iterate.certificate, among=among))

    def _fit(self, problem: Problem, left: NDArray[np.int64], scale: FloatArray, reached: Iterate) -> Iterator[Iterate]:
        """Fit the l2 model of the remaining scaled features from the end of the last fit; the iterates report F."""
        scaled = problem.features.take(left, axis=1).astype(np.float64, copy=False)
        scaled *= scale
        within = replace(problem, features=scaled, penalty=L2())
        share = len(left) / problem.n_features  # of a pass over X
        for iterate in until_standstill(Newton().iterate(within, reached.weights[left] / scale)):
            w = np.zeros(problem.n_features)
            w[left] = iterate.weights * scale
            yield replace(
                iterate,
                step=reached.step + 1 + iterate.step,
                weights=w,
                objective=iterate.objective + 0.5 * problem.lam * float(w @ w - iterate.weights @ iterate.weights),
                passes=reached.passes + share * (1.0 + iterate.passes),
                certificate=replace(iterate.certificate, among=IN_ROUND),
                provisional=True,
            )
