"""Both ADMM variants reach the optimum that a linear program over all pairs finds, and say truly how far they are.

The proximal operator of the infinite push loss, and the pair products around it.
The projection of Quattoni et al. (2009): its optimality conditions, and the nearest point found numerically.
"""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import LinearConstraint, minimize

from core.data import RankingData
from core.losses.base import FloatArray
from core.losses.infinite_push import InfinitePush
from core.penalties import L1, L2, FeatureWeighted, WeightedL1
from core.solvers import Admm, AdmmExactProx, Problem, Solver, SolverRun, Stop, solve
from core.solvers.admm import admm
from core.solvers.admm.pairs import PairBlocks
from core.solvers.admm.prox import DualBall, exact_prox, nested_prox, project_l1_inf
from tests.cases import sweep
from tests.oracles import Pairs, lists_of, ranking_problem
from tests.push_oracles import optimum, optimum_l2, small_problem

SOLVERS: list[Solver] = [Admm(), AdmmExactProx()]
TIGHT = Stop(tol=1e-5, max_steps=20_000)
ROUND = st.sampled_from([-1.0, 0.0, 0.5, 1.0])


PROBLEMS: dict[str, RankingData] = {
    "one query": ranking_problem(n_queries=1, n_documents=20, n_features=5, n_levels=2),
    **{f"small {seed}": small_problem(seed) for seed in range(9)},
}


NESTED, EXACT = SOLVERS
CASES = [
    *[(EXACT, name, share) for name in PROBLEMS for share in (0.0, 0.4)],
    *[(NESTED, name, 0.0) for name in ("one query", "small 0", "small 1", "small 3")],
]
"""Of the nested loops a few: their steps are those of the exact map, as a test below shows."""
OTHERS = [case for case in product(SOLVERS, PROBLEMS, (0.0, 0.4)) if case not in CASES]


@pytest.mark.parametrize(
    ("solver", "name", "top_share"), sweep(CASES + OTHERS, always=len(CASES)), ids=lambda x: getattr(x, "id", None)
)
def test_the_optimum_is_that_of_a_linear_program_over_all_pairs(solver: Solver, name: str, top_share: float) -> None:
    data, lam = PROBLEMS[name], 0.03
    best = optimum(data, top_share, lam, np.ones(data.n_features))
    result = solve(solver, Problem(data.features, InfinitePush.of(data, top_share), L1(), lam), TIGHT)
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, abs=1e-5)
    assert best < 0.995  # not the empty model
    for point in result.trace:
        assert point.certificate.kind == "duality gap"
        assert point.objective - point.certificate.value <= best + 1e-9


@pytest.mark.parametrize("solver", sweep([EXACT, NESTED]), ids=lambda s: s.id)
def test_weighted_l1_and_forbidden_features(solver: Solver) -> None:
    data, lam = PROBLEMS["one query"], 0.03
    beta = np.array([0.5, 1.0, 2.0, 1.0, 3.0])
    best = optimum(data, 0.0, lam, beta)
    result = solve(solver, Problem(data.features, InfinitePush.of(data), WeightedL1(beta), lam), TIGHT)
    assert result.objective == pytest.approx(best, abs=1e-5)
    without = np.array([np.inf, 1.0, 1.0, 1.0, 1.0])
    forbidding = FeatureWeighted(L1(), without)
    result = solve(solver, Problem(data.features, InfinitePush.of(data), forbidding, lam), TIGHT)
    assert result.weights[0] == 0.0
    assert result.objective == pytest.approx(optimum(data, 0.0, lam, without), abs=1e-5)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: s.id)
def test_the_l2_optimum_is_that_of_the_dual_over_all_pairs(solver: Solver) -> None:
    data, lam = PROBLEMS["one query"], 0.05
    best = optimum_l2(data, 0.0, lam)
    result = solve(solver, Problem(data.features, InfinitePush.of(data), L2(), lam), TIGHT)
    assert result.objective == pytest.approx(best, abs=1e-5)
    for point in result.trace:
        assert point.objective - point.certificate.value <= best + 1e-9


