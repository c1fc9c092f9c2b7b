"""Both ADMM variants reach the optimum that a linear program over all pairs finds, and say truly how far they are."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from core.data import RankingData
from core.losses.infinite_push import InfinitePush
from core.penalties import L1, L2, FeatureWeighted, WeightedL1
from core.solvers import Admm, AdmmExactProx, Problem, Solver, SolverRun, Stop, solve
from core.solvers.admm import admm
from core.solvers.admm.prox import nested_prox
from tests.cases import sweep
from tests.oracles import ranking_problem
from tests.push_oracles import optimum, optimum_l2, small_problem

SOLVERS: list[Solver] = [Admm(), AdmmExactProx()]
TIGHT = Stop(tol=1e-5, max_steps=20_000)


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
