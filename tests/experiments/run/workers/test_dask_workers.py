"""The same table from a real Dask cluster, one of whose workers is killed on the way.

Blocks lie in memory of their own, and all threads have about as many rows.
A wrong address is one sentence within seconds, whatever is there.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.data import DataError
from core.experiments.run.plan import Plan
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.experiments.run.workers import dask_tasks
from core.experiments.run.workers.dask_tasks import check_scheduler, is_own, moves, own, spread
from tests.experiments.made_up import Table, table
from tests.experiments.run.workers.cluster_of_one import ClusterOfOne, Done
from tests.says import assert_says
from tests.stand_ins import free_port

distributed = pytest.importorskip("distributed")


def test_a_cluster_that_loses_a_worker_gives_the_same_table(
    tmp_path: Path, plan: Plan, expected: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.experiments.run.workers import dask_workers
    from core.experiments.run.workers.dask_workers import DaskWorkers

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        ProtocolRun(plan, tmp_path, lambda: DaskWorkers(plan, cluster.scheduler_address)) as run,
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
        assert table(run.results()) == expected


def test_a_scheduler_without_workers_and_one_that_goes_end_a_run_with_one_sentence(
    tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.experiments.run.workers import dask_tasks, dask_workers

    monkeypatch.setattr(dask_workers, "WORKER_SECONDS", 0.5)
    port = free_port()
    words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    scheduler = subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        with monkeypatch.context() as patient:  # beside other work a process takes long to begin
            patient.setattr(dask_tasks, "CONNECT_SECONDS", 120.0)
            dask_tasks.check_scheduler(f"tcp://127.0.0.1:{port}")
        workers = dask_workers.DaskWorkers(plan, f"tcp://127.0.0.1:{port}")
        with ProtocolRun(plan, tmp_path, lambda: workers) as run:
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


class SpreadCluster(ClusterOfOne):
    """Runs a task elsewhere than it was asked to as often as told; then its result lies in a buffer."""

    def __init__(self, elsewhere: int = 0) -> None:
        super().__init__()
        self.elsewhere, self.tasks = elsewhere, 0

    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any, **where: Any) -> Done:
        self.tasks += 1
        value = function(*(one.result() for one in arguments))
        if self.elsewhere:
            self.elsewhere -= 1
            value = in_a_buffer(value)
        return Done(lambda: value, workers=where["workers"])


def in_a_buffer(array: Any) -> Any:
    """What has come over the network."""
    return np.frombuffer(bytes(4) + array.tobytes(), dtype=np.uint8)[4:].view(array.dtype).reshape(array.shape)


@pytest.mark.parametrize(("elsewhere", "tasks"), [(0, 1), (1, 2), (9, 3)])
def test_only_a_block_in_a_buffer_of_the_network_is_copied_and_that_is_looked_after(elsewhere: int, tasks: int) -> None:
    rows = np.arange(12.0).reshape(6, 2)
    client: Any = SpreadCluster(elsewhere)
    given: list[Any] = [Done(lambda: rows[:3].copy()), Done(lambda: in_a_buffer(rows[3:]))]
    blocks: list[Any] = [*spread(client, given, np.array([0, 3, 6]))]
    first, second = blocks
    assert first is given[0]
    assert client.tasks == tasks
    assert second.workers == ["one"]
    assert is_own(second.result()) == (elsewhere < 3)
    np.testing.assert_array_equal(second.result(), rows[3:])


def test_a_block_that_is_laid_out_by_columns_is_copied_by_rows() -> None:
    """Products round differently by columns: the same fit would have another last bit where such a block comes from."""
    by_columns = np.asfortranarray(np.arange(12.0).reshape(6, 2))
    assert not is_own(by_columns)
    assert own(by_columns).flags.c_contiguous


@pytest.mark.parametrize(
    ("threads", "rows", "homes", "loads"),
    [
        ({"a": 1, "b": 1}, [10, 10, 10, 10], "aaab", {"a": 20, "b": 20}),
        ({"a": 1, "b": 1}, [10, 10, 10, 10], "abab", {"a": 20, "b": 20}),
        ({"a": 1, "b": 3}, [10, 10, 10, 10], "aaaa", {"a": 10, "b": 30}),
        ({"a": 1, "b": 1}, [30, 10, 10, 10], "aaaa", {"a": 30, "b": 30}),
        ({"a": 1, "b": 1, "c": 1}, [7], "b", {"a": 0, "b": 7, "c": 0}),
        ({"a": 1, "b": 1, "c": 2}, [5] * 8, "aaaaaaab", {"a": 10, "b": 10, "c": 20}),
        ({"a": 1}, [5, 5], "az", {"a": 5, "z": 5}),  # the worker z has just left: Dask makes its blocks again
        ({}, [5, 5], "aa", {"a": 10}),
    ],
)
def test_blocks_move_until_threads_have_as_many_rows(
    threads: dict[str, int], rows: list[int], homes: str, loads: dict[str, int]
) -> None:
    moved = dict(moves(rows, homes, threads))
    after = [moved.get(block, home) for block, home in enumerate(homes)]
    assert {worker: sum(r for r, at in zip(rows, after, strict=True) if at == worker) for worker in loads} == loads
    assert all(homes[block] != worker for block, worker in moved.items())


def test_ten_thousand_blocks_of_a_first_worker_are_spread_over_all() -> None:
    rows = np.random.default_rng(0).integers(900, 1100, 10_000)
    threads = {str(worker): 1 + worker % 3 for worker in range(8)}
    homes = dict(enumerate("0" * len(rows))) | dict(moves(rows.tolist(), "0" * len(rows), threads))
    loads = [sum(rows[b] for b in homes if homes[b] == worker) / threads[worker] for worker in threads]
    assert max(loads) - min(loads) < 1100


PATIENCE = 0.5


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(5)
        yield server


def refusal(address: str) -> str:
    begun = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dask_tasks, "CONNECT_SECONDS", PATIENCE)
        with pytest.raises(DataError) as refused:
            check_scheduler(address)
    assert time.monotonic() - begun < PATIENCE + 4.0
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "soup", "tcp://127.0.0.1:port", "http://127.0.0.1:9"])
def test_where_nothing_answers_the_sentence_names_the_address(address: str) -> None:
    assert_says(refusal(address), "no Dask scheduler", address)


def test_a_server_that_takes_the_call_and_says_nothing_does_not_keep_us(listening: socket.socket) -> None:
    assert "no Dask scheduler" in refusal(f"tcp://127.0.0.1:{listening.getsockname()[1]}")


def test_the_answer_of_another_kind_of_server_is_not_taken_for_a_length(listening: socket.socket) -> None:
    """Read as a length of eight bytes it is more memory than there is."""

    def answer() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n" * 10)
            connection.recv(1)

    threading.Thread(target=answer, daemon=True).start()
    assert "no Dask scheduler" in refusal(f"tcp://127.0.0.1:{listening.getsockname()[1]}")


def test_no_address_is_no_wish_for_a_cluster_of_ones_own() -> None:
    assert_says(refusal("  "), "address", "Dask scheduler", "empty")


def test_without_dask_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'sparse-ranking-lab[dask]'" in refusal("tcp://127.0.0.1:8786")
