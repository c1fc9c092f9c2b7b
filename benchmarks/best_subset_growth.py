"""The best subset: how the time to the proof grows, beside enumeration and beside SCIP on explicit pairs."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import comb

import numpy as np

from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.shapes import Shape, generate, pair_differences
from benchmarks.threads import limited_to
from core.data import RankingData
from core.losses import SquaredHinge
from core.methods.training import RANKSVM_LOSS, Training
from core.penalties import L2Budget, L2On
from core.solvers import BranchAndBound, FitResult, OnChosenFeatures, Problem, SolverRun, Stop, solve

PROVEN = 1e-5
LONGEST = 30.0  # processor seconds of a search; SCIP has as many on the clock
TRIED_SETS = 60  # of which enumeration's time a set is the mean
AGREE = 1e-3  # SCIP's own gap
SMALL = Shape(n_queries=3, documents_per_query=10, n_features=10, relevant_per_query=3)
FEW_PAIRS = 100  # beyond which SCIP is not asked


@dataclass(frozen=True)
class Case:
    """A problem of the table: what is varied, and all of its settings."""

    varied: str
    shape: Shape
    k: int = 3
    ratio: float = 1e-3
    copies: float = 0.0  # noise of copies of all features, in their standard deviations; 0 for no copies

    def data(self) -> RankingData:
        """Generate it."""
        plain = generate(self.shape)
        if self.copies == 0.0:
            return plain
        noise = np.random.default_rng(1).normal(size=plain.features.shape) * plain.features.std(axis=0)
        wide = np.column_stack([plain.features, plain.features + self.copies * noise])
        return RankingData.build(wide, plain.relevance, plain.query_offsets)


MIDDLE = Shape(n_queries=30, documents_per_query=40, n_features=30, relevant_per_query=5)
CASES = (
    *(Case("small", SMALL, k=k, ratio=0.1) for k in (2, 4)),
    Case("small", SMALL, k=2, ratio=0.02),
    *(Case("k", MIDDLE, k=k) for k in (2, 3, 4, 6)),
    *(Case("d", replace(MIDDLE, n_features=d)) for d in (15, 60, 100)),
    *(Case("copies", replace(MIDDLE, n_features=15), copies=noise) for noise in (0.5, 0.2, 0.05)),
    *(Case("ridge", MIDDLE, ratio=ratio) for ratio in (1e-1, 1e-2, 1e-4)),
)


def run(threads: int | None) -> Report:
    """One thread; processor time of the search, clock of SCIP, which uses one thread too."""
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    with limited_to(1):
        for case in CASES:
            data = case.data()
            problem = _problem(data, case)
            searched, seconds = _searched(problem)
            sets, each = comb(data.n_features, case.k), _seconds_a_set(problem, case.k)
            outside, clock, reached = _scip(data, problem, case.k)
            rows.append(
                (case.varied, data.n_features, case.k, case.ratio, case.copies, searched.certificate.relative, seconds,
                 sets, sets * each, clock)
            )  # fmt: skip
            if reached is not None:
                off = searched.objective / reached - 1.0
                claim = f"{case.varied}, k = {case.k}: not above SCIP's objective by more than its gap of {AGREE:g}"
                goals.append(Goal(claim, f"{off:+.1e}{outside}", off <= AGREE))
    return Report(
        title="Best subset: how the time to the proof grows",
        setting=f"Generated data, {MIDDLE} unless varied; one thread; a search has at most {LONGEST:.0f} s.",
        columns=(
            Column("varied"),
            Column("d", "d"),
            Column("k", "d"),
            Column("lambda/max", ".0e"),
            Column("noise of copies", ".2f"),
            Column("gap", ".1e"),
            Column("processor s", ".2f"),
            Column("sets", ",d"),
            Column("enumeration s", ",.1f"),
            Column("SCIP s", ".1f"),
        ),
        rows=rows,
        goals=goals,
        notes=(
            f"Enumeration: the number of sets times the mean of {TRIED_SETS} fits, warm from nothing.",
            f"SCIP: the perspective formulation on explicit pairs, up to {FEW_PAIRS:,} of them; '-' where there are "
            "more, or pyscipopt is not installed.",
        ),
    )


def _problem(data: RankingData, case: Case) -> Problem:
    loss = SquaredHinge.of(data)
    return Problem(data.features, loss, L2Budget(case.k), case.ratio * Training(data, loss, RANKSVM_LOSS).lam_max)


def _searched(problem: Problem) -> tuple[FitResult, float]:
    run = SolverRun(BranchAndBound(), problem, Stop(tol=PROVEN))
    begun = time.process_time()
    while run.reason is None and time.process_time() - begun < LONGEST:
        run.advance()
    return run.result(), time.process_time() - begun


def _seconds_a_set(problem: Problem, k: int) -> float:
    """Mean time of a fit of k features."""
    some = list(islice(combinations(range(problem.n_features), k), TRIED_SETS))
    begun = time.process_time()
    for chosen in some:
        solve(OnChosenFeatures(), replace(problem, penalty=L2On(np.array(chosen))), Stop(tol=PROVEN))
    return (time.process_time() - begun) / len(some)


def _scip(data: RankingData, problem: Problem, k: int) -> tuple[str, Cell, float | None]:
    """Words on its end, seconds, and objective of SCIP on the explicit pairs; dashes where it is not asked."""
    if data.n_pairs > FEW_PAIRS:
        return "", "-", None
    try:
        from pyscipopt import Model, quicksum
    except ImportError:
        return "", "-", None
    differences = pair_differences(data)
    n, d = differences.shape
    model = Model()
    model.hideOutput()
    model.setParam("limits/time", LONGEST)
    model.setParam("limits/gap", AGREE)
    largest = float(np.sqrt(2.0 / problem.lam))  # the objective of w = 0 is 1, so no square is larger than 2 / lambda
    w = [model.addVar(lb=-largest, ub=largest) for _ in range(d)]
    z = [model.addVar(vtype="B") for _ in range(d)]
    squares = [model.addVar(lb=0.0, ub=largest**2) for _ in range(d)]
    slack = [model.addVar(lb=0.0, ub=float(np.sqrt(n))) for _ in range(n)]
    loss = model.addVar(lb=0.0, ub=1.0)
    for p in range(n):
        model.addCons(slack[p] >= 1.0 - quicksum(float(differences[p, j]) * w[j] for j in range(d)))
    for j in range(d):
        model.addCons(w[j] * w[j] <= squares[j] * z[j])
    model.addCons(quicksum(z) <= k)
    model.addCons(quicksum(s * s for s in slack) <= n * loss)
    model.setObjective(loss + 0.5 * problem.lam * quicksum(squares), "minimize")
    begun = time.perf_counter()
    model.optimize()
    words = "" if model.getStatus() in ("optimal", "gaplimit") else f" (SCIP was cut off, gap {model.getGap():.1e})"
    return words, time.perf_counter() - begun, float(model.getObjVal()) if model.getNSols() else None
