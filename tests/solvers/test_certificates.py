"""What a certificate is made of: dual values below every objective, residuals, and products with X in either precision.

That the gap is true at every step of a solver is shown where the solver's optimum is.
A solver refuses a problem that it cannot solve in a sentence which says what it is for, or what to choose.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.losses import ImportanceWeightedHuber, InfinitePush, Loss, SquaredHinge
from core.penalties import L1, L2, MCP, FeatureWeighted, L1Ball, L2Budget, Log, Penalty, Refitted, Signed, WeightedL1
from core.penalties.base import DualRay
from core.solvers import (
    ImportanceTruncatedGradient,
    Problem,
    ProximalNewton,
    RefitOnSupport,
    Solver,
    Stop,
    TruncatedGradient,
    solve,
)
from core.solvers.problem import AtZero
from tests.oracles import RankSvm, lists_of, ranking_problem
from tests.solvers.limits import LAM_MAX, LOSS, ONE_OF_EACH, SMALL


@settings(max_examples=100, deadline=None)
@given(
    w=st.lists(st.floats(-30, 30), min_size=3, max_size=3).map(np.array),
    other=st.lists(st.floats(-30, 30), min_size=3, max_size=3).map(np.array),
    beta=st.lists(st.floats(0, 5), min_size=3, max_size=3).map(np.array),
    lam=st.floats(1e-4, 10),
)
def test_a_dual_value_never_exceeds_any_objective(
    w: np.ndarray, other: np.ndarray, beta: np.ndarray, lam: float
) -> None:
    data = lists_of([[1, 0], [2, 1, 0]], np.random.default_rng(0).normal(size=(5, 3)))
    evaluation = SquaredHinge.of(data).evaluate(data.features @ w)
    gradient = data.features.T @ evaluation.gradient
    for penalty in (WeightedL1(beta), L2()):
        bound = penalty.dual_bound(evaluation, gradient, lam)
        objective = RankSvm.of(data).loss(other) + lam * penalty.value(other)
        assert bound is None or bound <= objective * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("penalty", [L1(), L2()], ids=["ℓ1", "ℓ2"])
def test_where_every_pair_is_won_the_dual_value_is_zero(penalty: Penalty) -> None:
    """No slack, so alpha = 0: its dual value is 0, a bound like any other."""
    assert penalty.dual_bound(DualRay(0.0, 0.0), np.zeros(2), 0.1) == 0.0


@pytest.mark.parametrize("stop", [Stop(tol=1e-8), Stop(max_steps=2)], ids=["to its end", "stopped early"])
def test_a_non_convex_fit_is_certified_by_stationarity(stop: Stop) -> None:
    """The gap of its ℓ1 round, in which it may be stopped, says nothing about F."""
    problem = Problem(SMALL.features, LOSS, Log(), 0.01 * LAM_MAX)
    certificate = solve(ProximalNewton(), problem, stop).certificate
    assert certificate.kind == "stationarity"
    assert certificate.relative == pytest.approx(certificate.value / problem.lam)


@pytest.mark.parametrize("kind", ["constant", "twice", "of two units"])
def test_exempt_features_that_are_hard_to_tell_apart_keep_the_gap(kind: str) -> None:
    x = SMALL.features
    further = {
        "constant": np.column_stack([np.full(len(x), 3.7), SMALL.query_of_document * 1.1]),
        "twice": x[:, [7, 7]],
        "of two units": np.column_stack([1e3 * x[:, 7], 1e-2 * x[:, 8]]),
    }[kind]
    wider = SMALL.with_features(np.column_stack([x, further]), [*SMALL.feature_names, "a", "b"])
    factors = np.concatenate([np.ones(15), np.zeros(2)])
    problem = Problem(wider.features, SquaredHinge.of(wider), FeatureWeighted(L1(), factors), 0.05 * LAM_MAX)
    result = solve(ProximalNewton(), problem, Stop(tol=1e-7))
    assert (result.stop, result.certificate.kind) == ("converged", "duality gap")


def test_float32_features_are_used_in_double_precision() -> None:
    """More rows than one block: every one is counted, once."""
    rng = np.random.default_rng(0)
    short = rng.normal(size=(140_001, 2)).astype(np.float32)
    data = ranking_problem(n_features=2)
    problem = Problem(short, SquaredHinge.of(data), L1(), 0.1)
    w, g = np.array([0.1, -1.3]), rng.normal(size=len(short))
    exact = short.astype(np.float64)
    assert_allclose(problem.scores(w), exact @ w, rtol=1e-13, atol=1e-14)
    assert_allclose(problem.pull_back(g), exact.T @ g, rtol=1e-11)


def test_what_is_known_at_zero_is_of_its_own_features_and_loss_only() -> None:
    data, other = ranking_problem(), ranking_problem(seed=1)
    loss, none, zero = SquaredHinge.of(data), np.empty(0, dtype=np.int64), np.zeros(data.n_features)
    known = AtZero.of(data.features, loss)
    problem = Problem(data.features, loss, L1(), 0.02, known)
    assert problem.at(zero, none) is known.found
    fresh = loss.at(data.features, zero, none)
    for name in ("value", "dual_slope", "dual_curvature", "dual_limit", "answer", "gradient"):
        assert_allclose(getattr(known.found, name), getattr(fresh, name), rtol=1e-12, atol=1e-15, err_msg=name)
    assert_allclose(replace(problem, features=2 * data.features).at(zero, none).gradient, 2 * fresh.gradient)
    there = SquaredHinge.of(other)
    assert_allclose(replace(problem, loss=there).at(zero, none).gradient, there.at(data.features, zero, none).gradient)
    assert problem.at(zero, np.array([0, 2])).hessian.shape == (2, 2)
    w = np.full(data.n_features, 0.1)
    assert_allclose(problem.at(w, none).gradient, loss.at(data.features, w, none).gradient)
    assert problem.counter.passes == 5


HELP = np.ones(15)
HINGE, PUSH, HUBER = SquaredHinge.of, InfinitePush.of, ImportanceWeightedHuber.of
SOLVERS: dict[str, Solver] = {name: solver for name, (_, solver) in ONE_OF_EACH.items()} | {
    "tgrank": TruncatedGradient(),
    "rsrank": ImportanceTruncatedGradient(),
    "refit": RefitOnSupport(ProximalNewton(), LOSS),
}
REFUSED = [
    ("proximal-newton", HINGE, L2(), "needs a sparse penalty"),
    ("newton", HINGE, L1(), "only for the ℓ2 penalty"),
    ("newton", PUSH, L2(), "needs a smooth loss"),
    ("newton-on-chosen", HINGE, L2(), "ℓ2 penalty on chosen features"),
    *((solver, HINGE, MCP(), "needs a convex penalty") for solver in ("fista", "fista-fixed", "subgradient")),
    ("subgradient", HINGE, Signed(L1(), HELP), "does not support signs"),
    ("refit", HINGE, Refitted(Signed(L1(), HELP), 1.0), "signs"),
    ("reweighted-l1", HINGE, L1(), "for the non-convex penalties"),
    ("reweighted-interior-point", PUSH, L1(), "for the non-convex penalties"),
    ("reweighted-l2", HINGE, L2(), "that survive"),
    ("liblinear", HINGE, L2(), "ℓ1 penalty"),
    ("nesterov-nemirovski", HINGE, L1(), "FSMRank's penalty"),
    ("rfe", HINGE, L2(), "at most k features"),
    *((solver, HINGE, L1(), "for weights in an ℓ1 ball")
      for solver in ("frank-wolfe", "frank-wolfe-short-step", "away-steps", "fully-corrective")),
    ("frank-wolfe", PUSH, L1Ball(1.0), "needs a smooth loss"),
    *((solver, loss, penalty, "convex sparse penalty") for penalty in (L2(), MCP())
      for solver, loss in (("tgrank", HINGE), ("rsrank", HUBER))),
    ("tgrank", HUBER, L1(), "needs a smooth loss"),
    ("rsrank", HINGE, L1(), r"importances.*ranking"),
    ("branch-and-bound", HINGE, L2(), "within a budget"),
    ("branch-and-bound", PUSH, L2Budget(2), "squared hinge"),
    ("interior-point", HINGE, L1(), "for the infinite push"),
    ("interior-point", PUSH, MCP(), "use reweighting"),
    ("admm", HINGE, L1(), "infinite push"),
    ("admm", PUSH, MCP(), "ℓ1 or ℓ2"),
]  # fmt: skip


@pytest.mark.parametrize(("solver", "loss", "penalty", "words"), REFUSED)
def test_a_problem_of_another_kind_is_refused(solver: str, loss: type[Loss], penalty: Penalty, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        solve(SOLVERS[solver], Problem(SMALL.features, loss(SMALL), penalty, 0.1))
