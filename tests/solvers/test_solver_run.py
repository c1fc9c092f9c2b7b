"""A run is stopped, resumed and timed from outside, and that never changes where it goes.

No solver repeats itself: where precision runs out the run ends and says so, whatever the solver and the data.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.data import RankingData
from core.losses import SquaredHinge
from core.methods import METHODS, Method
from core.penalties import L1, L2, MCP, Log, Penalty
from core.solvers import (
    Certificate,
    Fista,
    FistaFixed,
    Iterate,
    Newton,
    Problem,
    ProximalNewton,
    ReweightedFista,
    ReweightedFistaFixed,
    ReweightedL1,
    Solver,
    SolverRun,
    Stop,
    Subgradient,
    solve,
)
from core.solvers.admm.admm import Admm, AdmmExactProx
from core.solvers.base import RETURNS, WINDOW, until_standstill
from tests.cases import sweep
from tests.oracles import all_won, lists_of, ranking_problem
from tests.solvers.limits import LAM_MAX, LOSS, ONE_OF_EACH, SMALL
from tests.stand_ins import Clock

RUNS: list[tuple[Solver, Penalty]] = [
    *((solver, L1()) for solver in (ProximalNewton(), Fista(), FistaFixed(), Subgradient())),
    *((solver, L2()) for solver in (Newton(), Newton(largest_exact=0), Fista())),
    *((solver, Log()) for solver in (ProximalNewton(), ReweightedL1(), ReweightedFista(), ReweightedFistaFixed())),
]
every_run = pytest.mark.parametrize(("solver", "penalty"), RUNS, ids=lambda x: getattr(x, "id", None) or x.title)

PROBLEM = Problem(SMALL.features, LOSS, L1(), 0.02 * LAM_MAX)


@every_run
def test_a_run_in_pieces_is_the_run_in_one_and_each_step_is_what_it_says(solver: Solver, penalty: Penalty) -> None:
    """The start is the first iterate; an objective is that of its weights, which do not change later."""
    problem = replace(PROBLEM, penalty=penalty)
    start = np.random.default_rng(0).normal(size=problem.n_features)
    before = start.copy()
    whole = solve(solver, problem, Stop(tol=1e-9, max_steps=120), start)
    run, handed = SolverRun(solver, problem, Stop(tol=1e-9, max_steps=1), start), []
    for limit in range(1, 121):
        run.stop = Stop(tol=1e-9, max_steps=limit)
        while run.reason is None:
            point = run.advance()
            if point is not None:
                handed.append((run.weights, run.weights.copy(), point))
    assert_array_equal(run.result().weights, whole.weights)
    assert run.result().stop == whole.stop
    assert [point.objective for point in run.trace] == [point.objective for point in whole.trace]
    assert_array_equal(start, before)
    assert_array_equal(handed[0][0], before)
    for weights, copy, point in handed:
        assert_array_equal(weights, copy)
        smooth = problem.loss.evaluate(problem.features @ weights).value
        assert point.objective == pytest.approx(smooth + problem.lam * penalty.value(weights), rel=1e-11)
    trace = whole.trace
    assert [point.step for point in trace] == sorted({point.step for point in trace})
    assert trace[0].step == 0
    assert np.all(np.diff([point.seconds for point in trace]) >= 0.0)
    assert np.all(np.diff([point.passes for point in trace]) >= 0.0)
    assert (whole.steps, whole.seconds, whole.passes) == (trace[-1].step, trace[-1].seconds, trace[-1].passes)
    assert whole.nonzero == trace[-1].nonzero == np.count_nonzero(whole.weights)


def counted(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[int]:
    """How often these methods of a problem are called from now on, in a list of one number."""
    taken = [0]

    def counting(reads):  # type: ignore[no-untyped-def]
        def method(self: Problem, *arguments: np.ndarray) -> object:
            taken[0] += 1
            return reads(self, *arguments)

        return method

    for name in names:
        monkeypatch.setattr(Problem, name, counting(getattr(Problem, name)))
    return taken


WITHOUT_HESSIAN = [(s, p) for s, p in RUNS if not isinstance(s, ProximalNewton | ReweightedL1) and s != Newton()]


@pytest.mark.parametrize(("solver", "penalty"), WITHOUT_HESSIAN, ids=lambda x: getattr(x, "id", None) or x.title)
def test_no_pass_over_the_features_is_left_uncounted(
    solver: Solver, penalty: Penalty, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores and pull-backs are a pass each; up to two more are allowed for work that was not by these."""
    taken = counted(monkeypatch, "scores", "pull_back")
    run = SolverRun(solver, replace(PROBLEM, penalty=penalty), Stop(tol=1e-9, max_steps=150))
    while run.reason is None:
        point = run.advance()
        if point is not None:
            assert taken[0] <= point.passes <= taken[0] + 2


