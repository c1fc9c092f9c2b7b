"""The interior point ends where a linear program over all pairs ends, and its gap is true on the way."""

from dataclasses import replace

import numpy as np
import pytest

from core.losses import InfinitePush
from core.penalties import L1, L2, MCP, FeatureWeighted, Log, Lp, Penalty, Signed, WeightedL1
from core.solvers import ExactPush, FitResult, Problem, ReweightedPush, SolverRun, Stop, solve
from core.solvers.infinite_push import exact as infinite_push_exact
from core.solvers.infinite_push.barriers import L1Barrier
from tests.cases import sweep
from tests.oracles import lists_of, ranking_problem
from tests.push_oracles import Lists, largest_lambda, optimum, optimum_l2, small_problem, wide_classes
from tests.says import assert_says

SHARES = (0.0, 0.3, 0.62, 1.0)


def push(data, penalty: Penalty, lam: float, kappa: float = 0.0) -> Problem:  # type: ignore[no-untyped-def]
    return Problem(data.features, InfinitePush.of(data, kappa), penalty, lam)


def objective(problem: Problem, data, kappa: float, w: np.ndarray) -> float:  # type: ignore[no-untyped-def]
    return Lists.of(data, kappa).loss(data.features @ w) + problem.lam * problem.penalty.value(w)


def assert_gaps_hold(fit: FitResult, best: float) -> None:
    """The bound is below the optimum at every step, and the best model is kept."""
    assert fit.trace[0].objective == pytest.approx(1.0)
    for point in fit.trace:
        assert point.objective - point.certificate.value <= best * (1.0 + 1e-9) + 1e-12
    assert np.all(np.diff([point.objective for point in fit.trace]) <= 0.0)


@pytest.mark.parametrize("kappa", SHARES)
@pytest.mark.parametrize("limits", ["none", "prices", "signs", "signs and prices"])
@pytest.mark.parametrize("seed", range(6))
def test_l1_ends_where_the_linear_program_over_pairs_ends(seed: int, limits: str, kappa: float) -> None:
    """Features may be dear, free or forbidden, and weights have signs, a free one's too."""
    data, rng = small_problem(seed), np.random.default_rng(seed)
    d, lam = data.n_features, [0.3, 0.05, 0.01][seed % 3]
    factors, signs = np.ones(d), np.zeros(d)
    if "prices" in limits:
        factors = np.r_[0.0, np.inf, rng.choice([0.5, 1.0, 3.0], d - 2)]
    if "signs" in limits:
        signs = np.r_[1.0, rng.integers(-1, 2, d - 1)]
    penalty: Penalty = L1() if limits == "none" else FeatureWeighted(L1(), factors)
    problem = push(data, Signed(penalty, signs) if signs.any() else penalty, lam, kappa)
    fit = solve(ExactPush(), problem, Stop(tol=1e-7))
    best = optimum(data, kappa, lam, factors, signs)
    assert fit.stop == "converged"
    assert fit.objective == pytest.approx(objective(problem, data, kappa, fit.weights), rel=1e-12)
    assert best - 1e-9 <= fit.objective <= best * (1.0 + 2e-7) + 1e-9
    assert_gaps_hold(fit, best)
    assert np.isfinite(problem.penalty.value(fit.weights)), "no forbidden feature, and no weight of the wrong sign"


