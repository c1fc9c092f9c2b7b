"""A race: all solvers have the same seconds, end at tolerance or limit, and are ordered by what they reached.

Rates of convergence: one for every recipe, and those that can be measured hold.
"""

import time
from itertools import count, pairwise

import pytest

from core.analysis.convergence import rate_of
from core.analysis.fit_keywords import fitting_of
from core.analysis.solver_race import SolverRace, standings
from core.data import Reading
from core.methods import METHODS, get_method
from core.methods.registry import RANKSVM
from core.solvers import Stop
from tests.oracles import ranking_problem
from tests.work_contract import finished

L1 = get_method("l1")
TICK = 2.0**-14
"""Seconds between two looks at the clock: two solvers converge within the limit and two do not."""
TRAIN = Reading().open("planted").fold(1).train


def race(method_id: str = "l1", *, tol: float = 1e-6, limit: float = 0.4) -> SolverRace:
    how = fitting_of(TRAIN, method_id, {"tol": tol})
    return SolverRace(how, how.training.lam_at(0.05), limit)


@pytest.fixture(scope="module")
def to_the_end() -> SolverRace:
    """To a tolerance that some solvers reach in time and others do not."""
    return finished(race(tol=1e-9))


def test_every_solver_ends_at_the_tolerance_or_at_the_limit(to_the_end: SolverRace) -> None:
    fits = to_the_end.fits()
    assert [fit.solver for fit in fits] == [solver.id for solver in L1.solvers]
    for fit in fits:
        reached = fit.result.certificate.relative <= 1e-9
        assert fit.result.stop == ("converged" if reached else "time limit")
    assert to_the_end.share == 1.0
    assert to_the_end.seconds_left == 0.0


def test_the_solver_with_the_fewest_seconds_is_next() -> None:
    started = race(tol=1e-12, limit=60.0)
    for _ in range(40):
        before = {fit.solver: fit.result for fit in started.fits()}
        started.advance()
        moved = [
            fit.solver
            for fit in started.fits()
            if fit.solver not in before or len(fit.result.trace) > len(before[fit.solver].trace)
        ]
        used = {solver.id: 0.0 for solver in L1.solvers}
        used |= {solver: result.seconds for solver, result in before.items()}
        racing = [used[solver] for solver in used if solver not in before or before[solver].stop == "stopped"]
        assert len(moved) == 1
        assert used[moved[0]] == min(racing)


def test_standings_have_the_fastest_at_the_tolerance_first_and_the_others_by_what_they_lack(
    to_the_end: SolverRace,
) -> None:
    found = standings(L1, to_the_end.fits())
    reached = [standing.reached for standing in found]
    assert reached == sorted(reached, reverse=True)
    assert True in reached
    assert False in reached, "subgradient descent does not get there: another tolerance shows nothing"
    for before, after in pairwise(found):
        if after.reached:
            assert before.seconds <= after.seconds
        elif not before.reached:
            assert before.certificate.relative <= after.certificate.relative


def test_continue_gives_those_at_their_limit_as_long_again_and_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that goes on by as much at every look: a pause of the machine would be counted as a solver's time."""
    looks = count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(looks) * TICK)
    ended = finished(race(tol=1e-9, limit=0.1))
    before = {fit.solver: fit.result for fit in ended.fits()}
    assert {fit.stop for fit in before.values()} == {"converged", "time limit"}
    assert ended.extendable
    ended.extend()
    assert ended.limit == 0.2
    assert not ended.done
    ended.extend()
    assert ended.limit == 0.2, "before the end there is nothing to lift"
    finished(ended)
    for fit in ended.fits():
        if before[fit.solver].stop == "converged":
            assert fit.result.steps == before[fit.solver].steps
        else:
            assert fit.result.steps > before[fit.solver].steps


def test_a_papers_own_rule_does_not_end_its_solver_in_a_race() -> None:
    """FSMRank's paper stops at a small change of the objective; here all race to the certificate."""
    assert "the paper's rule" not in {fit.result.stop for fit in finished(race("fsmrank")).fits()}


RECIPES = [(method.id, solver.id) for method in METHODS for solver in method.solvers]


@pytest.mark.parametrize(("method_id", "solver_id"), RECIPES)
def test_every_recipe_has_a_rate(method_id: str, solver_id: str) -> None:
    method = get_method(method_id)
    rate = rate_of(method, method.solver(solver_id))
    assert rate.order
    assert not rate.words.endswith(".")


def test_only_descent_is_promised_where_the_problem_is_not_convex() -> None:
    for method in (method for method in RANKSVM if method.id != "l2"):
        order = rate_of(method, method.solver("proximal-newton")).order
        assert order == ("quadratic" if method.convex else "monotone"), method.id


@pytest.mark.parametrize(("method_id", "solver_id", "power"), [("l1", "fista-fixed", 2), ("tgrank", None, 1)])
def test_the_gap_falls_at_least_as_fast_as_stated(method_id: str, solver_id: str | None, power: int) -> None:
    """F - F* times k^power does not grow: it is smaller after 200 steps than it was after 20."""
    method = get_method(method_id)
    assert rate_of(method, method.solver(solver_id)).order == {1: "O(1/k)", 2: "O(1/k²)"}[power]
    training = method.training(ranking_problem(3))
    lam = training.lam_at(0.05)
    best = get_method("l1").fit(training, lam, stop=Stop(tol=1e-12, max_steps=100)).result.objective
    trace = method.fit(training, lam, solver=solver_id, stop=Stop(tol=-1.0, max_steps=200)).result.trace
    scaled = {point.step: (point.objective - best) * point.step**power for point in trace}
    assert 0 < scaled[200] < scaled[20]
