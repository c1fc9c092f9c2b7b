"""Real processes: killed workers, killed runs and runs side by side all end in the table of an undisturbed run.

No more workers than have room.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.experiments.run.workers import local_workers
from core.experiments.run.workers.local_workers import LocalWorkers, free_bytes, worker_need, workers_that_fit
from core.experiments.run.workers.workers import Failure
from tests.experiments.made_up import Table, table

ROOT = Path(__file__).resolve().parents[4]
PATIENCE = 120.0


def begin(folder: Path, out: Path) -> subprocess.Popen[bytes]:
    words = ["protocol", str(folder), "--methods", "l1,log,l2", "--grid", "4", "--out", str(out), "--workers", "2"]
    command = [sys.executable, "-m", "core", *words, "--json"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def stored(out: Path, plan: Plan) -> Table:
    with RunStore(out) as store:
        return table({cell: found for cell in plan.cells if (found := store.result(cell)) is not None})


def kill_once_there_are(wanted: int, process: subprocess.Popen[bytes], out: Path, plan: Plan) -> list[psutil.Process]:
    """Kill the run when so many cells are finished; its workers."""
    begun = time.monotonic()
    while process.poll() is None and time.monotonic() - begun < PATIENCE:
        if (out / "runs.sqlite").exists() and len(stored(out, plan)) >= wanted:
            break
        time.sleep(0.05)
    workers = psutil.Process(process.pid).children() if process.poll() is None else []
    process.kill()
    process.wait()
    return workers


def test_a_killed_worker_changes_nothing(tmp_path: Path, plan: Plan, expected: Table) -> None:
    workers = LocalWorkers(plan, 1)
    killed = 0
    with ProtocolRun(plan, tmp_path, lambda: workers) as run:
        while not run.done:
            run.advance()
            if killed < 2 and run.progress.done >= 3 * killed:
                for pid in workers.pids[:1]:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        assert not run.problems
        assert table(run.results()) == expected
    assert killed == 2
    assert not any(psutil.pid_exists(pid) for pid in workers.pids)


@pytest.mark.more
def test_a_run_killed_at_several_points_continues_to_the_same_table(
    folder: Path, tmp_path: Path, plan: Plan, expected: Table
) -> None:
    orphans = []
    for wanted in (1, 5):
        orphans += kill_once_there_are(wanted, begin(folder, tmp_path), tmp_path, plan)
        kept = stored(tmp_path, plan)
        assert len(kept) >= wanted
        assert kept.items() <= expected.items()
    _, alive = psutil.wait_procs(orphans, timeout=10)
    assert not alive, "workers of a killed run go on for nobody"
    assert begin(folder, tmp_path).wait(PATIENCE) == 0
    assert stored(tmp_path, plan) == expected


def test_a_worker_that_cannot_read_the_data_says_so(tmp_path: Path, plan: Plan, folder: Path) -> None:
    moved = folder.rename(folder.with_name("moved"))
    try:
        with ProtocolRun(plan, tmp_path, lambda: LocalWorkers(plan, 1)) as run:
            run.finish()
            assert {problem.bad_data for problem in run.failures.values()} == {True}
            assert "no such file or folder" in run.failures[plan.cells[0]].sentence
    finally:
        moved.rename(folder)


def test_a_cell_that_cannot_be_sent_is_a_failure_and_not_a_wait(folder: Path) -> None:
    """As when the app has loaded its code anew while it runs: classes of before and after are not the same."""

    class Reloaded(Cell):
        pass

    plan = plan_protocol([DatasetSource(str(folder))], [MethodChoice("l1")], points=2)
    workers = LocalWorkers(plan, 1)
    workers.submit(Reloaded(**vars(plan.cells[0])))
    [(_, outcome)] = workers.finished(timeout=PATIENCE)
    workers.close()
    assert isinstance(outcome, Failure)
    assert "restart the program" in outcome.sentence


GIB = 2**30


@pytest.mark.parametrize(
    ("fold_bytes", "free", "workers"), [(6_000_000, 16 * GIB, 8), (2 * GIB, 16 * GIB, 2), (20 * GIB, 16 * GIB, 1)]
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
    monkeypatch.setattr(local_workers, "_CGROUPS", ((limit, used), (tmp_path / "no", tmp_path / "such")))
    used.write_text("4096\n")
    limit.write_text("max\n")
    assert free_bytes() > 4096
    limit.write_text("12288\n")
    assert free_bytes() == 8192