def test_the_variants_take_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nested loops approximate the very map that the other computes: they differ in time alone."""
    data = PROBLEMS["small 7"]
    problem = Problem(data.features, InfinitePush.of(data), L1(), 0.03)
    monkeypatch.setattr(Admm, "prox", staticmethod(partial(nested_prox, tol=1e-12)))
    runs = [SolverRun(solver, problem) for solver in SOLVERS]
    for _ in range(40):
        nested, exact = (run.advance() for run in runs)
        assert nested is not None
        assert exact is not None
        assert nested.objective == pytest.approx(exact.objective, abs=1e-6)
        assert nested.passes == exact.passes


def test_it_ends_by_itself_where_both_residuals_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    data, lam = PROBLEMS["one query"], 0.1
    problem = Problem(data.features, InfinitePush.of(data), L1(), lam)
    fits = []
    for primal in (1e-4, 1e-6):
        monkeypatch.setattr(admm, "PRIMAL_TOL", primal)
        monkeypatch.setattr(admm, "DUAL_TOL", 10.0 * primal)
        fits.append(solve(AdmmExactProx(), problem, Stop(tol=0.0)))
    result, longer = fits
    assert result.stop == "no further progress"
    assert result.objective == pytest.approx(optimum(data, 0.0, lam, np.ones(5)), rel=1e-2)
    assert longer.steps > result.steps
    assert longer.certificate.value < result.certificate.value


def test_more_than_memory_holds_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    data = PROBLEMS["one query"]
    problem = Problem(data.features, InfinitePush.of(data), L1(), 0.1)
    for name, most in (("MOST_PAIRS", 100), ("MOST_FEATURES", 5)):
        monkeypatch.setattr(admm, name, most - 1)
        with pytest.raises(ValueError, match=rf"\b{most - 1}\b.*\b{most}\b.*choose the exact solver"):
            SolverRun(AdmmExactProx(), problem)
        monkeypatch.setattr(admm, name, most)
        assert Admm().accepts(problem) is None


LISTS = [[1, 0, 0], [1, 1], [0, 1, 2, 0, 0, 1], [0], [1, 1, 0]]  # one list all positive, one all negative


DATA = lists_of(LISTS, np.random.default_rng(0).normal(size=(15, 4)) + 5.0)
PAIRS = PairBlocks.of(InfinitePush.of(DATA).groups, DATA.n_documents)


def test_products_with_the_documents_are_those_with_the_pair_matrix() -> None:
    binary = lists_of([[int(label > 0) for label in labels] for labels in LISTS], DATA.features)
    written = Pairs.of(binary)
    assert sorted(zip(PAIRS.positive, PAIRS.negative, strict=True)) == sorted(
        zip(written.winner, written.loser, strict=True)
    )
    x = DATA.features[PAIRS.positive] - DATA.features[PAIRS.negative]
    w, v = np.random.default_rng(1).normal(size=4), np.random.default_rng(2).normal(size=len(PAIRS))
    assert PAIRS.differences(DATA.features @ w) == pytest.approx(x @ w, rel=1e-12)
    assert DATA.features.T @ PAIRS.on_documents(v) == pytest.approx(x.T @ v, rel=1e-12)
    assert PAIRS.gram(DATA.features) == pytest.approx(x.T @ x, rel=1e-12, abs=1e-12)


def ball_of(m: int, n: int, k: float = 1.0) -> DualBall:
    groups = InfinitePush(np.r_[np.ones(m, dtype=int), np.zeros(n, dtype=int)], np.array([0, m + n])).groups
    return DualBall(PairBlocks.of(groups, m + n), np.array([1.0 / m]), np.array([1.0 / (m * k)]))


def numerical_prox(s: FloatArray, step: float, k: float) -> FloatArray:
    """min over a of ||a - s||^2 / 2 + step * mean of the k largest h_j, as a quadratic program.

    Over (a, xi, t, r): xi >= a, xi >= 0, r_j >= mean_i xi_ij - t, r >= 0, cost t + sum(r) / k.
    """
    n, m = s.shape
    p = n * m
    column = np.kron(np.eye(n), np.ones((1, m)) / m)
    constraints = [
        LinearConstraint(np.c_[-np.eye(p), np.eye(p), np.zeros((p, 1 + n))], 0.0, np.inf),
        LinearConstraint(np.c_[np.zeros((n, p)), -column, np.ones((n, 1)), np.eye(n)], 0.0, np.inf),
    ]
    cost = np.r_[np.zeros(2 * p), 1.0, np.full(n, 1.0 / k)] * step
    found = minimize(
        lambda z: 0.5 * float(np.sum((z[:p] - s.ravel()) ** 2)) + float(cost @ z),
        np.r_[s.ravel(), np.maximum(s, 0.0).ravel(), 5.0, np.zeros(n)],
        jac=lambda z: np.r_[z[:p] - s.ravel(), np.zeros(len(z) - p)] + cost, method="SLSQP", constraints=constraints,
        bounds=[(None, None)] * p + [(0.0, None)] * p + [(None, None)] + [(0.0, None)] * n,
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    assert found.status in (0, 8)  # 8: no better point to be found, which is what so small an ftol asks for
    return np.asarray(found.x[:p]).reshape(n, m)


@pytest.mark.parametrize("k", [1.0, 1.6, 4.0])
@pytest.mark.parametrize("step", [0.3, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_exact_prox_is_the_numerical_minimiser(seed: int, step: float, k: float) -> None:
    s = np.round(np.random.default_rng(seed).normal(size=(4, 3)) + 0.5, 1)
    s[1] = s[0]  # two negatives tie
    found = exact_prox(ball_of(3, 4, k), s.ravel(), step)
    assert found == pytest.approx(numerical_prox(s, step, k).ravel(), abs=1e-5)


@pytest.mark.parametrize(("gamma", "eta"), [(1.0, 1.0), (1.0, 1.9), (0.3, 1.5), (4.0, 0.7)])
@pytest.mark.parametrize("k", [1.0, 2.5])
def test_the_nested_loops_of_the_paper_end_in_the_exact_prox(k: float, gamma: float, eta: float) -> None:
    s = np.random.default_rng(0).normal(size=20 * 30) + 0.5
    ball = ball_of(20, 30, k)
    nested = nested_prox(ball, s, 5.0, 1e-12, gamma, eta, 10_000)
    assert nested == pytest.approx(exact_prox(ball, s, 5.0), abs=1e-9)
    assert np.abs(nested - s).max() > 0.1  # there was something to do


def test_scaling_into_the_dual_ball_touches_only_the_queries_outside() -> None:
    ball = DualBall(PAIRS, np.array([0.5, 2.0, 0.4]), np.array([0.5, 0.1, 0.4]))
    alpha = np.random.default_rng(0).uniform(size=len(PAIRS))
    alpha[PAIRS.block_start[2] :] *= 1e-3
    scaled = ball.scaled_inside(alpha)
    for block, (m, n) in enumerate(zip(PAIRS.height, PAIRS.width, strict=True)):
        here = slice(PAIRS.block_start[block], PAIRS.block_start[block + 1])
        tau = scaled[here].reshape(n, m).max(axis=1)
        room = max(tau.sum() / ball.radius[block], tau.max() / ball.cap[block])
        assert room == pytest.approx(1.0) if block < 2 else scaled[here] == pytest.approx(alpha[here], abs=0)


def project(values: FloatArray, radius: float, cap: float = np.inf) -> FloatArray:
    """Of one matrix whose rows are the kernel's columns."""
    columns, rows = values.shape
    flat = project_l1_inf(
        values.ravel(), np.array([0, values.size]), np.array([rows]), np.array([radius]), np.array([cap])
    )
    assert flat.shape == (values.size,)
    return flat.reshape(columns, rows)


