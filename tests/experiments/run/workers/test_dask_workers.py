"""The same table from a real Dask cluster, one of whose workers is killed on the way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.data import DataError
from core.experiments.run.plan import Plan
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from tests.experiments.tables import table, undisturbed

distributed = pytest.importorskip("distributed")


def test_a_cluster_that_loses_a_worker_gives_the_same_table(
    tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.experiments.run.workers import dask_workers
    from core.experiments.run.workers.dask_workers import DaskWorkers

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        RunStore(tmp_path) as store,
        ProtocolRun(plan, store, DaskWorkers(plan, cluster.scheduler_address)) as run,
    ):
        pids = [nanny.pid for nanny in cluster.workers.values()]
        with pytest.raises(DataError, match=r"Dask worker.*tcp://.*scheduler"):
            DaskWorkers(plan, cluster.workers[1].worker_address)
        killed = False
        while not run.done:
            run.advance()
            if not killed and run.progress.done >= 1:
                os.kill(pids[0], signal.SIGKILL)
                killed = True
        assert killed
        assert not run.problems
        monkeypatch.setattr(dask_workers, "COUNT_SECONDS", 0.0)
        assert run.progress.share == 1.0  # is asked for after the last cell, when the workers are closed
        assert table(run.results()) == undisturbed(plan)


def test_a_scheduler_without_workers_and_one_that_goes_end_a_run_with_one_sentence(
    tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.experiments.run.workers import dask_workers

    monkeypatch.setattr(dask_workers, "WORKER_SECONDS", 0.5)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    scheduler = subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        workers = dask_workers.DaskWorkers(plan, f"tcp://127.0.0.1:{port}")
        with RunStore(tmp_path) as store, ProtocolRun(plan, store, workers) as run:
            with pytest.raises(OSError, match=r"no workers.*dask worker tcp://127\.0\.0\.1"):
                run.advance()
            scheduler.kill()
            scheduler.wait()
            deadline = time.monotonic() + 120
            while workers._client.status == "running" and time.monotonic() < deadline:
                time.sleep(0.05)
            with pytest.raises(OSError, match=r"has gone.*finished.*run again"):
                workers.submit(plan.cells[1])
        with RunStore(tmp_path) as store:
            assert store.claim(plan.cells[0]) == "ours"
    finally:
        scheduler.kill()
        scheduler.wait()
