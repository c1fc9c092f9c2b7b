"""Memory of a fit as every query's list doubles: documents double, pairs quadruple."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.one_fit import in_fresh_process, save_arrays
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, Shape, generate
from benchmarks.threads import limited_to

LIST_LENGTHS = (494, 988, 1976, 3952)
GOAL = 1.25


def run(threads: int | None) -> Report:
    """Peak memory that an ℓ1 fit at λ_max/100 adds to the data, each in a fresh process."""
    rows: list[tuple[int, int, float, float, float]] = []
    with limited_to(threads) as used:
        for length in LIST_LENGTHS:
            relevant = max(1, round(length * TD2004.relevant_per_query / TD2004.documents_per_query))
            shape = Shape(TD2004.n_queries, length, TD2004.n_features, relevant)
            with TemporaryDirectory() as folder:
                save_arrays(generate(shape), Path(folder))
                held = in_fresh_process(Path(folder), warm=True)["fit_bytes"]
            per_document = held / shape.n_documents
            rows.append((shape.n_documents, shape.n_pairs, held / 1e6, per_document, shape.pair_bytes / 1e6))
    growth = rows[-1][3] / rows[0][3]
    pairs_grow = rows[-1][1] / rows[0][1]
    claim = f"bytes per document grow at most {GOAL:g}x while pairs grow {pairs_grow:.0f}x"
    return Report(
        title="Peak memory an ℓ1 fit adds to the data, at λ_max/100",
        setting=f"{TD2004.n_queries} queries x {TD2004.n_features} features; {used}; a fresh process each",
        columns=(
            Column("documents", ","),
            Column("pairs", ","),
            Column("fit adds, MB", ".1f"),
            Column("bytes per document", ".0f"),
            Column("pair differences would be, MB", ",.0f"),
        ),
        rows=rows,
        goals=[Goal(claim, f"{growth:.2f}x", growth <= GOAL)],
    )
