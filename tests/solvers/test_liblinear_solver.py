"""LIBLINEAR as a solver: the l1 optimum by other means, certified by our own gap, and refused where pairs are many."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, L2
from core.solvers import Liblinear, Problem, ProximalNewton, SolverRun, Stop, liblinear, solve
from tests.oracles import RankSvm, optimum, ranking_problem

DATA = ranking_problem(2)


def problem(lam: float, data: RankingData = DATA) -> Problem:
    return Problem(data.features, SquaredHinge.of(data), L1(), lam)


@pytest.mark.parametrize("lam", [0.3, 0.03, 0.003])
def test_it_finds_the_optimum_and_ours(lam: float) -> None:
    pairs = RankSvm.of(DATA)
    found = solve(Liblinear(), problem(lam), Stop(tol=1e-7))
    ours = solve(ProximalNewton(), problem(lam), Stop(tol=1e-10))
    best = optimum(pairs, lam, np.ones(DATA.n_features))[1]
    assert found.stop == "converged"
    assert found.objective == pytest.approx(pairs.loss(found.weights) + lam * np.abs(found.weights).sum(), rel=1e-11)
    assert found.objective == pytest.approx(best, rel=1e-6)
    assert found.objective == pytest.approx(ours.objective, rel=1e-6)


def test_tighter_tolerances_come_closer_and_every_gap_holds() -> None:
    best = optimum(RankSvm.of(DATA), 0.01, np.ones(DATA.n_features))[1]
    start = np.full(DATA.n_features, 0.1)
    found = solve(Liblinear(), problem(0.01), Stop(tol=1e-9), start)
    objectives = [point.objective for point in found.trace]
    assert objectives[0] == pytest.approx(RankSvm.of(DATA).loss(start) + 0.01 * 0.1 * DATA.n_features)
    assert len(objectives) > 4
    assert np.all(np.diff(objectives) <= 1e-12)
    for point in found.trace:
        assert point.certificate.kind == "duality gap"
        assert -1e-12 <= point.objective - best <= point.certificate.value + 1e-12


def test_a_single_pair_has_two_classes_all_the_same() -> None:
    """min (1 - w)^2 + 0.2 |w| is at w = 0.9."""
    data = RankingData.build(np.array([[1.0, 0.0], [0.0, 0.0]]), [1, 0], [0, 2])
    np.testing.assert_allclose(solve(Liblinear(), problem(0.2, data), Stop(tol=1e-9)).weights, [0.9, 0.0], atol=1e-6)


def test_the_time_of_an_iterate_is_that_of_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looser runs that come before it are how it is looked at, no part of it."""
    took = iter([0.01, 0.05, 0.06])

    def run(self: Liblinear, *rest: object) -> tuple[np.ndarray, int]:
        clock.now += next(took)
        return np.zeros(DATA.n_features), 1

    class clock:
        now = 0.0

    monkeypatch.setattr("time.perf_counter", lambda: clock.now)
    monkeypatch.setattr(Liblinear, "_run", run)
    steps = SolverRun(Liblinear(), problem(0.01), Stop(tol=0.0))
    for _ in range(4):
        steps.advance()
    assert [point.seconds for point in steps.trace] == pytest.approx([0.0, 0.01, 0.05, 0.06])


def test_it_ends_where_it_runs_out_of_iterations() -> None:
    found = solve(Liblinear(max_iter=3), problem(0.001), Stop(tol=1e-12))
    assert found.stop == "no further progress"
    assert found.steps == 1


def test_too_many_pairs_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    n_pairs = len(RankSvm.of(DATA).differences)
    monkeypatch.setattr(liblinear, "MOST_ENTRIES", n_pairs * DATA.n_features)
    assert Liblinear().accepts(problem(0.1)) is None
    monkeypatch.setattr(liblinear, "MOST_ENTRIES", n_pairs * DATA.n_features - 1)
    with pytest.raises(ValueError, match=rf"at most {n_pairs - 1:,} pairs.*\b15\b.*\b{n_pairs:,}\b.*\bmethod l1\b"):
        solve(Liblinear(), problem(0.1))


def test_another_penalty_is_refused() -> None:
    with pytest.raises(ValueError, match="ℓ1 penalty"):
        solve(Liblinear(), Problem(DATA.features, SquaredHinge.of(DATA), L2(), 0.1))
