"""No solver repeats itself: where precision runs out the run ends and says so, whatever the solver and the data."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.methods import METHODS, Method
from core.penalties import L1
from core.solvers import Certificate, Fista, Iterate, Problem, Solver, SolverRun, Stop, solve
from core.solvers.admm.admm import Admm, AdmmExactProx
from core.solvers.base import RETURNS, WINDOW, until_standstill
from tests.cases import sweep
from tests.oracles import all_won, lists_of, ranking_problem
from tests.solvers.limits import ONE_OF_EACH

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
