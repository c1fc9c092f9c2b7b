"""A run hands out every cell once, survives lost workers, and shares a store with other runs.

A cell that is killed in the middle of a search goes on from what the search had reached, to the same result.
"""

import math
import os
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.runner import MOST_LOSSES, ProtocolRun
from core.experiments.run.store.store import ABANDONED_SECONDS, RunStore, searches_of
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Failure, Lost, Outcome
from core.solvers.best_subset import best_subset, tree
from core.work import Extendable
from tests.experiments.made_up import Table, table, undisturbed
from tests.experiments.run.store.test_store import some_result
from tests.ranking_files import write_folds
from tests.solvers.best_subset.enumeration import with_copies
from tests.work_contract import check_contract


class Obedient:
    """Workers that return a made-up result, or whatever they are told to, one cell at a time."""

    def __init__(self, outcome: Callable[[Cell], Outcome] | None = None, capacity: int = 2) -> None:
        self.capacity = capacity
        self.asked: list[Cell] = []
        self.closed = False
        self._outcome = outcome or (lambda cell: some_result(cell.fold))
        self._queue: deque[Cell] = deque()

    def submit(self, cell: Cell, store: Path | None = None) -> None:
        assert len(self._queue) < self.capacity
        self.asked.append(cell)
        self._queue.append(cell)

    def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
        if not self._queue:
            return []
        cell = self._queue.popleft()
        return [(cell, self._outcome(cell))]

    def close(self) -> None:
        self.closed = True


def test_every_cell_is_worked_out_once_and_a_second_run_has_nothing_to_do(tmp_path: Path, plan: Plan) -> None:
    workers = Obedient()
    with ProtocolRun(plan, tmp_path, lambda: workers) as run:
        run.finish()
        assert (run.done, run.share, run.progress.done) == (True, 1.0, 9)
        assert set(run.results()) == set(plan.cells)
    assert workers.closed
    assert workers.asked == list(plan.cells)
    again = Obedient()
    with ProtocolRun(plan, tmp_path, lambda: again) as run:
        assert run.done
    assert again.asked == []


def test_a_run_keeps_the_contract_of_work_also_where_cells_fail(tmp_path: Path, plan: Plan) -> None:
    bad = plan.cells[2]
    workers = Obedient(lambda cell: Failure("no luck", bad_data=False) if cell == bad else some_result())
    with ProtocolRun(plan, tmp_path, lambda: workers) as run:
        check_contract(run)
        assert run.failures == {bad: Failure("no luck", bad_data=False)}
        assert run.problems == {bad.where: "no luck"}
        assert not isinstance(run, Extendable)


def test_at_rest_a_run_has_neither_workers_nor_claims_and_its_next_step_tries_again_what_has_failed(
    tmp_path: Path, plan: Plan
) -> None:
    bad, made = plan.cells[0], list[Obedient]()

    def begun() -> Obedient:
        made.append(
            Obedient(lambda cell: Failure("no luck", False) if cell == bad and len(made) == 1 else some_result())
        )
        return made[-1]

    run = ProtocolRun(plan, tmp_path, begun)
    run.advance()
    run.advance()
    assert (run.progress.done, set(run.failures), made[0].closed) == (2, {bad}, False)
    run.close()
    assert made[0].closed
    with RunStore(tmp_path) as store:
        assert [store.claim(cell) for cell in made[0].asked] == ["ours", "finished", "ours"]
    run.finish()
    assert not run.failures
    assert made[1].asked == [cell for cell in plan.cells if cell != made[0].asked[1]]
    run.close()


def test_two_runs_side_by_side_share_the_cells(tmp_path: Path, plan: Plan) -> None:
    workers = (Obedient(), Obedient())
    with (
        ProtocolRun(plan, tmp_path, lambda: workers[0]) as one,
        ProtocolRun(plan, tmp_path, lambda: workers[1]) as other,
    ):
        while not (one.done and other.done):
            one.advance()
            other.advance()
        assert set(one.results()) == set(other.results()) == set(plan.cells)
    times = Counter(cell for side in workers for cell in side.asked)
    assert set(times) == set(plan.cells)
    assert set(times.values()) == {1}
    assert all(side.asked for side in workers)


def test_a_lost_worker_costs_its_cell_another_try(tmp_path: Path, plan: Plan) -> None:
    lost: Counter[Cell] = Counter()

    def sometimes(cell: Cell) -> Outcome:
        lost[cell] += 1
        return Lost() if lost[cell] == 1 and cell.fold == 2 else some_result()

    with ProtocolRun(plan, tmp_path, lambda: Obedient(sometimes)) as run:
        run.finish()
        assert len(run.results()) == 9
        assert not run.problems
    assert {cell.fold: count for cell, count in lost.items()} == {1: 1, 2: 2, 3: 1}


