"""One ℓ1 fit on two Dask workers of one thread against one process of one thread, by turns."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import limited_to, may_keep_processors_awake, processors_awake
from core.data import RankingData
from core.data.feature_blocks import Block, IntArray, blocks_of
from core.experiments.run.workers.dask_collection import ranking_data_on_dask
from core.losses import SquaredHinge
from core.losses.base import FloatArray
from core.losses.pair_groups import PairGroups
from core.losses.query_sums import query_sums
from core.methods import Fit, get_method
from core.solvers import Stop

SHAPE = Shape(n_queries=4_708, documents_per_query=120, n_features=136, relevant_per_query=12)
"""A quarter of 2.26 million documents x 136 features."""
N_PARTITIONS, RATIO, GAP, ROUNDS, PASSES = 4, 0.01, 1e-4, 15, 8
LEAST_GAIN, MOST_DIFFERENCE = 1.6, 1e-12
OPTIONS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "2s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "1s",
}
"""As docs/how_to/cluster.md says."""
AWAKE, HALTING = "stay awake", "halt"


def run(threads: int | None) -> Report:
    """Every process has one thread, whatever is asked for; what is asked for is the number of workers."""
    import dask
    from distributed import Client, LocalCluster

    workers = threads or 2
    here = generate(SHAPE)
    with (
        limited_to(1),
        dask.config.set(OPTIONS),
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        there = _on_workers(here, Path(folder), client)
        for data in (here, there):  # which loads kernels and features
            _fit(data, 0.5)
        homes = {"1 process": here, f"{workers} Dask workers": there}
        states = [HALTING, AWAKE] if may_keep_processors_awake() else [HALTING]
        fits: dict[tuple[str, str], list[Fit]] = defaultdict(list)
        seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
        sums: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(ROUNDS):
            for state in states:
                with processors_awake() if state == AWAKE else nullcontext():
                    for home, data in homes.items():
                        fit, taken = _timed(_fit, data, RATIO)
                        fits[home, state].append(fit)
                        seconds[home, state].append(taken)
                    for home, data in homes.items():
                        sums[home, state].append(_timed(_sums, data, fit.weights)[1])
            states.reverse()
    alone, spread = homes
    judged = AWAKE if AWAKE in states else HALTING
    gains = {state: _gain(seconds[alone, state], seconds[spread, state]) for state in states}
    most = {state: _gain(sums[alone, state], sums[spread, state]) for state in states}
    expected = fits[alone, judged][0].result.objective
    on_dask = [fit for state in states for fit in fits[spread, state]]
    difference = max(abs(fit.result.objective / expected - 1.0) for fit in on_dask)
    same = all(np.array_equal(fit.weights, on_dask[0].weights) for fit in on_dask)
    return Report(
        title=f"One fit on {workers} Dask workers, ℓ1 at λ_max/{1 / RATIO:.0f} to a gap of {GAP:g}",
        setting=f"{SHAPE}, {N_PARTITIONS} partitions, Dask as in cluster.md",
        columns=(Column("home"), Column("idle processors"), Column("seconds", ".2f"), Column("features kept", "d")),
        rows=[(*name, statistics.median(seconds[name]), one[0].result.nonzero) for name, one in sorted(fits.items())],
        goals=[
            Goal(
                f"{workers} workers are {LEAST_GAIN:g}x as fast as one process, idle processors {judged}",
                f"{gains[judged]:.2f}x",
                gains[judged] >= LEAST_GAIN,
            ),
            Goal(f"the objective is equal to {MOST_DIFFERENCE:g}", f"{difference:.1e}", difference <= MOST_DIFFERENCE),
            Goal("the same bits each time", "yes" if same else "no", same),
        ],
        notes=[
            f"Idle processors {state}: {gains[state]:.2f}x as fast; the sums of {PASSES} passes without an exchange "
            f"between them, in the same rounds: {most[state]:.2f}x."
            for state in sorted(states)
        ],
    )


def _on_workers(data: RankingData, folder: Path, client: Any) -> RankingData:
    """Write the data as partitions, some of which cut a query, and have the workers read them."""
    import dask.dataframe as dd

    edges = np.linspace(0, data.n_documents, N_PARTITIONS + 1).astype(int).tolist()
    paths = [str(folder / f"{number}.parquet") for number in range(N_PARTITIONS)]
    columns = list(data.feature_names)
    for path, first, last in zip(paths, edges[:-1], edges[1:], strict=True):
        table = pd.DataFrame(data.features[first:last], columns=columns)
        table = table.assign(label=data.relevance[first:last], qid=data.query_of_document[first:last])
        table.to_parquet(path, index=False)
    from_map: Any = dd.from_map
    ddf = from_map(pd.read_parquet, paths)
    there, _ = ranking_data_on_dask(ddf[columns], ddf["label"], ddf["qid"], client, "boundary")
    return there


def _fit(data: RankingData, ratio: float) -> Fit:
    method = get_method("l1")
    training = method.training(data)
    return method.fit(training, training.lam_at(ratio), stop=Stop(tol=GAP))


def _sums(data: RankingData, weights: FloatArray) -> None:
    """Have every home compute the sums of `PASSES` passes at once: no exchange, no waiting for each other."""
    groups, given = SquaredHinge.of(data).groups, (weights[None], np.flatnonzero(weights))
    if (blocks := blocks_of(data.features)) is None:
        passes(data.features, groups, *given)
    else:
        list(blocks.over(passes, lambda _, __: given, beside=groups))


def passes(features: Block, groups: PairGroups, weights: FloatArray, columns: IntArray) -> None:
    """What a worker runs on a block."""
    for _ in range(PASSES):
        query_sums(features, groups, weights, columns)


def _gain(alone: list[float], spread: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(alone, spread, strict=True))


def _timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    begun = time.perf_counter()
    found = work(*arguments)
    return found, time.perf_counter() - begun
