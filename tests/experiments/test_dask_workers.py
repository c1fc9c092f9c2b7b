"""The same table from a real Dask cluster, one of whose workers is killed on the way."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from core.data import DataError
from core.experiments.plan import Plan
from core.experiments.runner import ProtocolRun
from core.experiments.store import RunStore
from tests.experiments.tables import table, undisturbed

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_table(tmp_path: Path, plan: Plan) -> None:
    from core.experiments.dask_workers import DaskWorkers

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        RunStore(tmp_path) as store,
        ProtocolRun(plan, store, DaskWorkers(plan, cluster.scheduler_address)) as run,
    ):
        pids = [nanny.pid for nanny in cluster.workers.values()]
        killed = False
        while not run.done:
            run.advance()
            if not killed and run.progress.done >= 1:
                os.kill(pids[0], signal.SIGKILL)
                killed = True
        assert killed
        assert not run.problems
        assert table(run.results()) == undisturbed(plan)


def test_without_a_scheduler_there_is_one_sentence(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.experiments import dask_workers

    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 0.5)
    with pytest.raises(DataError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        dask_workers.DaskWorkers(plan, "tcp://127.0.0.1:9")
