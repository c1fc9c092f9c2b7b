"""Passes over X of large data: an ℓ1 fit in both precisions, and a path of a hundred λ against the fit at its end."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import limited_to
from core.analysis.path import lambda_grid, regularization_path
from core.data import RankingData
from core.methods import get_method
from core.solvers import FitResult, Stop

FIT = Shape(n_queries=18_830, documents_per_query=120, n_features=136, relevant_per_query=12)
"""2.26 million documents; 2.5 GB in float64."""
PATH = replace(FIT, n_queries=FIT.n_queries // 8)
RATIO, GAP, LAMBDAS, ROUNDS = 0.01, 1e-4, 100, 3
MOST_PASSES, MOST_FITS = 15.0, 8.0
Row = tuple[str, int, str, int, float, float]


def run(threads: int | None) -> Report:
    """Passes are counted by the problem and do not depend on the machine; seconds do.

    Single fits are timed once, the path and the fit at its end by turns.
    """
    method, stop = get_method("l1"), Stop(tol=GAP)
    rows: list[Row] = []
    goals = []
    with limited_to(threads) as used:
        for dtype in (np.float64, np.float32):
            made = generate(FIT)
            data = RankingData.build(made.features, made.relevance, made.query_offsets, dtype=dtype)
            del made
            training = method.training(data)
            begun = time.perf_counter()
            one = method.fit(training, training.lam_at(RATIO), stop=stop).result
            seconds = time.perf_counter() - begun
            name = np.dtype(dtype).name
            rows.append(("one fit", data.n_documents, name, 1, one.passes, seconds))
            goals.append(
                Goal(f"{name}: at most {MOST_PASSES:g} passes", f"{one.passes:.0f}", one.passes <= MOST_PASSES)
            )
            del data, training
        training = method.training(generate(PATH))
        grid = lambda_grid(training.lam_max, LAMBDAS, RATIO)

        def end() -> list[FitResult]:
            return [method.fit(training, float(grid[-1]), stop=stop).result]

        def path() -> list[FitResult]:
            return [point.fit.result for point in regularization_path(method, training, grid, stop=stop)]

        times = take_turns({"fit at the end of the path": end, f"path of {LAMBDAS} λ": path}, ROUNDS)
    passes = {name: sum(result.passes for result in results) for name, results in times.results.items()}
    for name, results in times.results.items():
        rows.append((name, PATH.n_documents, "float64", len(results), passes[name], times.median(name)))
    alone, along = passes
    fits, slower = passes[along] / passes[alone], times.ratio(along, alone)
    goals.append(Goal(f"path: passes of at most {MOST_FITS:g} fits at its end", f"{fits:.1f}", fits <= MOST_FITS))
    goals.append(Goal(f"path: time of at most {MOST_FITS:g} fits at its end", str(slower), slower.median <= MOST_FITS))
    return Report(
        title=f"Passes over X, ℓ1 at λ_max/{1 / RATIO:.0f} to a relative gap of {GAP:g}",
        setting=f"{FIT.documents_per_query} documents a query x {FIT.n_features} features; {used}",
        columns=(
            Column("work"),
            Column("documents", ","),
            Column("X"),
            Column("models", "d"),
            Column("passes over X", ".0f"),
            Column("seconds", ".1f"),
        ),
        rows=rows,
        goals=goals,
    )
