"""Time of an ℓ1 fit as documents grow from ten thousand to two million."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import limited_to
from core.methods import get_method

QUERIES = (100, 1_000, 10_000, 20_000)
DOCUMENTS_PER_QUERY, N_FEATURES, RELEVANT = 100, 16, 10
ROUNDS = 3
RATIO = 0.01
GOAL = 1.05


def run(threads: int | None) -> Report:
    """The least of some rounds each; the exponent is the slope of log time over log documents."""
    rows: list[tuple[int, float, float, float]] = []
    method = get_method("l1")
    with limited_to(threads) as used:
        for n_queries in QUERIES:
            data = generate(Shape(n_queries, DOCUMENTS_PER_QUERY, N_FEATURES, RELEVANT))
            seconds = []
            for _ in range(ROUNDS):
                begun = time.perf_counter()
                training = method.training(data)
                result = method.fit(training, training.lam_at(RATIO)).result
                seconds.append(time.perf_counter() - begun)
            rows.append((data.n_documents, result.passes, min(seconds), 1e6 * min(seconds) / data.n_documents))
    sizes, times = np.log([row[0] for row in rows]), np.log([row[2] for row in rows])
    exponent = float(np.polyfit(sizes, times, 1)[0])
    return Report(
        title="Growth of an ℓ1 fit with the number of documents",
        setting=f"{DOCUMENTS_PER_QUERY} documents a query x {N_FEATURES} features, λ_max/{1 / RATIO:.0f}; {used}",
        columns=(
            Column("documents", ","),
            Column("passes over X", ".0f"),
            Column("least, s", ".3f"),
            Column("microseconds a document", ".2f"),
        ),
        rows=rows,
        goals=[Goal(f"time grows at most as documents to the power {GOAL:g}", f"{exponent:.2f}", exponent <= GOAL)],
    )
