"""Fig. 5 of the FSMRank paper: its objective against training time, Nesterov's method beside subgradient descent.

The paper names neither the fold nor lambda_1 and lambda_2 of the figure: here it is fold 1, and both are chosen by its
validation part, as the paper chooses them elsewhere (by NDCG@10, say Laporte et al. 2014, Section V-C). Either solver
takes the paper's T = 400 steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.fitting import Fitting, OnValidation
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable, requested_folds
from core.experiments.run.learners.registry import WARM_UP
from core.experiments.run.plan import PlannedFold
from core.methods import get_method
from core.solvers import Stop

FSMRANK = get_method("fsmrank")
REFERENCE = "fista"
SOLVERS = {solver.id: solver.title for solver in FSMRANK.solvers if solver.id != REFERENCE}
"""Titles by id: Nesterov's method with Nemirovski's line search, and subgradient descent."""
CHOSEN_BY = "NDCG@10"
POINTS, QUICK_POINTS = 20, 7
STEPS, QUICK_STEPS = 400, 100
REFERENCE_STOP = Stop(tol=1e-7, max_steps=20_000)
NEAR = 0.01
"""Relative distance within which a solver counts as having reached the optimum."""


@dataclass(frozen=True)
class ConvergenceCell:
    """One dataset."""

    fold: PlannedFold
    points: int  # values of lambda_2 to choose from
    steps: int  # steps of each solver

    @property
    def where(self) -> str:
        """The fold, for people."""
        return self.fold.where


@dataclass(frozen=True)
class Course:
    """The iterates of one solver, as columns of equal length, one row an iterate."""

    seconds: tuple[float, ...]  # solver time so far
    objective: tuple[float, ...]  # F
    nonzero: tuple[int, ...]  # number of non-zero features


@dataclass(frozen=True)
class ConvergenceOutcome:
    """Both solvers on one problem."""

    cell: ConvergenceCell
    lambda1: float
    lambda2: float
    courses: Mapping[str, Course]  # by solver
    optimum: float  # the lowest known objective, from a reference solver or from one of these
    gap: float  # duality gap of the reference: a bound on its distance from the optimum

    def seconds_to(self, solver: str) -> float | None:
        """Return when a solver first came within `NEAR` of the optimum; None if it did not."""
        course = self.courses[solver]
        near = (1.0 + NEAR) * self.optimum
        reached = (at for at, value in zip(course.seconds, course.objective, strict=True) if value <= near)
        return next(reached, None)


def convergence_outcome(
    cell: ConvergenceCell, known: Mapping[ConvergenceCell, ConvergenceOutcome]
) -> ConvergenceOutcome:
    """Choose lambda_1 and lambda_2, run both solvers from the empty model, and run a reference to its certificate."""
    fold = cell.fold.open()
    how = Fitting.on(fold, FSMRANK, {}, cell.fold.dataset.convention)
    training, chosen = how.training, how.tune(OnValidation(CHOSEN_BY, points=cell.points)).fit
    courses = {}
    for solver in SOLVERS:
        using: dict[str, Any] = {"solver": solver, "parameters": chosen.parameters}
        FSMRANK.fit(training, chosen.lam, stop=WARM_UP, **using)
        fit = FSMRANK.fit(training, chosen.lam, stop=Stop(tol=0.0, max_steps=cell.steps), **using)
        columns = zip(*((point.seconds, point.objective, point.nonzero) for point in fit.result.trace), strict=True)
        courses[solver] = Course(*columns)
    reference = FSMRANK.fit(
        training, chosen.lam, solver=REFERENCE, parameters=chosen.parameters, stop=REFERENCE_STOP
    ).result  # fmt: skip
    lowest = min(reference.objective, *(min(course.objective) for course in courses.values()))
    return ConvergenceOutcome(
        cell, chosen.parameters["lambda1"], chosen.lam, courses, lowest, reference.certificate.value
    )


def convergence_tables(outcomes: Sequence[ConvergenceOutcome]) -> tuple[ResultTable, ...]:
    """Make two tables: the result of each solver, and every iterate."""
    summary, courses = [], []
    for outcome in outcomes:
        for solver, course in outcome.courses.items():
            named = {"dataset": outcome.cell.fold.dataset.name, "solver": solver}
            summary.append(
                named
                | {
                    "steps": len(course.objective) - 1,
                    "seconds": course.seconds[-1],
                    "objective": course.objective[-1],
                    "above the optimum": course.objective[-1] - outcome.optimum,
                    "seconds to 1 %": outcome.seconds_to(solver),
                    "features": course.nonzero[-1],
                    "lambda1": outcome.lambda1,
                    "lambda2": outcome.lambda2,
                    "optimum": outcome.optimum,
                    "known to": outcome.gap,
                }
            )
            rows = zip(course.seconds, course.objective, course.nonzero, strict=True)
            courses += [
                named | {"step": step, "seconds": at, "objective": value, "features": kept}
                for step, (at, value, kept) in enumerate(rows)
            ]
    title = "After the last step; seconds to 1 %: until the objective is within 1 % of the optimum"
    return ResultTable("summary", title, tuple(summary)), ResultTable("courses", "Every iterate", tuple(courses))


def _cells(request: Request) -> tuple[ConvergenceCell, ...]:
    how = (QUICK_POINTS, QUICK_STEPS) if request.quick else (POINTS, STEPS)
    folds = requested_folds(request, parts=("train", "vali"), most=1)
    return tuple(ConvergenceCell(fold, *how) for fold in folds)


FSMRANK_CONVERGENCE = PaperExperiment(
    name="fsmrank-fig5",
    title="Convergence of FSMRank: Nesterov's method against subgradient descent",
    source="Lai et al. 2013 (FSMRank), Fig. 5, Section IV-E",
    data="any with train and vali; the paper's are OHSUMED, HP2004, NP2004 and MQ2008",
    help=(
        "On fold 1 of every dataset λ₁ and λ₂ are chosen by validation NDCG@10; then Nesterov's method and subgradient "
        "descent take 400 steps each from the empty model. The optimum is a reference solver's, with its duality gap. "
        "The paper names neither fold nor λ₁ and λ₂. Quick: 100 steps, few values of λ₂."
    ),
    cells=_cells,
    work=convergence_outcome,
    outcome=ConvergenceOutcome,
    tables=convergence_tables,
)
