"""Fig. 3 of the infinite push paper: running time against the number of pairs, and its empirical exponent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.data.built_in import toy_problem
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable
from core.experiments.papers.infinite_push_toy import N_RELEVANT
from core.methods import get_method
from core.solvers import Stop, StopReason

PRINTED_EXPONENT = "about 1"
"""The exponent of both algorithms "with respects to the number of pairwise training examples" (§4.1)."""
RATIO = 0.1
TOL = 1e-4
MOST_REPEATS, ENOUGH_SECONDS = 5, 0.5  # short fits are repeated, and the least time counts
WARM_UP_STEPS = 2  # untimed: what is loaded or compiled at the first call


@dataclass(frozen=True)
class System:
    """A method with one of its solvers."""

    method: str
    solver: str
    title: str
    most_seconds: float  # time limit of a fit. After a fit that reached it, no larger one is tried.
    most_pairs: int  # no fit with more pairs is tried


EXACT = System("infinite-push-l1", "interior-point", "ℓ1 infinite push, exact", 60.0, 10**9)
ADMM = System("infinite-push-l1", "admm", "ℓ1 infinite push, ADMM", 20.0, 40_000)
RANK = System("l1", "proximal-newton", "ℓ1 RankSVM", 60.0, 10**9)
SYSTEMS = (EXACT, ADMM, RANK)


@dataclass(frozen=True)
class TimingCell:
    """One fit of a toy problem; the trial is its seed."""

    n_train: int
    n_noisy: int
    trial: int
    system: System

    @property
    def where(self) -> str:
        """System and size, for people."""
        return f"{self.system.title}, {self.n_train} examples, {self.n_noisy} noisy features"

    @property
    def n_pairs(self) -> int:
        """Number of pairs m n; both classes have equally many examples."""
        return (self.n_train // 2) * (self.n_train - self.n_train // 2)


@dataclass(frozen=True)
class Timing:
    """The time that a fit at 0.1 lambda_max took to a relative duality gap of 1e-4."""

    cell: TimingCell
    seconds: float  # solver time, the least of several where it is short; nan where the fit was not tried
    steps: int
    # "converged", or the reason why it ended before, or "not tried" after a smaller one had reached its time limit.
    stop: StopReason | str


def timing_cells(
    sizes: Sequence[int], noisy: Sequence[int], trials: int, systems: Sequence[System] = SYSTEMS
) -> tuple[TimingCell, ...]:
    """List the cells from small to large, so that fits that take too long are known before larger ones are tried.

    Parameters
    ----------
    sizes, noisy : sequence of int
        Training examples, and features that do not matter beside ten that do.
    trials : int
    systems : sequence of System
    """
    cells = (
        TimingCell(n_train, n_noisy, trial, system)
        for n_train in sorted(sizes)
        for n_noisy in noisy
        for trial in range(trials)
        for system in systems
    )
    return tuple(cell for cell in cells if cell.n_pairs <= cell.system.most_pairs)


def timing(cell: TimingCell, known: Mapping[TimingCell, Timing]) -> Timing:
    """Fit and measure the time of a cell."""
    if any(_given_up(found, cell) for found in list(known.values())):
        return Timing(cell, np.nan, 0, "not tried")
    problem = toy_problem(
        n_relevant=N_RELEVANT, n_features=N_RELEVANT + cell.n_noisy, n_train=cell.n_train, n_test=2, seed=cell.trial
    )
    method = get_method(cell.system.method)
    training = method.training(problem.train)
    lam = RATIO * (training.lam_max or 1.0)
    method.fit(training, lam, solver=cell.system.solver, stop=Stop(max_steps=WARM_UP_STEPS))
    stop = Stop(tol=TOL, max_seconds=cell.system.most_seconds)
    seconds: list[float] = []
    while True:
        result = method.fit(training, lam, solver=cell.system.solver, stop=stop).result
        seconds.append(result.seconds)
        if len(seconds) == MOST_REPEATS or sum(seconds) > ENOUGH_SECONDS:
            return Timing(cell, min(seconds), result.steps, result.stop)


def _given_up(found: Timing, cell: TimingCell) -> bool:
    """Tell whether a fit that is no larger has reached its time limit."""
    same = (found.cell.system, found.cell.n_noisy) == (cell.system, cell.n_noisy)
    return same and found.stop == "time limit" and found.cell.n_train <= cell.n_train


@dataclass(frozen=True)
class TimingCurve:
    """A system's times at one number of noisy features."""

    system: System
    n_noisy: int
    pairs: tuple[int, ...]  # ascending; the sizes of which at least one fit has ended, converged or at its time limit
    seconds: tuple[float, ...]  # the median over trials
    converged: tuple[bool, ...]  # whether all trials converged
    # p of the power law seconds ~ pairs^p, by least squares on the logarithms of what converged; None for fewer than
    # two sizes.
    exponent: float | None


def timing_curves(timings: Sequence[Timing]) -> list[TimingCurve]:
    """Compute medians and exponents, by system and number of noisy features."""
    tried = [found for found in timings if np.isfinite(found.seconds)]
    kinds = dict.fromkeys((found.cell.system, found.cell.n_noisy) for found in tried)
    return [_curve(*kind, [f for f in tried if (f.cell.system, f.cell.n_noisy) == kind]) for kind in kinds]


def _curve(system: System, n_noisy: int, timings: Sequence[Timing]) -> TimingCurve:
    pairs = sorted({found.cell.n_pairs for found in timings})
    rows = [[found for found in timings if found.cell.n_pairs == size] for size in pairs]
    seconds = [float(np.median([found.seconds for found in row])) for row in rows]
    converged = [all(found.stop == "converged" for found in row) for row in rows]
    return TimingCurve(
        system=system,
        n_noisy=n_noisy,
        pairs=tuple(pairs),
        seconds=tuple(seconds),
        converged=tuple(converged),
        exponent=power([p for p, c in zip(pairs, converged, strict=True) if c],
                       [s for s, c in zip(seconds, converged, strict=True) if c]),
    )  # fmt: skip


def power(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Fit p of y ~ x^p by least squares on the logarithms; None for fewer than two points."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0]) if len(x) > 1 else None


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
    if request.quick:
        return timing_cells((40, 80, 160, 320, 640), (20,), 1, (EXACT, replace(ADMM, most_seconds=5.0), RANK))
    return timing_cells((40, 80, 160, 320, 640, 1280), (20, 100), 3)


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
    outcome=Timing,
    tables=time_tables,
)
