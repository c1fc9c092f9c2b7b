"""The first step of proximal Newton on a large X: it goes farther than its model, and only where that lowers F."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1
from core.solvers import Problem, ProximalNewton, SolverRun, Stop, solve


@pytest.fixture
def problem(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Three informative features of 40, at an eighth of the lambda at which the first one enters."""
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)
    random = np.random.default_rng(5)
    features = random.normal(size=(3000, 40))
    utility = features[:, :3] @ [1.0, -0.7, 0.5] + random.normal(size=3000)
    data = RankingData.build(features, (utility > 1.0).astype(np.int32), np.arange(0, 3001, 60))
    loss = SquaredHinge.of(data)
    zero = loss.at(data.features, np.zeros(40), np.empty(0, dtype=np.int64))
    return Problem(data.features, loss, L1(), float(np.abs(zero.gradient).max()) / 8.0)


def second(problem: Problem) -> float:
    """Return F after one step from zero."""
    run = SolverRun(ProximalNewton(), problem, Stop(tol=1e-9))
    run.advance()
    point = run.advance()
    assert point is not None
    return point.objective


def test_the_first_step_lowers_the_objective_more_than_its_model_does(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, best = second(problem), solve(ProximalNewton(), problem, Stop(tol=1e-12)).objective
    monkeypatch.setattr(SquaredHinge, "step_from_zero", lambda *_: 1.0)
    assert reached - best < 0.5 * (second(problem) - best)


@pytest.mark.parametrize("size", [0.01, 40.0])
def test_a_first_step_of_a_wrong_length_leads_to_the_same_optimum(
    problem: Problem, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = solve(ProximalNewton(), problem, Stop(tol=1e-10))
    monkeypatch.setattr(SquaredHinge, "step_from_zero", lambda *_: size)
    found = solve(ProximalNewton(), problem, Stop(tol=1e-10))
    assert found.stop == "converged"
    assert found.objective == pytest.approx(best.objective, rel=1e-9)
    assert found.trace[1].objective < found.trace[0].objective