@pytest.mark.parametrize("penalty", [L1(), Log(), MCP()], ids=lambda x: x.title)
def test_proximal_newton_reads_the_features_once_a_step(penalty: Penalty, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each iterate's passes are those that were made, each of all rows; a step needs one, seldom a second."""
    apart = solve(ProximalNewton(), replace(PROBLEM, penalty=penalty), Stop(tol=1e-9))
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)
    taken = counted(monkeypatch, "scores", "pull_back", "hessian", "at", "hessian_at_zero")
    run = SolverRun(ProximalNewton(), replace(PROBLEM, penalty=penalty), Stop(tol=1e-9))
    while run.reason is None:
        point = run.advance()
        assert point is None or point.passes == taken[0] == run.problem.counter.passes
    last, rounds = run.trace[-1], 1 if penalty.convex else 2
    assert run.reason == "converged"
    assert last.objective == pytest.approx(apart.objective, rel=1e-8), "a small X is read three times a step instead"
    assert last.passes <= last.step + 1 + 3 * rounds


CLOCK = Clock()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.perf_counter", CLOCK)


@dataclass(frozen=True)
class Slow:
    """A solver that only takes time: 20 ms a step, of which ``measuring`` are for show."""

    id: ClassVar[str] = "slow"
    title: ClassVar[str] = "slow"
    explanation: ClassVar[str] = ""

    measuring: float = 0.0
    n_steps: int = 1000

    def accepts(self, problem: Problem) -> str | None:
        return None

    def iterate(self, problem: Problem, start: np.ndarray) -> Iterator[Iterate]:
        for step in range(self.n_steps):
            CLOCK.now += 0.02
            yield Iterate(
                step, start, 1.0, Certificate("duality gap", 1.0, 1.0, among=""), step, measuring=self.measuring
            )


@pytest.mark.usefixtures("clock")
def test_it_stops_by_steps_by_time_within_a_step_and_where_its_solver_ends() -> None:
    limited = solve(Slow(), PROBLEM, Stop(max_steps=3))
    assert (limited.stop, limited.steps, len(limited.trace)) == ("step limit", 3, 4)
    late = solve(Slow(), PROBLEM, Stop(max_seconds=0.05))
    assert late.stop == "time limit"
    assert late.trace[-2].seconds < 0.05 <= late.seconds
    ended = solve(Slow(n_steps=2), PROBLEM)
    assert (ended.stop, len(ended.trace)) == ("no further progress", 2)


@pytest.mark.usefixtures("clock")
def test_time_of_measuring_and_between_steps_is_not_counted() -> None:
    assert solve(Slow(measuring=0.02), PROBLEM, Stop(max_steps=3)).seconds == pytest.approx(0.0)
    run = SolverRun(Slow(), PROBLEM)
    run.advance()
    CLOCK.now += 0.2
    run.advance()
    assert run.trace[-1].seconds == pytest.approx(0.04)
    assert run.reason is None
    assert run.result().stop == "stopped", "left off on its way"


def test_a_papers_rule_that_is_met_is_called_so_and_extending_goes_on_to_the_certificate() -> None:
    """Steps that change little bound nothing: here the gap is still a thousand times the tolerance."""
    papers = Stop(tol=1e-8, change=1e-3, max_steps=400, papers_limit=True)
    run = SolverRun(Fista(), PROBLEM, papers)
    run.finish()
    before, last = run.trace[-2:]
    assert run.reason == run.result().stop == "the paper's rule"
    assert abs(last.objective - before.objective) <= 1e-3 * before.objective
    assert last.certificate.relative > 1e-5
    reached = len(run.trace)
    run.extend()
    run.finish()
    assert run.reason == "converged"
    assert run.trace[-1].certificate.relative <= 1e-8
    assert len(run.trace) > reached


def test_a_certificate_within_the_tolerance_is_convergence_whatever_the_papers_rule_says() -> None:
    run = SolverRun(ProximalNewton(), PROBLEM, Stop(tol=1e-6, change=1e9))
    run.advance()
    run.advance()
    assert run.reason == "the paper's rule"
    run.stop = Stop(tol=run.trace[-1].certificate.relative, change=1e9)
    assert run.reason == "converged"


def test_without_a_papers_rule_an_objective_that_stands_still_at_0_is_no_reason_to_stop() -> None:
    class Still(Slow):
        def iterate(self, problem: Problem, start: np.ndarray) -> Iterator[Iterate]:
            for step in range(3):
                yield Iterate(step, start, 0.0, Certificate("stationarity", 1.0, 1.0, among=""), step)

    assert solve(Still(), PROBLEM).stop == "no further progress"


def test_a_papers_limit_of_steps_is_told_from_patience() -> None:
    run = SolverRun(Slow(), PROBLEM, Stop(max_steps=2, papers_limit=True))
    run.finish()
    assert run.reason == "the paper's step limit"
    run.extend()
    run.finish()
    assert (run.reason, run.trace[-1].step) == ("step limit", 4)


def test_a_provisional_step_does_not_end_a_run() -> None:
    """Inside a round the certificate is the round's: a gap of 0 there is no convergence."""
    run = SolverRun(ReweightedL1(), replace(PROBLEM, penalty=MCP(0.5)), Stop(tol=1e-2))
    run.finish()
    assert any(point.provisional and point.certificate.relative <= 1e-2 for point in run.trace)
    assert not run.trace[-1].provisional


