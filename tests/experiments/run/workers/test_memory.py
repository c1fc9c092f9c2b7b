"""No more workers than have room."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.experiments.run.workers import memory
from core.experiments.run.workers.memory import free_bytes, worker_need, workers_that_fit

GIB = 2**30


@pytest.mark.parametrize(
    ("fold_bytes", "free", "workers"),
    [(6_000_000, 16 * GIB, 8), (2 * GIB, 16 * GIB, 2), (20 * GIB, 16 * GIB, 1)],
)
def test_large_folds_leave_room_for_fewer_workers(fold_bytes: int, free: int, workers: int) -> None:
    assert workers_that_fit(8, fold_bytes, free) == workers


def test_those_who_work_fit_into_what_is_free() -> None:
    for fold_bytes in (10**7, 10**8, 10**9):
        assert workers_that_fit(1000, fold_bytes, 8 * GIB) * worker_need(fold_bytes) <= 8 * GIB


def test_this_machine_says_what_is_free() -> None:
    assert 2**20 < free_bytes() < 2**50


def test_a_container_may_have_less_than_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, used = tmp_path / "limit", tmp_path / "used"
    monkeypatch.setattr(memory, "_CGROUPS", ((limit, used), (tmp_path / "no", tmp_path / "such")))
    used.write_text("4096\n")
    limit.write_text("max\n")
    assert free_bytes() > 4096
    limit.write_text("12288\n")
    assert free_bytes() == 8192
