"""Fig. 3 of the infinite push paper: running time against the number of pairs, and its empirical exponent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.experiments.infinite_push.push_timing import (
    ADMM,
    PAPER_TIMES,
    QUICK_TIMES,
    RATIO,
    TOL,
    Timing,
    TimingCell,
    timing,
    timing_curves,
)
from core.experiments.papers.experiment import Json, PaperExperiment, Request, ResultTable

PRINTED_EXPONENT = "about 1"
"""The exponent of both algorithms "with respects to the number of pairwise training examples" (§4.1)."""


def time_tables(timings: Sequence[Timing]) -> tuple[ResultTable, ...]:
    """Make tables of the exponent of every system, and of every fit."""
    return (
        ResultTable(
            "exponents",
            "p of seconds ~ pairs^p, fitted to the sizes at which every trial converged; printed is what the text says "
            "of both its algorithms",
            tuple(
                {
                    "system": curve.system.title,
                    "noisy features": curve.n_noisy,
                    "exponent": curve.exponent,
                    "printed": None if curve.system.solver == "interior-point" else PRINTED_EXPONENT,
                    "sizes": sum(curve.converged),
                    "largest size": max(
                        (n for n, c in zip(curve.pairs, curve.converged, strict=True) if c), default=None
                    ),
                }
                for curve in timing_curves(timings)
            ),
        ),
        ResultTable("fits", "Every fit, on this machine", tuple(_row(found) for found in timings)),
    )


def _row(found: Timing) -> dict[str, Any]:
    cell = found.cell
    return {
        "system": cell.system.title,
        "noisy features": cell.n_noisy,
        "examples": cell.n_train,
        "pairs": cell.n_pairs,
        "trial": cell.trial + 1,
        "seconds": None if math.isnan(found.seconds) else found.seconds,
        "steps": found.steps,
        "end": found.stop,
    }


def _cells(request: Request) -> tuple[TimingCell, ...]:
    return (QUICK_TIMES if request.quick else PAPER_TIMES).cells


def _depends(cell: TimingCell) -> dict[str, Any]:
    system = cell.system
    limits = {"seconds": system.most_seconds, "pairs": system.most_pairs}
    size = {"examples": cell.n_train, "noisy": cell.n_noisy, "trial": cell.trial}
    return {"method": system.method, "solver": system.solver, **limits, **size}


def _pack(found: Timing) -> dict[str, Any]:
    seconds = None if math.isnan(found.seconds) else found.seconds
    return {"seconds": seconds, "steps": found.steps, "stop": str(found.stop)}


def _unpack(cell: TimingCell, packed: Json) -> Timing:
    seconds = math.nan if packed["seconds"] is None else packed["seconds"]
    return Timing(cell, seconds, packed["steps"], packed["stop"])


INFINITE_PUSH_TIME = PaperExperiment(
    name="infinite-push-fig3",
    title="Running time of the ℓ1 infinite push and the ℓ1 RankSVM against the number of pairs",
    source="Rakotomamonjy 2012, Fig. 3",
    data="",
    help=(
        f"One fit of the toy problem at {RATIO:g} λ_max to a relative duality gap of {TOL:g}, with 20 and 100 noisy "
        "features, three trials. ADMM is the paper's algorithm: it keeps a number for every pair, is tried up to "
        f"{ADMM.most_pairs:,} pairs and given up after {ADMM.most_seconds:g} s, and then on nothing larger. The exact "
        "infinite push is ours, and so is the RankSVM's solver. Quick: 20 noisy features, one trial. Each time is "
        "that of the machine that measured it."
    ),
    cells=_cells,
    work=timing,
    depends=_depends,
    pack=_pack,
    unpack=_unpack,
    tables=time_tables,
)