SOME = Iterate(0, np.ones(2), 1.0, Certificate("duality gap", 0.5, 0.5, among=""), 1.0)
HERE = Problem(np.eye(2), SquaredHinge(np.array([1, 0]), np.array([0, 2])), L1(), 0.1)


def doubled() -> RankingData:
    """Two features twice, and one that is constant."""
    data = ranking_problem(1, n_queries=4, n_documents=8, n_features=3)
    x = np.column_stack([data.features, data.features[:, :2], np.ones(32)])
    return lists_of([data.relevance[first : first + 8].tolist() for first in range(0, 32, 8)], x)


FAMILY = {
    "tiny lambda, all won": (all_won(), 1e-9),
    "tiny lambda, not all": (ranking_problem(2, n_queries=4, n_documents=8, n_features=4), 1e-12),
    "doubled features": (doubled(), 0.1),
    "more features than documents": (ranking_problem(3, n_queries=2, n_documents=6, n_features=20), 0.1),
}
SOLVERS = {
    (method.loss.make, type(method.make_penalty(method.settings(), 1.0)), solver.id): (method, solver)
    for method in METHODS
    for solver in method.solvers
}


@dataclass
class Recorded:
    """A solver whose iterates are kept."""

    id: ClassVar[str] = "recorded"
    title: ClassVar[str] = "recorded"
    explanation: ClassVar[str] = ""

    inner: Solver
    seen: list[tuple[object, ...]] = field(default_factory=list)

    def accepts(self, problem: Problem) -> str | None:
        return self.inner.accepts(problem)

    def iterate(self, problem: Problem, start: np.ndarray) -> Iterator[Iterate]:
        for iterate in self.inner.iterate(problem, start):
            self.seen.append((iterate.weights.tobytes(), iterate.objective, iterate.certificate, iterate.hidden))
            yield iterate


HARDEST = "tiny lambda, not all"
EVERYWHERE = ("proximal-newton", "fista", "interior-point", "fully-corrective", "rfe")
ALWAYS = [
    *[(*pair, HARDEST) for pair in ONE_OF_EACH.values()],
    *[(*ONE_OF_EACH[name], case) for name in EVERYWHERE for case in FAMILY if case != HARDEST],
]
MORE = [(*pair, case) for pair in SOLVERS.values() for case in FAMILY if (*pair, case) not in ALWAYS]


@pytest.mark.parametrize(
    ("method", "solver", "case"), sweep(ALWAYS + MORE, always=len(ALWAYS)), ids=lambda x: getattr(x, "id", x)
)
def test_no_solver_repeats_itself(method: Method, solver: Solver, case: str) -> None:
    data, ratio = FAMILY[case]
    training = method.training(data)
    if training.lam_max == 0.0:
        pytest.skip("the empty model is optimal")
    problem = method.problem(training, training.lam_at(ratio), method.settings())
    recorded = Recorded(solver)
    steps = 30 if isinstance(solver, Admm | AdmmExactProx) else 500
    result = solve(recorded, problem, Stop(tol=0.0, max_steps=steps))
    most = max(Counter(recorded.seen[-WINDOW:]).values())
    assert most <= RETURNS + 1
    if most == RETURNS + 1:
        assert result.stop in ("no further progress", "converged")


@pytest.mark.parametrize("circle", [1, 2, 7])
def test_what_comes_back_ends_a_run_for_lack_of_precision_not_of_patience(circle: int) -> None:
    class Circling(Recorded):
        def iterate(self, problem: Problem, start: np.ndarray) -> Iterator[Iterate]:
            for step in range(10**6):
                yield replace(SOME, step=step, weights=np.array([0.0, step % circle]))

    found = SolverRun(Circling(Fista()), HERE, Stop(max_steps=1000))
    found.finish()
    assert found.reason == "no further progress"
    assert found.trace[-1].step == RETURNS * circle


@pytest.mark.parametrize(
    "change",
    [
        lambda step: {"objective": 1.0 - 1e-15 * step},
        lambda step: {"certificate": Certificate("duality gap", 0.5 - 1e-15 * step, 0.5, among="")},
        lambda step: {"weights": np.array([1.0, 1.0 + 1e-15 * step])},
        lambda step: {"hidden": (float(step),)},
    ],
    ids=["objective", "bound", "weights", "multipliers"],
)
def test_while_anything_moves_it_is_no_standstill(change) -> None:  # type: ignore[no-untyped-def]
    endless = (replace(SOME, step=step, **change(step)) for step in range(10**6))
    assert len(list(islice(until_standstill(endless), 1000))) == 1000


def test_what_comes_back_after_long_is_chance() -> None:
    endless = (replace(SOME, step=step, objective=float(step % (WINDOW // RETURNS + 1))) for step in range(10**6))
    assert len(list(islice(until_standstill(endless), 2000))) == 2000
