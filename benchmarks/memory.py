"""Memory of a fit as every query's list doubles: documents double, pairs quadruple. In both precisions of X."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.one_fit import added_in_fresh_process, save_arrays
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, Shape, generate
from benchmarks.threads import limited_to

LIST_LENGTHS = (494, 988, 1976, 3952)
GOAL = 1.25
PRECISIONS = ("float64", "float32")


def run(threads: int | None) -> Report:
    """Peak memory that an ℓ1 fit at λ_max/100 adds to the data, each in a fresh process."""
    rows: list[tuple[str, int, int, float, float, float, float]] = []
    with limited_to(threads) as used:
        for length in LIST_LENGTHS:
            relevant = max(1, round(length * TD2004.relevant_per_query / TD2004.documents_per_query))
            shape = Shape(TD2004.n_queries, length, TD2004.n_features, relevant)
            data = generate(shape)
            for precision in PRECISIONS:
                with TemporaryDirectory() as folder:
                    save_arrays(data, Path(folder), precision)
                    held = added_in_fresh_process(Path(folder))
                entries = shape.n_documents * shape.n_features * np.dtype(precision).itemsize
                per_document = held / shape.n_documents
                size = (shape.n_documents, shape.n_pairs, entries / 1e6)
                rows.append((precision, *size, held / 1e6, per_document, shape.pair_bytes / 1e6))
    goals = [_flat(precision, [row for row in rows if row[0] == precision]) for precision in PRECISIONS]
    return Report(
        title="Peak memory an ℓ1 fit adds to the data, at λ_max/100",
        setting=f"{TD2004.n_queries} queries x {TD2004.n_features} features; {used}; a fresh process each",
        columns=(
            Column("X"),
            Column("documents", ","),
            Column("pairs", ","),
            Column("X, MB", ".1f"),
            Column("fit adds, MB", ".1f"),
            Column("bytes per document", ".0f"),
            Column("pair differences would be, MB", ",.0f"),
        ),
        rows=rows,
        goals=goals,
    )


def _flat(precision: str, rows: Sequence[Sequence[Any]]) -> Goal:
    """Whether a fit adds as much a document to many as to few."""
    growth = rows[-1][5] / rows[0][5]
    pairs_grow = rows[-1][2] / rows[0][2]
    claim = f"{precision}: bytes per document grow at most {GOAL:g}x while pairs grow {pairs_grow:.0f}x"
    return Goal(claim, f"{growth:.2f}x", growth <= GOAL)
