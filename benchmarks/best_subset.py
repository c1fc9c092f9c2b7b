"""The best subset: time to the proof against k, on real data and on generated data as wide as MSLR's."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.one_fit import peak_bytes
from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.shapes import SAMPLE, Shape, generate, licensed_sets, size_of
from benchmarks.threads import limited_to, side_by_side
from core.data import RankingData, open_dataset
from core.methods import get_method
from core.methods.method_run import Fit
from core.solvers import Stop

RATIO = 1e-3
COUNTS = (1, 2, 3, 4, 5, 6, 8, 10)
GOALS = ((6, 10.0), (10, 40.0))  # up to so many features, seconds
WIDE = Shape(n_queries=100, documents_per_query=100, n_features=136, relevant_per_query=10)
WIDE_COUNTS = ((3, 0.0), (8, 0.02))  # k, the gap allowed; 0 is a proof
LONGEST = 60.0
MOST_MEGABYTES = 500
PROVEN = 1e-5


def run(threads: int | None) -> Report:
    """Fold 1 of each set, one thread; processor time, because it does not depend on what else runs."""
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    sizes: list[str] = []
    with limited_to(1):
        for name in (*licensed_sets(), SAMPLE):
            data = open_dataset(name).fold(1).train
            sizes.append(f"{name}: {size_of(data)}")
            found = {k: _timed(data, k) for k in COUNTS}
            rows += [_row(name, k, *found[k]) for k in COUNTS]
            goals += [_proven(name, found, most, limit) for most, limit in GOALS]
        sizes.append(f"generated: {WIDE}")
        for k, allowed in WIDE_COUNTS:
            [(fit, seconds, peak)] = side_by_side(wide, [(k,)], 1)
            rows.append((*_row("generated", k, fit, seconds)[:-1], peak))
            goals.append(Goal(f"generated, k = {k}: memory below {MOST_MEGABYTES} MB", f"{peak:.0f} MB",
                              peak <= MOST_MEGABYTES))  # fmt: skip
            gap = fit.result.certificate.relative
            claim = f"generated, k = {k}: {f'within {allowed:.0%}' if allowed else 'proven'} in {LONGEST:.0f} s"
            goals.append(Goal(claim, f"a gap of {gap:.2g} in {seconds:.1f} s", gap <= max(allowed, PROVEN)))
    return Report(
        title="Best subset: seconds to the proof, against the number of features",
        setting=(
            f"Fold 1, train; lambda = {RATIO:g} lambda_max; one thread, whose processor time counts, at most "
            f"{LONGEST:.0f} s of it. {'; '.join(sizes)}"
        ),
        columns=(
            Column("data"),
            Column("k", "d"),
            Column("objective", ".6f"),
            Column("gap", ".1e"),
            Column("first model above it", ".1e"),
            Column("processor s", ".2f"),
            Column("passes", ",.0f"),
            Column("peak, MB", ".0f"),
        ),
        rows=rows,
        goals=goals,
        notes=(
            "First model: elimination by curvature; swaps and the tree come after it.",
            "Peak: of a process that generates the data and searches, the program included.",
        ),
    )


def wide(k: int) -> tuple[Fit, float, float]:
    """The fit on the generated data, what it took of the processor, and the most memory of this process in MB."""
    fit, seconds = _timed(generate(WIDE), k)
    return fit, seconds, peak_bytes() / 1e6


def _timed(data: RankingData, k: int) -> tuple[Fit, float]:
    """The fit, and what it took of the processor, which alone limits it."""
    method = get_method("best-subset")
    training = method.training(data)
    run = method.run(training, training.lam_at(RATIO), parameters={"k": float(k)}, stop=Stop(tol=PROVEN))
    begun = time.process_time()
    while not run.done and time.process_time() - begun < LONGEST:
        run.advance()
    return run.fit(), time.process_time() - begun


def _row(name: str, k: int, fit: Fit, seconds: float) -> tuple[Cell, ...]:
    result = fit.result
    first = result.trace[min(1, len(result.trace) - 1)].objective / result.objective - 1.0
    return name, k, result.objective, result.certificate.relative, first, seconds, result.passes, "-"


def _proven(name: str, found: dict[int, tuple[Fit, float]], most: int, limit: float) -> Goal:
    """Whether every k up to the most is proven within the limit."""
    some = [(k, *found[k]) for k in COUNTS if k <= most]
    slowest = max(seconds for _, _, seconds in some)
    gap = float(np.max([fit.result.certificate.relative for _, fit, _ in some]))
    measured = f"{slowest:.1f} s, a gap of at most {gap:.1e}"
    return Goal(f"{name}, k <= {most}: proven in {limit:.0f} s", measured, slowest <= limit and gap <= PROVEN)
