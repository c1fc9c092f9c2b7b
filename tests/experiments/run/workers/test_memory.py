"""No more workers than have room."""

from __future__ import annotations

import pytest

from core.experiments.run.workers.memory import free_bytes, worker_need, workers_that_fit

GIB = 2**30


@pytest.mark.parametrize(
    ("fold_bytes", "free", "workers"),
    [(6_000_000, 16 * GIB, 8), (2 * GIB, 16 * GIB, 2), (20 * GIB, 16 * GIB, 1), (20 * GIB, None, 8)],
)
def test_large_folds_leave_room_for_fewer_workers(fold_bytes: int, free: int | None, workers: int) -> None:
    assert workers_that_fit(8, fold_bytes, free) == workers


def test_those_who_work_fit_into_what_is_free() -> None:
    for fold_bytes in (10**7, 10**8, 10**9):
        assert workers_that_fit(1000, fold_bytes, 8 * GIB) * worker_need(fold_bytes) <= 8 * GIB


def test_this_machine_says_what_is_free() -> None:
    free = free_bytes()
    assert free is None or 2**20 < free < 2**50
