"""The best subset on all cores against one: the same tree, so the ratio of the seconds is what the cores are worth."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.pairing import take_turns
from benchmarks.real_data import SAMPLE, licensed_sets
from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import kernels_limited_to
from core.data import RankingData, open_dataset
from core.losses import SquaredHinge
from core.methods.training import RANKSVM_LOSS, Training
from core.penalties import L2Budget
from core.solvers import BranchAndBound, FitResult, Problem, Stop, solve
from core.threads import thread_count

RATIO = 1e-3
K = 5
PROVEN = 1e-5
ROUNDS = 5
WIDE = Shape(n_queries=100, documents_per_query=100, n_features=136, relevant_per_query=10)
WIDE_K, WIDE_STEPS = 3, 10
ONE, ALL = "one thread", "all threads"


def run(threads: int | None) -> Report:
    """Searches by turns on one thread and on all, which the program uses by itself."""
    most = threads or thread_count()
    cases = [(name, open_dataset(name).fold(1).train, K, Stop(tol=PROVEN)) for name in (*licensed_sets(), SAMPLE)]
    cases.append(("generated", generate(WIDE), WIDE_K, Stop(tol=PROVEN, max_steps=WIDE_STEPS)))
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    for name, data, k, stop in cases:
        problem = _problem(data, k)
        rounds = take_turns({ONE: _search(problem, stop, 1), ALL: _search(problem, stop, most)}, ROUNDS)
        ratio = rounds.ratio(ONE, ALL)
        rows.append((name, k, rounds.results[ONE].passes, rounds.median(ONE), rounds.median(ALL), ratio.median,
                     ratio.least, ratio.most))  # fmt: skip
        same = rounds.results[ONE].certificate == rounds.results[ALL].certificate
        goals.append(Goal(f"{name}: the same bound on one thread and on {most}", "yes" if same else "no", same))
    return Report(
        title=f"Best subset: {most} threads against one",
        setting=(
            f"Fold 1, train; lambda = {RATIO:g} lambda_max; to the proof, {WIDE} for {WIDE_STEPS} steps; {ROUNDS} "
            "rounds by turns, medians, seconds on the clock"
        ),
        columns=(
            Column("data"),
            Column("k", "d"),
            Column("passes", ",.0f"),
            Column("one thread, s", ".2f"),
            Column(f"{most} threads, s", ".2f"),
            Column("ratio", ".2f"),
            Column("least", ".2f"),
            Column("most", ".2f"),
        ),
        rows=rows,
        goals=goals,
        notes=(
            "BLAS has one thread throughout, as in the program.",
            "Nodes are looked at in groups of four, one a thread; the loss at a single point is cut by queries.",
        ),
    )


def _problem(data: RankingData, k: int) -> Problem:
    loss = SquaredHinge.of(data)
    return Problem(data.features, loss, L2Budget(k), RATIO * Training(data, loss, RANKSVM_LOSS).lam_max)


def _search(problem: Problem, stop: Stop, threads: int) -> Callable[[], FitResult]:
    def search() -> FitResult:
        with kernels_limited_to(threads):
            return solve(BranchAndBound(), problem, stop)

    return search
