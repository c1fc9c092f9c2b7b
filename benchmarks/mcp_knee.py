"""The knee of MCP and of SCAD, chosen by validation MAP: a study that the default parameters rest on.

It is chosen on the sets of `benchmarks.choosing_data` alone. MQ2008 is shown where it is at hand and chooses nothing:
there a validation part is another fold's test part.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.choosing_data import CHOOSING, open_choosing
from benchmarks.default_study import BySet, Tuned, cells, recommendation, shortfall, sparsity, tune
from benchmarks.real_data import LICENSED, licensed_sets
from benchmarks.report import Column, Report
from benchmarks.threads import side_by_side
from core.threads import thread_count

KNEES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
PENALTIES = ("mcp", "scad")
POINTS = 30
SETTINGS = (("l1", np.inf), *product(PENALTIES, KNEES))
"""Penalty and knee; without a knee (infinite) both are ℓ1."""


def run(threads: int | None) -> Report:
    """On every set, all folds; folds and knees side by side, one thread each."""
    workers = threads or thread_count()
    shown = licensed_sets()
    rows: list[tuple[str, str, str, float, str, float, float, float, str]] = []
    found = {name: _tuned(name, workers) for name in (*CHOOSING, *shown)}
    notes = []
    for penalty in PENALTIES:
        by_set: dict[str, dict[float, Tuned]] = {
            name: {knee: tuned[penalty if np.isfinite(knee) else "l1", knee] for knee in (*KNEES, np.inf)}
            for name, tuned in found.items()
        }
        rows += [(name, penalty, f"{k:g}", *cells(k, by_knee)) for name, by_knee in by_set.items() for k in by_knee]
        notes += [f"{name}, {penalty}: {recommendation({name: by_knee})}" for name, by_knee in by_set.items()]
        choosing: BySet = {name: by_set[name] for name in CHOOSING}
        notes += [f"together without {LICENSED}, {penalty}: {recommendation(choosing)}"]
        notes += [
            f"  knee {knee:g}: below the best {short:.4f} ± {error:.4f}, sparsity ratio {sparsity(knee, choosing):.2f}"
            for knee in (*KNEES, np.inf)
            for short, error in [shortfall(knee, choosing)]
        ]
    return Report(
        title="The knee of MCP and SCAD by validation MAP; without a knee (inf) both are ℓ1",
        setting=(
            f"Chosen on {', '.join(CHOOSING)}{f'; {LICENSED} is shown and chooses nothing' if shown else ''}; all "
            f"folds; {POINTS} λ from λ_max to λ_max/10 000; {workers} processes"
        ),
        columns=(
            Column("data"),
            Column("penalty"),
            Column("knee"),
            Column("vali MAP", ".4f"),
            Column("below the best ± s.e."),
            Column("test MAP", ".4f"),
            Column("test NDCG@10", ".4f"),
            Column("sparsity ratio", ".2f"),
            Column("median λ/λ_max"),
        ),
        rows=rows,
        notes=notes,
    )


def _tuned(name: str, workers: int) -> dict[tuple[str, float], Tuned]:
    folds = range(1, open_choosing(name).n_folds + 1)
    jobs = [
        (name, fold, penalty, {"knee": knee} if np.isfinite(knee) else {}, POINTS)
        for penalty, knee in SETTINGS
        for fold in folds
    ]
    outcomes = np.reshape(side_by_side(tune, jobs, workers), (len(SETTINGS), len(folds), -1))
    return {setting: Tuned(*outcome.T) for setting, outcome in zip(SETTINGS, outcomes, strict=True)}
