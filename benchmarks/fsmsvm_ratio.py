"""λ₂ of FSMSVM's first stage as a share of λ_max, chosen by validation MAP: a study that its default rests on.

It is chosen on the sets of `benchmarks.choosing_data` alone; t, λ₁ and C are chosen on each fold's validation part, as
in the protocol. MQ2008 is shown where it is at hand and chooses nothing.
"""

from __future__ import annotations

import numpy as np

from benchmarks.choosing_data import CHOOSING, open_choosing
from benchmarks.default_study import BySet, Tuned, cells, recommendation, shortfall, sparsity, tune
from benchmarks.real_data import LICENSED, licensed_sets
from benchmarks.report import Column, Report
from benchmarks.threads import side_by_side
from core.threads import thread_count

RATIOS = (1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
POINTS = 10


def run(threads: int | None) -> Report:
    """On every set, all folds; folds and ratios side by side, one thread each."""
    workers = threads or thread_count()
    shown = licensed_sets()
    found = {name: _tuned(name, workers) for name in (*CHOOSING, *shown)}
    choosing: BySet = {name: found[name] for name in CHOOSING}
    notes = [f"{name}: {recommendation({name: by_ratio})}" for name, by_ratio in found.items()]
    notes += [f"together without {LICENSED}: {recommendation(choosing)}"]
    notes += [
        f"  ratio {ratio:g}: below the best {short:.4f} ± {error:.4f}, sparsity ratio {sparsity(ratio, choosing):.2f}"
        for ratio in RATIOS
        for short, error in [shortfall(ratio, choosing)]
    ]
    return Report(
        title="FSMSVM: λ₂ of the model that chooses, as a share of λ_max, by validation MAP",
        setting=(
            f"Chosen on {', '.join(CHOOSING)}{f'; {LICENSED} is shown and chooses nothing' if shown else ''}; all "
            f"folds; {POINTS} λ, t and λ₁ chosen with them; {workers} processes"
        ),
        columns=(
            Column("data"),
            Column("λ₂/λ_max"),
            Column("vali MAP", ".4f"),
            Column("below the best ± s.e."),
            Column("test MAP", ".4f"),
            Column("test NDCG@10", ".4f"),
            Column("sparsity ratio", ".2f"),
            Column("median λ/λ_max"),
        ),
        rows=[(name, f"{ratio:g}", *cells(ratio, found[name])) for name in found for ratio in RATIOS],
        notes=notes,
    )


def _tuned(name: str, workers: int) -> dict[float, Tuned]:
    folds = range(1, open_choosing(name).n_folds + 1)
    jobs = [(name, fold, "fsmsvm", {"ratio": ratio}, POINTS) for ratio in RATIOS for fold in folds]
    outcomes = np.reshape(side_by_side(tune, jobs, workers), (len(RATIOS), len(folds), -1))
    return {ratio: Tuned(*outcome.T) for ratio, outcome in zip(RATIOS, outcomes, strict=True)}
