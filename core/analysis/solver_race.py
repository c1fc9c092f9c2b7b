"""A race: every solver of a method on one problem, to the same tolerance, all with the same seconds at any time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from core.analysis.fit_keywords import FittingIngredient
from core.analysis.fitting import Fitting
from core.methods import Fit, Method, MethodRun
from core.solvers import LIFTED_BY_EXTENDING, Certificate, Solver, Stop
from core.work import Snapshots


class SolverRace(Snapshots):
    """A race in progress: it is work in steps (`core.work.Extendable`), and a step is one iterate of one solver.

    The next step is always that of the solver that has used the fewest seconds. So a race that is stopped early is as
    fair as a finished one. Compiled code should be ready (`core.warm_up`): compilation would count.

    Parameters
    ----------
    how : Fitting
        Every solver is to reach the relative certificate at which it stops.
    limit : float
        Seconds that each solver may take.
    """

    def __init__(self, how: Fitting, lam: float, limit: float) -> None:
        self.tol, self.limit = how.stop.tol, limit
        self.problems: dict[str, str] = {}
        self._runs: dict[str, MethodRun] = {}
        stop = Stop(tol=self.tol, max_seconds=limit)
        for solver in how.method.solvers:
            try:
                self._runs[solver.id] = replace(how, solver=solver.id, stop=stop).run(lam)
            except ValueError as refusal:
                self.problems[solver.title] = str(refusal)

    @property
    def done(self) -> bool:
        """Whether every solver has reached the tolerance or its limit."""
        return all(run.done for run in self._runs.values())

    @property
    def share(self) -> float:
        """The share of the work that is done, as if every solver needed all its seconds."""
        if not self._runs or self.done:
            return 1.0
        return sum(1.0 if run.done else _seconds(run) / self.limit for run in self._runs.values()) / len(self._runs)

    @property
    def seconds_left(self) -> float | None:
        """The longest time that the race may still take; None before it has begun."""
        if not any(run.steps.trace for run in self._runs.values()):
            return None
        return sum(max(self.limit - _seconds(run), 0.0) for run in self._runs.values() if not run.done)

    def advance(self) -> None:
        """Let the solver take one step that has used the fewest seconds; do nothing once all are done."""
        racing = [run for run in self._runs.values() if not run.done]
        if racing:
            min(racing, key=_seconds).advance()

    def extend(self) -> None:
        """After the end, give those that reached their limit as many seconds again."""
        if not self.done or not self.extendable:
            return
        self.limit *= 2.0
        for run in self._runs.values():
            run.steps.stop = replace(run.steps.stop, max_seconds=self.limit)
            run.extend()  # a limit of steps

    @property
    def extendable(self) -> bool:
        """Whether a solver would go on if its limit were lifted."""
        return any(run.steps.reason in LIFTED_BY_EXTENDING for run in self._runs.values())

    def fits(self) -> list[Fit]:
        """What each solver has reached, in the order of the method's list; those without an iterate are left out."""
        return [run.fit() for run in self._runs.values() if run.steps.trace]


def _seconds(run: MethodRun) -> float:
    return run.steps.trace[-1].seconds if run.steps.trace else 0.0


@dataclass(frozen=True, eq=False)
class Standing:
    """How a solver stands in a race.

    Attributes
    ----------
    reached : bool
        Whether it has reached the tolerance.
    running : bool
        Whether it is still under way.
    """

    solver: Solver
    fit: Fit
    reached: bool
    running: bool

    @property
    def seconds(self) -> float:
        """Solver time so far; to the tolerance, where it has been reached."""
        return self.fit.result.seconds

    @property
    def steps(self) -> int:
        """Steps so far."""
        return self.fit.result.steps

    @property
    def certificate(self) -> Certificate:
        """That of its model."""
        return self.fit.result.certificate


def standings(method: Method, fits: Sequence[Fit]) -> list[Standing]:
    """Order the solvers of a race: those at the tolerance by their seconds, then the others by their certificates."""
    found = [
        Standing(
            solver=method.solver(fit.solver),
            fit=fit,
            reached=fit.result.stop in ("converged", "empty model", "empty model on what is left"),
            running=fit.result.stop == "stopped",
        )
        for fit in fits
    ]
    return sorted(found, key=lambda s: (not s.reached, s.seconds if s.reached else s.certificate.relative))


@dataclass(frozen=True, eq=False)
class Raced:
    """What the solvers have reached.

    Attributes
    ----------
    fits : sequence of Fit
        In the order of the method's list.
    tol : float
        The relative certificate that they race to.
    limit : float
        Seconds that each may take.
    """

    fits: Sequence[Fit]
    tol: float
    limit: float

    @classmethod
    def of(cls, run: SolverRace) -> Self:
        """So far."""
        return cls(run.fits(), run.tol, run.limit)


@dataclass(frozen=True)
class SolversRace(FittingIngredient[Raced]):
    """A race of all solvers of a method on a fold.

    Attributes
    ----------
    limit : float
        Seconds that each may take.
    """

    c: float
    limit: float

    what = "Racing"

    def work(self) -> SolverRace:
        """Prepare the race.

        Raises a `DataError` if the data cannot be learned from, and a `ValueError` if C cannot be.
        """
        how = self.fitting
        return SolverRace(how, how.training.lam_of(self.c), self.limit)

    def result(self, run: SolverRace) -> Raced:
        """What they have reached."""
        return Raced.of(run)
