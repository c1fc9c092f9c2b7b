"""A call past the scheduler answers what a task would, or is left out.

Blocks lie in memory of their own, and all threads have about as many rows.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.experiments.run.workers.dask_calls import Held, Key, call_here, call_where_held
from core.experiments.run.workers.dask_spread import is_own, moves, spread
from tests.cluster_of_one import ClusterOfOne, Done


class Cluster(ClusterOfOne):
    """Of workers that hold what they are said to."""

    def __init__(self, holders: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self.holders, self.asked, self.messages = holders, 0, 0
        self.runs: list[str] = []

    def submit(self, *_: Any, **__: Any) -> Any:
        pytest.fail("a task")

    def who_has(self, futures: list[Any]) -> dict[Any, tuple[str, ...]]:
        self.asked += 1
        super().who_has(futures)
        return {future.key: self.holders[future.key] for future in futures}

    async def run(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> dict[str, Any]:
        self.messages += 1
        self.runs += options["workers"]
        return await super().run(function, *arguments, **options)


def held(key: str, value: Any) -> Held:
    future: Any = Done(lambda: value, key)
    return Held(future)


def add(first: int, second: int, third: int) -> int:
    if third < 0:
        raise ValueError
    return first + second + third


def test_a_call_goes_to_the_worker_that_holds_all_its_arguments_and_the_cluster_is_asked_once() -> None:
    client: Any = Cluster({"x": ("a",), "y": ("a", "b"), "z": ("b",)})
    x, y, z = (held(key, value) for key, value in (("x", 1), ("y", 10), ("z", 100)))
    for _ in range(2):
        assert call_where_held(client, add, [[x, y, 1000], [z, y, 2000]]) == {0: 1011, 1: 2110}
    assert client.asked == 1
    assert sorted(client.runs) == ["a", "a", "b", "b"]


def test_workers_get_one_message_if_their_arguments_are_the_same_and_their_own_ones_otherwise() -> None:
    client: Any = Cluster({"x": ("a",), "y": ("b",)})
    x, y = (held(key, value) for key, value in (("x", 1), ("y", 10)))
    weights, more = np.ones(2), (np.zeros(2), 3)
    assert set(call_where_held(client, given, [[x, weights, (more[0], 3)], [y, weights, more]])) == {0, 1}
    assert client.messages == 1
    assert set(call_where_held(client, given, [[x, weights, more], [y, np.ones(2), more]])) == {0, 1}
    assert client.messages == 3


def given(*_: Any) -> None: ...


def test_what_no_worker_holds_or_what_fails_is_left_out_and_asked_for_again() -> None:
    client: Any = Cluster({"x": ("a",), "y": ("b",), "z": ()})
    x, y, z = (held(key, 1) for key in "xyz")
    assert call_where_held(client, add, [[x, y, 1], [z, z, 1], [y, 1, -1]]) == {}
    assert [each.workers for each in (x, y, z)] == [(), (), ()]
    assert call_where_held(client, add, [[x, 1, 1]]) == {0: 3}
    assert client.asked == 2


def test_a_worker_that_holds_it_no_longer_leaves_it_out_and_says_the_rest() -> None:
    calls = [(0, (Key("x"), 2, 3)), (1, (Key("gone"), 2, 3))]
    assert asyncio.run(call_here(add, {"a": calls, "b": [(2, (Key("x"), 2, 3))]}, worker(threads=1))) == {0: 6}


def worker(threads: int) -> Any:
    return SimpleNamespace(
        address="a",
        state=SimpleNamespace(nthreads=threads),
        executors={"default": ThreadPoolExecutor(8)},
        data={"x": 1},
    )


def test_a_worker_runs_as_many_calls_at_a_time_as_it_has_threads() -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def busy(_: Any) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.02)
        with lock:
            now[0] -= 1

    calls = [(number, (Key("x"),)) for number in range(8)]
    found = asyncio.run(call_here(busy, {"a": calls}, worker(threads=2)))
    assert sorted(found) == [*range(8)]
    assert most == [2]


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
