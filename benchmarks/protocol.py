"""The papers' protocol from end to end: five folds, eight methods, on this machine and on a Dask cluster of it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import ranking_dataset
from core.experiments.results.report import failed_sentence
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Workers

METHODS = ("l1", "log", "mcp", "l0.5", "fenchelrank", "fsmrank", "l2", "rwfs-l0")
POINTS = 20
MOST_SECONDS, MOST_STORE, LEAST_GAIN = 240.0, 0.02, 1.6


@dataclass(frozen=True)
class Measured:
    """A run: how long it took, and what of that the cells and the store took."""

    seconds: float
    cell_seconds: float
    store_seconds: float


def run(threads: int | None) -> Report:
    """Every worker has one thread, whatever is asked for; what is asked for is the number of workers."""
    workers = threads or 2
    plan = plan_protocol(
        [DatasetSource(ranking_dataset().name)], [MethodChoice.parse(name) for name in METHODS], points=POINTS
    )
    systems: dict[str, Callable[[], Measured]] = {
        "1 process": lambda: _measure(plan, LocalWorkers(plan, 1)),
        f"{workers} processes": lambda: _measure(plan, LocalWorkers(plan, workers)),
        "1 Dask worker": lambda: _on_dask(plan, 1),
        f"{workers} Dask workers": lambda: _on_dask(plan, workers),
    }
    found = {name: system() for name, system in systems.items()}
    return Report(
        title=f"Protocol: {len(METHODS)} methods, grids of {POINTS}",
        setting=f"{plan.datasets[0].name}, {plan.datasets[0].n_folds} folds, {len(plan.cells)} cells",
        columns=(
            Column("workers"),
            Column("seconds", ".1f"),
            Column("in cells, s", ".1f"),
            Column("in the store, s", ".2f"),
            Column("store / all", ".2%"),
        ),
        rows=[
            (name, one.seconds, one.cell_seconds, one.store_seconds, one.store_seconds / one.seconds)
            for name, one in found.items()
        ],
        goals=_goals(found, workers),
    )


def _goals(found: dict[str, Measured], workers: int) -> list[Goal]:
    local, alone, cluster = (
        found[name] for name in (f"{workers} processes", "1 Dask worker", f"{workers} Dask workers")
    )
    share = max(one.store_seconds / one.seconds for one in found.values())
    gain = alone.seconds / cluster.seconds
    return [
        Goal(
            f"at most {MOST_SECONDS:.0f} s with {workers} processes",
            f"{local.seconds:.0f} s",
            local.seconds <= MOST_SECONDS,
        ),
        Goal(f"the store takes at most {MOST_STORE:.0%}", f"{share:.2%}", share <= MOST_STORE),
        Goal(f"{workers} Dask workers are {LEAST_GAIN:g}x as fast as one", f"{gain:.2f}x", gain >= LEAST_GAIN),
    ]


def _measure(plan: Plan, workers: Workers[Cell]) -> Measured:
    """From nothing to the last cell, the start of the processes included."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ProtocolRun(plan, Path(folder), lambda: workers) as protocol,
    ):
        begun = time.perf_counter()
        protocol.finish()
        if protocol.failures:
            raise RuntimeError(failed_sentence(plan, protocol.failures))
        seconds, store = time.perf_counter() - begun, protocol.store
        return Measured(seconds, sum(store.seconds(plan.cells).values()), store.busy_seconds)


def _on_dask(plan: Plan, workers: int) -> Measured:
    from distributed import LocalCluster

    from core.experiments.run.workers.dask_workers import DaskWorkers

    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        return _measure(plan, DaskWorkers(plan, cluster.scheduler_address))
