"""One ℓ1 fit on two Dask workers of one thread against one process of one thread, by turns."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import limited_to, side_by_side
from core.data import RankingData
from core.experiments.run.workers.dask_collection import ranking_data_on_dask
from core.methods import Fit, get_method
from core.solvers import Stop

SHAPE = Shape(n_queries=4_708, documents_per_query=120, n_features=136, relevant_per_query=12)
"""A quarter of 2.26 million documents x 136 features."""
N_PARTITIONS, RATIO, GAP, ROUNDS = 4, 0.01, 1e-4, 7
LEAST_GAIN, MOST_DIFFERENCE = 1.6, 1e-12
OPTIONS = {
    "distributed.scheduler.reuse-broadcast-comm": True,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "2s",
}
"""As docs/how_to/cluster.md says."""


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
        homes = {"1 process": here, f"{workers} Dask workers": there}
        for data in homes.values():  # which loads kernels and features
            _fit(data, 0.5)
        seconds: dict[str, list[float]] = {name: [] for name in homes}
        fits: dict[str, list[Fit]] = {name: [] for name in homes}
        for _ in range(ROUNDS):
            for name, data in homes.items():
                begun = time.perf_counter()
                fits[name].append(_fit(data, RATIO))
                seconds[name].append(time.perf_counter() - begun)
        blocks: Any = there.features
        messages = blocks.messages
    most = _most_gain(workers)
    alone, spread = (fits[name] for name in homes)
    gain = statistics.median(a / b for a, b in zip(*seconds.values(), strict=True))
    expected = alone[0].result.objective
    difference = max(abs(fit.result.objective / expected - 1.0) for fit in spread)
    same = all(np.array_equal(fit.weights, spread[0].weights) for fit in spread)
    return Report(
        title=f"One fit on {workers} Dask workers, ℓ1 at λ_max/{1 / RATIO:.0f} to a gap of {GAP:g}",
        setting=f"{SHAPE}, {N_PARTITIONS} partitions, {messages:,} calls on a block, Dask as in cluster.md",
        columns=(Column("home"), Column("seconds", ".1f"), Column("features kept", "d"), Column("gap", ".1e")),
        rows=[
            (name, statistics.median(seconds[name]), one[0].result.nonzero, one[0].result.certificate.relative)
            for name, one in fits.items()
        ],
        goals=[
            Goal(f"{workers} workers are {LEAST_GAIN:g}x as fast as one process", f"{gain:.2f}x", gain >= LEAST_GAIN),
            Goal(f"the objective is equal to {MOST_DIFFERENCE:g}", f"{difference:.1e}", difference <= MOST_DIFFERENCE),
            Goal("the same bits each time", "yes" if same else "no", same),
        ],
        notes=[
            f"{workers} processes that share nothing, a part of the queries each, are {most:.2f}x as fast as one here."
        ],
    )


def _most_gain(workers: int) -> float:
    """What the processors and the memory of this machine allow: no Dask, no exchange, no waiting for each other."""
    part = replace(SHAPE, n_queries=SHAPE.n_queries // workers)
    (alone,) = side_by_side(_seconds, [(part,)], 1)
    return workers * alone / max(side_by_side(_seconds, [(part,)] * workers, workers))


def _seconds(shape: Shape) -> float:
    data = generate(shape)
    _fit(data, 0.5)
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        _fit(data, RATIO)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


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