@pytest.mark.parametrize(
    ("seed", "kappa"), sweep([(0, 0.0), (1, 0.1), (2, 0.3), (3, 0.0), (0, 0.1), (0, 0.3), (1, 0.0), (1, 0.3), (2, 0.0),
                              (2, 0.1), (3, 0.1), (3, 0.3)], always=4),
)  # fmt: skip
def test_long_lists_end_there_too_by_way_of_their_top(seed: int, kappa: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of long lists a part is solved first, then more of it where that lacks a top negative."""
    monkeypatch.setattr("core.solvers.infinite_push.exact.FEW_DOCUMENTS", 0)
    monkeypatch.setattr("core.solvers.infinite_push.exact.FEWEST", 2)
    parts = []
    build = infinite_push_exact._Program.__init__
    monkeypatch.setattr(
        infinite_push_exact._Program,
        "__init__",
        lambda self, problem, rows, top, w: (parts.append(len(rows)), build(self, problem, rows, top, w))[1],
    )
    data = ranking_problem(seed, n_queries=4, n_documents=45, n_features=5)
    data = replace(data, relevance=np.maximum(data.relevance - 1, 0).astype(np.int32))
    lam = 0.05
    fit = solve(ExactPush(), push(data, L1(), lam, kappa), Stop(tol=1e-7))
    assert fit.stop == "converged"
    assert fit.objective == pytest.approx(optimum(data, kappa, lam, np.ones(5)), rel=3e-7)
    assert len(parts) > 1
    assert parts[0] < data.n_documents


@pytest.mark.parametrize("kappa", [0.0, 0.4])
@pytest.mark.parametrize("beta", [np.ones(60), np.r_[np.inf, 0.0, np.tile([1.0, 3.0], 29)]], ids=["equal", "unequal"])
@pytest.mark.parametrize("seed", range(4))
def test_wide_data_end_there_too_by_way_of_features_that_join(
    seed: int, beta: np.ndarray, kappa: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few features begin, and others join."""
    monkeypatch.setattr("core.solvers.infinite_push.exact.WIDE", 0)
    joined = []
    join = L1Barrier.join
    monkeypatch.setattr(L1Barrier, "join", lambda self, *new: (joined.append(len(new[0])), join(self, *new))[1])
    data = ranking_problem(seed, n_queries=2, n_documents=10, n_features=60)
    run = SolverRun(ExactPush(), push(data, WeightedL1(beta), 0.02, kappa), Stop(tol=1e-7))
    run.finish()
    best = optimum(data, kappa, 0.02, beta)
    assert run.reason == "converged"
    assert run.trace[-1].objective == pytest.approx(best, rel=3e-7)
    assert run.weights[np.isinf(beta)].tolist() == [0.0] * int(np.isinf(beta).sum())
    assert sum(joined) > 0
    for point in run.trace:
        assert point.objective - point.certificate.value <= best * (1.0 + 1e-9)


@pytest.mark.parametrize(
    ("seed", "ratio"), sweep([(0, 0.5), (1, 0.1), (2, 0.01), (0, 0.1), (0, 0.01), (1, 0.5), (1, 0.01), (2, 0.5),
                              (2, 0.1)], always=3),
)  # fmt: skip
def test_far_fewer_documents_than_features_end_there_too(seed: int, ratio: float) -> None:
    data = wide_classes(seed, n_documents=24, n_features=900)
    for kappa in (0.0, 0.3):
        lam = ratio * largest_lambda(data, kappa)
        fit = solve(ExactPush(), push(data, L1(), lam, kappa), Stop(tol=1e-8))
        assert fit.stop == "converged"
        assert fit.objective == pytest.approx(optimum(data, kappa, lam, np.ones(900)), rel=2e-8)


def test_the_gap_of_a_few_features_is_that_of_the_whole_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none may join, the optimum among the first ones is no optimum, and the gap says so."""
    monkeypatch.setattr("core.solvers.infinite_push.exact.WIDE", 0)
    monkeypatch.setattr("core.solvers.infinite_push.exact.BEGUN", -1.0)
    data = ranking_problem(0, n_queries=2, n_documents=10, n_features=60)
    fit = solve(ExactPush(), push(data, L1(), 0.02), Stop(tol=1e-7))
    best = optimum(data, 0.0, 0.02, np.ones(60))
    assert fit.stop == "no further progress"
    assert fit.objective > 1.01 * best
    for point in fit.trace:
        assert point.objective - point.certificate.value <= best * (1.0 + 1e-9)


def test_long_lists_of_wide_documents_take_both_ways_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.infinite_push.exact.FEW_DOCUMENTS", 0)
    monkeypatch.setattr("core.solvers.infinite_push.exact.WIDE", 0)
    monkeypatch.setattr("core.solvers.infinite_push.exact.FEWEST", 2)
    data = ranking_problem(2, n_queries=2, n_documents=30, n_features=120)
    data = replace(data, relevance=np.maximum(data.relevance - 1, 0).astype(np.int32))
    fit = solve(ExactPush(), push(data, L1(), 0.05), Stop(tol=1e-7))
    assert fit.stop == "converged"
    assert fit.objective == pytest.approx(optimum(data, 0.0, 0.05, np.ones(120)), rel=3e-7)


def test_with_every_feature_forbidden_the_model_is_empty() -> None:
    data = ranking_problem(n_features=3)
    fit = solve(ExactPush(), push(data, WeightedL1(np.full(3, np.inf)), 0.1))
    assert not fit.weights.any()
    assert fit.objective == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("kappa", SHARES)
@pytest.mark.parametrize("seed", range(5))
def test_l2_ends_where_the_dual_over_pairs_ends(seed: int, kappa: float) -> None:
    data = small_problem(seed)
    fit = solve(ExactPush(), push(data, L2(), 0.2, kappa), Stop(tol=1e-8))
    assert fit.stop == "converged"
    assert fit.objective == pytest.approx(optimum_l2(data, kappa, 0.2), rel=1e-5)
    assert_gaps_hold(fit, fit.objective)


@pytest.mark.parametrize("penalty", [L1(), L2()], ids=["l1", "l2"])
@pytest.mark.parametrize("kappa", [0.0, 0.5])
def test_more_features_than_documents_take_the_other_way_to_the_same_end(penalty: Penalty, kappa: float) -> None:
    """Past 400 features, a step factors a matrix of documents."""
    data = small_problem(7)
    features = np.random.default_rng(0).normal(size=(data.n_documents, 401))
    wide = data.with_features(features, [str(j) for j in range(401)])
    fit = solve(ExactPush(), push(wide, penalty, 0.2, kappa), Stop(tol=1e-6))
    assert fit.stop == "converged"
    best = optimum(wide, kappa, 0.2, np.ones(401)) if isinstance(penalty, L1) else optimum_l2(wide, kappa, 0.2)
    assert fit.objective == pytest.approx(best, rel=1e-5)


def test_the_start_is_the_first_iterate_and_the_best_is_kept() -> None:
    data = ranking_problem(5)
    problem = push(data, L1(), 0.05)
    best = solve(ExactPush(), problem, Stop(tol=1e-8))
    first = next(ExactPush().iterate(problem, best.weights))
    np.testing.assert_array_equal(first.weights, best.weights)
    again = solve(ExactPush(), problem, Stop(tol=1e-6), start=best.weights)
    assert again.objective <= best.objective


def test_float32_features_end_where_their_values_do() -> None:
    data = ranking_problem(8, n_features=6)
    short = data.features.astype(np.float32)
    long = replace(push(data, L1(), 0.05), features=short.astype(np.float64))
    fits = [solve(ExactPush(), replace(long, features=x)) for x in (short, long.features)]
    assert fits[0].objective == pytest.approx(fits[1].objective, rel=1e-9)


@pytest.mark.parametrize("penalty", [Log(), MCP(), Lp()], ids=lambda p: p.title)
def test_reweighting_ends_at_weights_that_solve_the_problem_they_set(penalty: Penalty) -> None:
    data = ranking_problem(9, n_queries=6, n_features=10)
    problem = push(data, penalty, 0.05, 0.2)
    fit = solve(ReweightedPush(), problem, Stop(tol=1e-6, max_steps=2000))
    rounds = [point.objective for point in fit.trace if not point.provisional]
    assert fit.stop == "converged"
    assert np.all(np.diff(rounds) <= 1e-9)
    beta = penalty.weights(fit.weights)
    tangent = Lists.of(data, 0.2).loss(data.features @ fit.weights) + 0.05 * WeightedL1(beta).value(fit.weights)
    assert tangent <= optimum(data, 0.2, 0.05, beta) * (1.0 + 2e-6)


def test_more_pairs_than_memory_holds_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    data, solver = ranking_problem(), ExactPush()
    monkeypatch.setattr("core.solvers.infinite_push.exact.MOST_PAIRS", 10)
    assert_says(str(solver.accepts(push(data, L1(), 0.1, 0.5))), "fewer documents", "top share 0")
    assert solver.accepts(push(data, L1(), 0.1, 0.0)) is None


@pytest.mark.parametrize("penalty", [L1(), L2()], ids=lambda p: p.title)
def test_where_the_empty_model_is_best_it_is_empty_whatever_the_start(penalty: Penalty) -> None:
    """The path ends beside it, at weights of some 1e-8 that mean nothing."""
    around = np.array([[0.0, 0.0], [1.0, 0.1], [-1.0, 0.2], [0.1, 1.0], [-0.3, -1.0]])  # a positive among negatives
    data = lists_of([[1, 0, 0, 0, 0]] * 2, np.concatenate([around, 0.5 * around]))
    assert largest_lambda(data, 0.0) <= 1e-9
    problem = Problem(data.features, InfinitePush.of(data), penalty, 0.01)
    for start in (np.zeros(2), np.full(2, 1e-7), np.ones(2)):
        fit = solve(ExactPush(), problem, Stop(tol=1e-6), start)
        assert (fit.nonzero, fit.objective, fit.stop) == (0, 1.0, "converged")
