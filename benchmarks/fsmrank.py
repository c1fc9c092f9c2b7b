"""FSMRank: what its algorithm costs to its paper's stop, and subgradient descent beside it (the paper's Fig. 5)."""

from __future__ import annotations

import numpy as np

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, FloatArray, generate
from benchmarks.threads import limited_to
from core.losses import LossEvaluation, SquaredHinge
from core.methods.fsmrank import FSMRANK
from core.methods.training import Training
from core.solvers import Solver, SolverRun, Stop

SHARES = (0.1, 0.01, 0.001)
GOAL = 3.0
ACCURACY = 1e-3
MAX_STEPS = 2000


class _Counting(SquaredHinge):
    """Counts its evaluations."""

    calls = 0

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        self.calls += 1
        return super().evaluate(scores)


def run(threads: int | None) -> Report:
    """Evaluations an iteration to the paper's stop, and seconds to a suboptimality with each solver."""
    data = generate(TD2004)
    largest = float(FSMRANK.grid(FSMRANK.training(data))[0])
    rows, counts = [], []
    with limited_to(threads) as used:
        for share in SHARES:
            lam = share * largest
            loss = _Counting(data.relevance, data.query_offsets)
            training = Training(data, loss, FSMRANK.loss)
            papers = FSMRANK.fit(training, lam)
            counts.append(loss.calls / papers.result.steps)
            best = FSMRANK.fit(training, lam, solver="fista", stop=Stop(tol=1e-8, max_steps=5000)).result
            lower_bound = best.objective - best.certificate.value
            seconds = [_seconds_to(solver, training, lam, lower_bound) for solver in FSMRANK.solvers]
            suboptimality = papers.result.objective / lower_bound - 1.0
            rows.append([f"{share:g}", papers.result.steps, papers.result.seconds, counts[-1], suboptimality, *seconds])
    worst = max(counts)
    return Report(
        title="FSMRank to its paper's stop, and its solvers to a suboptimality of 1e-3",
        setting=f"{TD2004}; {used}; at most {MAX_STEPS:,} steps; '-' is not reached",
        columns=(
            Column("λ₂/λ_max"),
            Column("steps", ",d"),
            Column("seconds", ".2f"),
            Column("evaluations a step", ".2f"),
            Column("suboptimality", ".0e"),
            *(Column(f"s: {solver.id}", ".2g") for solver in FSMRANK.solvers),
        ),
        rows=rows,
        goals=[Goal(f"an iteration takes at most {GOAL:g} loss evaluations on average", f"{worst:.2f}", worst <= GOAL)],
    )


def _seconds_to(solver: Solver, training: Training, lam: float, lower_bound: float) -> float | str:
    """Of the solver's own time, until its objective is within the accuracy of a lower bound."""
    steps = SolverRun(
        solver, FSMRANK.problem(training, lam, FSMRANK.settings()), Stop(tol=0.0, max_steps=MAX_STEPS, max_seconds=10.0)
    )
    objective = np.inf
    while steps.reason is None:
        point = steps.advance()
        objective = np.inf if point is None else point.objective
        if objective <= lower_bound * (1.0 + ACCURACY):
            return steps.trace[-1].seconds
    return "-"
