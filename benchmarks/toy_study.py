"""Check on the toy problem of Rakotomamonjy (2012, Fig. 1 and 2) that the methods rank as in the paper.

It computes the numbers of the page's experiments on the command line: the same seeds give the same table.
"""

from __future__ import annotations

from benchmarks.report import Column, Goal, Report
from benchmarks.threads import limited_to, side_by_side
from core.experiments.infinite_push.choosing_by_top import ELIMINATION_WORDS, GRID_WORDS
from core.experiments.infinite_push.toy_study import (
    PAPER_SIZES,
    TITLES,
    ToyCell,
    ToyOutcome,
    ToyPoint,
    in_paper_order,
    toy_outcome,
    toy_points,
)
from core.experiments.run.cell_run import CellRun
from core.threads import thread_count

STUDY = PAPER_SIZES


def run(threads: int | None) -> Report:
    """Trials side by side, one thread each."""
    workers = threads or thread_count()
    by_trial = [[cell for cell in STUDY.cells if cell.trial == trial] for trial in range(STUDY.trials)]
    outcomes = side_by_side(_trial, [(cells,) for cells in by_trial], workers)
    points = toy_points([outcome for trial in outcomes for outcome in trial])
    return Report(
        title="The toy problem of Rakotomamonjy (2012, Fig. 1 and 2): positives on top, and features found",
        setting=(
            f"{STUDY.trials} trials (seeds from 0), 1000 test documents; {GRID_WORDS}; {ELIMINATION_WORDS}; {workers} "
            "processes"
        ),
        columns=(
            Column("noisy", "d"),
            Column("examples", "d"),
            Column("method"),
            Column("top", ".3f"),
            Column("s.e.", ".3f"),
            Column("p", ".3f"),
            Column("precision", ".2f"),
            Column("recall", ".2f"),
            Column("F", ".2f"),
            Column("features", ".1f"),
        ),
        rows=[_cells(point) for point in sorted(points, key=lambda point: (point.n_noisy, point.n_train))],
        goals=(_goal(points),),
        notes=("p: Wilcoxon's signed-rank test of top against the ℓ1 infinite push, two-sided, equal pairs dropped.",),
    )


def _trial(cells: list[ToyCell]) -> list[ToyOutcome]:
    with limited_to(1):
        return CellRun(cells, toy_outcome, {}).finish()


def _cells(point: ToyPoint) -> tuple[str | int | float, ...]:
    return (
        point.n_noisy,
        point.n_train,
        TITLES[point.method],
        point.top.mean,
        "-" if point.top.error is None else point.top.error,
        "-" if point.p_value is None else point.p_value,
        point.precision.mean,
        point.recall.mean,
        point.f_measure.mean,
        point.kept.mean,
    )


def _goal(points: list[ToyPoint]) -> Goal:
    sizes = [(n, noisy) for noisy in STUDY.noisy for n in STUDY.sizes if n > min(STUDY.sizes)]
    held = [in_paper_order([p for p in points if (p.n_train, p.n_noisy) == size]) for size in sizes]
    return Goal(
        f"top-rate of ℓ1 infinite push above RFE above ℓ1 RankSVM at every size beyond {min(STUDY.sizes)} examples",
        f"{sum(held)} of {len(held)}",
        all(held),
    )
