"""Solvers of convex problems end at the optimum over explicit pairs, with a gap that is true at every step.

The exact line search finds what minimising over explicit pairs finds, in a handful of sweeps.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from core.losses import SquaredHinge
from core.penalties import L1, L2, Penalty
from core.solvers import (
    Fista,
    FistaFixed,
    FitResult,
    Newton,
    Problem,
    ProximalNewton,
    Solver,
    Stop,
    Subgradient,
    TruncatedGradient,
    solve,
)
from core.solvers.line_search import exact_step
from tests.oracles import FloatArray, Pairs, optimum, optimum_l2, ranking_problem
from tests.solvers.limits import ALL_PAIRS, LAM_MAX, LIMITS, LOSS, SMALL, Counting, D, limited

from_anywhere = pytest.mark.parametrize("afar", [False, True], ids=["from zero", "from afar"])


@cache
def best_l1(limits: str, lam: float) -> tuple[FloatArray, float]:
    return optimum(ALL_PAIRS, lam, *LIMITS[limits])


def fit(solver: Solver, penalty: Penalty, lam: float, stop: Stop, *, afar: bool = False) -> FitResult:
    start = penalty.prox(np.random.default_rng(0).normal(size=D), 1e-9) if afar else None
    return solve(solver, Problem(SMALL.features, LOSS, penalty, lam), stop, start)


def assert_gap_is_true(result: FitResult, best: float, *, known_at: int = 0) -> None:
    """At every step; ``known_at`` is the first that needs to have one."""
    for place, point in enumerate(result.trace):
        if point.certificate.kind != "duality gap":
            assert place < known_at
            continue
        assert point.certificate.value >= point.objective - best - 1e-11
        assert point.certificate.relative == pytest.approx(point.certificate.value / point.objective)
    bounds = [p.objective - p.certificate.value for p in result.trace if p.certificate.kind == "duality gap"]
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(bounds)), "the best bound so far is kept"


def assert_never_rises(result: FitResult) -> None:
    assert all(now.objective <= before.objective * (1.0 + 1e-14) for before, now in pairwise(result.trace))


EXACT = [
    (solver, limits, ratio) for solver in (ProximalNewton(), Fista()) for limits in LIMITS for ratio in (0.3, 0.02)
]


@from_anywhere
@pytest.mark.parametrize(
    ("solver", "limits", "ratio"), [*EXACT, (FistaFixed(), "alike", 0.3)], ids=lambda x: getattr(x, "id", x)
)
def test_l1_ends_at_the_optimum(solver: Solver, limits: str, ratio: float, afar: bool) -> None:
    """That of another code, and where -dL/dw_j = price sign(w_j) unless w_j is 0, and at most that in size where it is.

    A weight that its sign keeps at 0 may have any slope on the other side.
    """
    lam, penalty, (factors, signs) = ratio * LAM_MAX, limited(L1(), limits), LIMITS[limits]
    w, best = best_l1(limits, lam)
    result = fit(solver, penalty, lam, Stop(tol=1e-11, max_steps=40_000), afar=afar)
    found, chosen, price = result.weights, result.weights != 0.0, lam * factors
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, rel=1e-8)
    assert result.objective == pytest.approx(ALL_PAIRS.loss(found) + price[chosen] @ np.abs(found[chosen]), rel=1e-12)
    assert_allclose(found, w, atol=1e-3)
    gradient = ALL_PAIRS.gradient(found)
    assert_allclose(-gradient[chosen], price[chosen] * np.sign(found[chosen]), atol=1e-4 * lam)
    uphill = np.where(signs * gradient > 0.0, 0.0, np.abs(gradient))
    assert np.all(uphill[~chosen] <= price[~chosen] + 1e-4 * lam)
    assert np.all(signs * found >= 0.0)
    assert ("with these signs" in result.certificate.among) == signs.any()
    signed_and_free = bool(np.any((factors == 0.0) & (signs != 0.0)))  # has no bound while it is on its way
    assert_gap_is_true(result, best, known_at=len(result.trace) - 1 if signed_and_free else 0)
    if not isinstance(solver, FistaFixed):
        assert_never_rises(result)
    if isinstance(solver, ProximalNewton) and not afar:
        assert result.steps <= 12


@from_anywhere
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-5])
@pytest.mark.parametrize("solver", [Newton(), Newton(largest_exact=0), Fista()], ids=["exact", "CG", "FISTA"])
def test_l2_ends_at_the_optimum(solver: Solver, lam: float, afar: bool) -> None:
    w, best = optimum_l2(ALL_PAIRS, lam)
    result = fit(solver, L2(), lam, Stop(tol=1e-10, max_steps=20_000), afar=afar)
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, rel=1e-9)
    assert_allclose(result.weights, w, atol=1e-3)
    assert_gap_is_true(result, best)
    assert_never_rises(result)
    if isinstance(solver, Newton) and not afar:
        assert result.steps <= 10


@pytest.mark.parametrize("limits", ["alike", "costs and switches", "all but two free", "ℓ2"])
@pytest.mark.parametrize("solver", [FistaFixed(), Subgradient(), TruncatedGradient()], ids=lambda s: s.id)
def test_slow_solvers_come_near_and_their_gap_is_true(solver: Solver, limits: str) -> None:
    lam, penalty = 0.05 * LAM_MAX, L2() if limits == "ℓ2" else limited(L1(), limits)
    if solver.accepts(Problem(SMALL.features, LOSS, penalty, lam)):
        assert (solver.id, limits) == ("truncated-gradient", "ℓ2")
        return
    best = (optimum_l2(ALL_PAIRS, lam) if limits == "ℓ2" else best_l1(limits, lam))[1]
    result = fit(solver, penalty, lam, Stop(tol=1e-9, max_steps=1000 if limits in ("alike", "ℓ2") else 300))
    start = result.trace[0].objective
    assert best * (1.0 - 1e-12) <= result.objective < best + 0.05 * (start - best)
    assert np.isfinite(penalty.value(result.weights)), "a forbidden feature stays at 0"
    assert_gap_is_true(result, best)


@pytest.mark.parametrize("lam", [0.0, -1.0, np.nan, np.inf])
def test_lambda_must_be_a_positive_number(lam: float) -> None:
    with pytest.raises(ValueError, match=r"\blambda\b.*positive"):
        Problem(SMALL.features, LOSS, L1(), lam)


DATA = ranking_problem(7)
PAIRS, LINE = Pairs.of(DATA), SquaredHinge.of(DATA)
AT_ZERO, ALONG = np.zeros(DATA.n_documents), DATA.relevance.astype(float)
START = LINE.evaluate(AT_ZERO)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [1e-3, 1.0, 50.0])
def test_it_finds_the_minimum_over_explicit_pairs(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=DATA.n_documents)
    along = size * (rng.normal(size=DATA.n_documents) - PAIRS.score_gradient(scores) * len(PAIRS) / 20)
    loss = Counting(DATA.relevance, DATA.query_offsets)
    start = loss.evaluate(scores)

    mu, reached = exact_step(loss, scores, along, start, 1.0)

    found = minimize_scalar(lambda t: PAIRS.loss(scores + t * along), bounds=(0, 1), options={"xatol": 1e-12})
    ends = [PAIRS.loss(scores), PAIRS.loss(scores + along)]
    assert reached.value <= min(found.fun, *ends) * (1.0 + 1e-14)
    assert reached.value == pytest.approx(PAIRS.loss(scores + mu * along), rel=1e-13)
    slope = PAIRS.score_gradient(scores + mu * along) @ along
    assert mu in (0.0, 1.0) or abs(slope) <= 1e-7 * abs(start.gradient @ along)
    assert loss.sweeps <= 12


def test_it_goes_to_the_end_where_the_loss_still_falls_there() -> None:
    mu, reached = exact_step(LINE, AT_ZERO, 1e-3 * ALONG, START, 0.7)
    assert mu == 0.7
    assert reached.value == pytest.approx(PAIRS.loss(0.7e-3 * ALONG), rel=1e-13)


def test_it_stays_where_the_loss_does_not_fall() -> None:
    assert exact_step(LINE, AT_ZERO, -ALONG, START, 1.0) == (0.0, START)
    assert exact_step(LINE, AT_ZERO, ALONG, START, 0.0) == (0.0, START)


def test_a_flat_end_counts_as_a_minimum() -> None:
    """Beyond a margin of 1 the loss is 0: it stops where it gets there or past it, not before."""
    mu, reached = exact_step(LINE, AT_ZERO, ALONG, START, 5.0)
    assert reached.value <= 1e-12
    assert 0.99 <= mu <= 5.0


@pytest.mark.parametrize("price", [0.01, 0.3, 5.0])
def test_with_a_price_on_the_way_it_finds_the_minimum_of_both(price: float) -> None:
    mu, _ = exact_step(LINE, AT_ZERO, ALONG, START, 2.0, lambda t: price)
    found = minimize_scalar(lambda t: PAIRS.loss(t * ALONG) + price * t, bounds=(0, 2), options={"xatol": 1e-12})
    assert PAIRS.loss(mu * ALONG) + price * mu <= min(found.fun, 1.0) * (1.0 + 1e-14)
