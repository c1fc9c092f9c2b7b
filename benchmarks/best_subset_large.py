"""The best subset of more documents than its search can look at often: gap, seconds, memory, and how soon it stops."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import peak_megabytes, side_by_side
from core.losses import SquaredHinge
from core.methods.training import RANKSVM_LOSS, Training
from core.penalties import L2Budget
from core.solvers import BranchAndBound, Problem, SolverRun, Stop

LARGE = Shape(n_queries=2500, documents_per_query=100, n_features=136, relevant_per_query=10)
RATIO = 1e-3
COUNTS = (5, 8)
LONGEST = 120.0  # processor seconds of a search; a step that has begun is finished
PROVEN = 1e-5
STOPS_WITHIN = 5.0


def run(threads: int | None) -> Report:
    """One thread, processor time; each search has a process of its own, for its peak of memory."""
    rows = [row for k in COUNTS for row in side_by_side(searched, [(k,)], 1)]
    slowest = max(float(row[4]) for row in rows)
    return Report(
        title="Best subset of many documents: what a search of some minutes reaches",
        setting=(
            f"{LARGE}, generated, float32; lambda = {RATIO:g} lambda_max; one thread, whose processor time counts, at "
            f"most {LONGEST:.0f} s of it"
        ),
        columns=(
            Column("k", "d"),
            Column("first model, s", ".1f"),
            Column("above the last", ".1e"),
            Column("its gap", ".1e"),
            Column("longest step, s", ".1f"),
            Column("steps", "d"),
            Column("s", ".0f"),
            Column("objective", ".6f"),
            Column("gap", ".1e"),
            Column("features, MB", ".0f"),
            Column("peak before, MB", ".0f"),
            Column("peak, MB", ".0f"),
        ),
        rows=rows,
        goals=(
            Goal(f"no step is longer than {STOPS_WITHIN:.0f} s, so that Stop acts by then", f"{slowest:.1f} s",
                 slowest <= STOPS_WITHIN),
        ),
        notes=(
            "Objectives and gaps are those of all documents. First model: elimination, before exchanges on a sample.",
            "Peak: of the whole process, the program included; the one before is that of generating the data.",
        ),
    )  # fmt: skip


def searched(k: int) -> tuple[Cell, ...]:
    """A row of the table."""
    data = generate(LARGE)
    features = data.features.astype(np.float32)
    loss = SquaredHinge.of(data)
    lam = RATIO * Training(data, loss, RANKSVM_LOSS).lam_max
    del data
    before = peak_megabytes()
    run = SolverRun(BranchAndBound(), Problem(features, loss, L2Budget(k), lam), Stop(tol=PROVEN))
    begun, times = time.process_time(), [0.0]
    while run.reason is None and times[-1] < LONGEST:
        run.advance()
        times.append(time.process_time() - begun)
    first, last = run.trace[1], run.trace[-1]
    return (
        k, times[2], first.objective / last.objective - 1.0, first.certificate.relative, float(np.diff(times).max()),
        last.step, times[-1], last.objective, last.certificate.relative, features.nbytes / 1e6, before,
        peak_megabytes(),
    )  # fmt: skip
