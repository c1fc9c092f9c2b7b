"""With a price for every feature, branch and bound finds what enumeration finds, and its bounds hold."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, Penalty, Signed
from core.solvers import BranchAndBound, Problem, Stop, solve
from tests.oracles import FloatArray, RankSvm, ranking_problem
from tests.solvers.best_subset.enumeration import best_model, limits

N_FEATURES = 4
PROBLEMS = 5  # of each kind
EXACT = Stop(tol=1e-5)


def enumerated(pairs: RankSvm, lam: float, price: float, costs: FloatArray, signs: FloatArray) -> float:
    """The lowest objective of all sets, each with the price of its features."""
    usable = np.flatnonzero(np.isfinite(costs))
    sets = [np.array(s, dtype=int) for n in range(len(usable) + 1) for s in combinations(usable, n)]
    return min(best_model(pairs, lam, s, signs)[0] + lam * price * costs[s].sum() for s in sets)


@pytest.mark.parametrize("kind", ["count", "costs", "forced, off", "signs", "everything"])
def test_it_finds_what_enumeration_finds_and_every_bound_holds(kind: str) -> None:
    rng = np.random.default_rng(17)
    sizes = set()
    for seed in range(PROBLEMS):
        data = ranking_problem(seed, n_queries=4, n_documents=6, n_features=N_FEATURES)
        _, costs, signs = limits(kind, rng, N_FEATURES)
        lam, pairs = float(10.0 ** rng.uniform(-3.5, -1.0)), RankSvm.of(data)
        price = float(pairs.loss(np.zeros(N_FEATURES)) * rng.uniform(0.005, 0.2) / lam)
        penalty: Penalty = L0(price, costs)
        penalty = Signed(penalty, signs) if signs.any() else penalty
        fit = solve(BranchAndBound(group=1), Problem(data.features, SquaredHinge.of(data), penalty, lam), EXACT)
        best = enumerated(pairs, lam, price, costs, signs)
        sizes.add(fit.nonzero)
        assert fit.stop == "converged"
        assert fit.objective == pytest.approx(best, rel=2e-5)
        assert fit.objective == pytest.approx(pairs.loss(fit.weights) + lam * penalty.value(fit.weights), rel=1e-9)
        for point in fit.trace:
            assert point.objective - point.certificate.value <= best * (1.0 + 1e-8)
            assert point.objective >= best * (1.0 - 1e-8)
    assert len(sizes) > 1


def test_its_certificate_holds_among_all_models() -> None:
    data = ranking_problem(3)
    fit = solve(BranchAndBound(), Problem(data.features, SquaredHinge.of(data), L0(2.0), 0.01), EXACT)
    assert {point.certificate.among for point in fit.trace} == {""}
