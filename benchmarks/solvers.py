"""The solvers of the ℓ1 problem side by side: time and passes over the data to two accuracies."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.real_data import SAMPLE, size_of
from benchmarks.report import Cell, Column, Report
from benchmarks.threads import limited_to
from core.data import open_dataset
from core.methods import get_method
from core.solvers import Stop, TracePoint

RATIO = 0.01
ACCURACIES = (1e-3, 1e-6)
MAX_SECONDS = 8.0


def run(threads: int | None) -> Report:
    """To a relative suboptimality, against a certified optimum, and to the gap with which a solver proves it itself."""
    train = open_dataset(SAMPLE).fold(1).train
    method = get_method("l1")
    training = method.training(train)
    lam = training.lam_at(RATIO)
    rows = []
    with limited_to(threads) as used:
        best = method.fit(training, lam, stop=Stop(tol=1e-13)).result
        lower_bound = best.objective - best.certificate.value
        stop = Stop(tol=min(ACCURACIES), max_seconds=MAX_SECONDS)
        for solver in method.solvers:
            steps = method.run(training, lam, solver=solver.id, stop=stop).steps
            while steps.reason is None:
                steps.advance()
            row: list[Cell] = [solver.title]
            for accuracy in ACCURACIES:
                wanted = lower_bound * (1.0 + accuracy)
                row += _first(point for point in steps.trace if point.objective <= wanted)
            row += _first(point for point in steps.trace if point.certificate.relative <= stop.tol)
            reached = (steps.trace[-1].objective - lower_bound) / lower_bound
            rows.append([*row, reached])
    columns = [Column("solver")]
    for target in (*(f"{accuracy:.0e}" for accuracy in ACCURACIES), f"own gap {stop.tol:.0e}"):
        columns += [Column(f"s to {target}", ".2g"), Column("passes", ",.0f")]
    return Report(
        title=f"Solvers of the ℓ1 problem at λ_max/{1 / RATIO:g}, cold start: to a suboptimality, or a proof of it",
        setting=f"{SAMPLE} fold 1: {size_of(train)}; {used}; at most {MAX_SECONDS:g} s each; '-' is not reached",
        columns=(*columns, Column("suboptimality at the end", ".0e")),
        rows=rows,
    )


def _first(good_enough: Iterator[TracePoint]) -> tuple[Cell, Cell]:
    """Seconds and passes at the first of these iterates, if there is one."""
    point = next(good_enough, None)
    return ("-", "-") if point is None else (point.seconds, point.passes)