def test_a_cell_that_always_loses_its_worker_is_given_up_and_the_others_are_not(tmp_path: Path, plan: Plan) -> None:
    bad = plan.cells[3]
    workers = Obedient(lambda cell: Lost() if cell == bad else some_result())
    with ProtocolRun(plan, tmp_path, lambda: workers) as run:
        run.finish()
        assert set(run.results()) == set(plan.cells) - {bad}
        assert "memory" in run.failures[bad].sentence
        assert run.progress.lines[0].failed == 1
    assert workers.asked.count(bad) == MOST_LOSSES


def test_the_same_content_under_two_names_is_worked_out_once(tmp_path: Path, plan: Plan) -> None:
    twice = replace(plan, cells=(*plan.cells, *(replace(cell, dataset="twin") for cell in plan.cells)))
    workers = Obedient()
    with ProtocolRun(twice, tmp_path, lambda: workers) as run:
        run.finish()
        assert len(run.results()) == 18
    assert len(workers.asked) == 9


def test_time_left_follows_the_cells_that_are_done(tmp_path: Path, plan: Plan) -> None:
    with ProtocolRun(plan, tmp_path, lambda: Obedient()) as run:
        assert run.seconds_left is None
        for _ in range(3):
            run.advance()
        assert run.seconds_left == pytest.approx(6 * 0.5 / 2)  # six cells of half a second on two workers
        assert [line.done for line in run.progress.lines] == [1, 1, 1]


PATIENCE = 120.0


@pytest.fixture(scope="module")
def search_plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """One fold with noisy copies of features, so that a search has some hundred nodes."""
    folder = tmp_path_factory.mktemp("copies") / "copies"
    write_folds(folder, [with_copies(40)], train=range(20), vali=range(20, 30), test=range(30, 40))
    return plan_protocol([DatasetSource(str(folder))], [MethodChoice.parse("best-subset:k=4")], points=4)


@pytest.fixture(scope="module")
def expected(search_plan: Plan) -> Table:
    return undisturbed(search_plan)


def test_a_cell_killed_at_a_node_looks_at_the_rest_only(
    search_plan: Plan, expected: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, nodes, most = tree.look_at_all, [0], math.inf

    def look(space: Any, tasks: Any) -> Any:
        nodes[-1] += len(tasks)
        if nodes[-1] > most:
            raise KeyboardInterrupt  # within a step, whose tree is not whole
        return plain(space, tasks)

    monkeypatch.setattr(tree, "look_at_all", look)
    monkeypatch.setattr(best_subset, "SECONDS_BETWEEN", 0.0)
    (cell,) = search_plan.cells
    fold = search_plan.source(cell.dataset).open().fold(cell.fold)
    assert table({cell: cell_result(cell, fold)}) == expected
    nodes, most = [*nodes, 0], 60
    with pytest.raises(KeyboardInterrupt):
        cell_result(cell, fold, tmp_path)
    nodes, most = [*nodes, 0], math.inf
    assert table({cell: cell_result(cell, fold, tmp_path)}) == expected
    whole, _, rest = nodes
    assert 0 < rest <= whole - 30, "a step looks at some 25 nodes, and was not kept when it was killed"


def test_a_run_that_is_stopped_and_continued_does_the_same(search_plan: Plan, expected: Table, tmp_path: Path) -> None:
    """It is stopped before it takes in a result, since that would delete the searches of the cell."""

    class NeverTakenIn(LocalWorkers):
        def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
            time.sleep(0.01)
            return []

    with ProtocolRun(search_plan, tmp_path, lambda: NeverTakenIn(search_plan, 1)) as run:
        begun = time.monotonic()
        while not list(tmp_path.glob("runs.searches/*/*.npz")):
            assert time.monotonic() - begun < PATIENCE
            run.advance()
    with ProtocolRun(search_plan, tmp_path, lambda: LocalWorkers(search_plan, 1)) as run:
        run.finish()
        assert table(run.results()) == expected
    assert not list(tmp_path.glob("runs.searches*"))


def test_a_machine_without_the_store_keeps_nothing(search_plan: Plan, tmp_path: Path) -> None:
    (cell,) = search_plan.cells
    assert searches_of(tmp_path / "runs.sqlite", cell) is None
    assert not list(tmp_path.iterdir())


def test_what_nobody_has_gone_on_with_for_a_month_is_deleted(search_plan: Plan, tmp_path: Path) -> None:
    folders = [tmp_path / "runs.searches" / name for name in ("old", "new")]
    for folder in folders:
        folder.mkdir(parents=True)
    long_ago = time.time() - ABANDONED_SECONDS - 60.0
    os.utime(folders[0], (long_ago, long_ago))
    with ProtocolRun(search_plan, tmp_path, lambda: LocalWorkers(search_plan, 1)):
        pass
    assert [folder.name for folder in (tmp_path / "runs.searches").iterdir()] == ["new"]