@settings(max_examples=300, deadline=None)
@given(
    v=arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-3, 3) | ROUND),
    radius=st.floats(0.01, 5.0),
    cap=st.one_of(st.just(np.inf), st.floats(0.01, 2.0)),
)
def test_optimality_conditions(v: FloatArray, radius: float, cap: float) -> None:
    """Entries are clipped at tau_j; every column loses theta by it, less where emptied, more where capped."""
    u = project(v, radius, cap)
    tau = np.abs(u).max(axis=1)
    assert u == pytest.approx(np.sign(v) * np.minimum(np.abs(v), tau[:, None]), abs=1e-12)
    assert tau.sum() <= radius * (1 + 1e-10)
    assert tau.max() <= cap * (1 + 1e-10)
    lost = np.abs(v - u).sum(axis=1)
    whole, capped = tau >= np.abs(v).max(axis=1) - 1e-10, tau >= cap - 1e-10
    free = (tau > 1e-10) & ~capped & ~whole
    if tau.sum() < radius * (1 - 1e-9):  # inside in the sum: only the cap takes anything away
        assert np.all(capped | whole)
        return
    theta = lost[free].mean() if free.any() else None
    if theta is not None:
        assert lost[free] == pytest.approx(theta, abs=1e-8)
    most = theta if theta is not None else lost[capped].min(initial=np.inf)
    assert np.all(lost[tau <= 1e-10] <= most + 1e-8)
    assert np.all(lost[capped & ~whole] >= (theta or 0.0) - 1e-8)
    if theta is not None and theta > 1e-8:
        assert np.all(capped[whole & (np.abs(v).max(axis=1) > 1e-10)])  # nothing survives whole while others lose


@pytest.mark.parametrize("cap", [np.inf, 0.4, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_nearest_point_of_the_ball(seed: int, cap: float) -> None:
    """Against a general-purpose code on u_ij and tau_j, with -tau_j <= u_ij <= tau_j."""
    rng = np.random.default_rng(seed)
    v, radius = np.round(rng.normal(size=(4, 3)), 1), 0.9  # rounded: ties
    spread = np.kron(np.eye(4), np.ones((3, 1)))  # tau of every entry

    constraints = [
        {"type": "ineq", "fun": lambda z: spread @ z[12:] - z[:12]},
        {"type": "ineq", "fun": lambda z: spread @ z[12:] + z[:12]},
        {"type": "ineq", "fun": lambda z: radius - z[12:].sum()},
    ]
    numerical = minimize(
        lambda z: 0.5 * float(np.sum((z[:12] - v.ravel()) ** 2)), np.full(16, 0.01),
        jac=lambda z: np.r_[z[:12] - v.ravel(), np.zeros(4)], method="SLSQP", constraints=constraints,
        bounds=[(None, None)] * 12 + [(0.0, min(cap, radius))] * 4, options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert numerical.status in (0, 8)  # 8: no better point to be found, which is what so small an ftol asks for
    assert project(v, radius, cap).ravel() == pytest.approx(numerical.x[:12], abs=1e-5)
