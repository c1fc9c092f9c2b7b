"""A cell that is killed in the middle of a search goes on from what the search had reached, to the same result."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import ABANDONED_SECONDS, RunStore, searches_of
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Outcome
from core.solvers.best_subset import tree
from tests.cases import sweep
from tests.experiments.tables import Table, table, undisturbed
from tests.oracles import ranking_problem
from tests.ranking_files import write_folds

ROOT = Path(__file__).resolve().parents[3]
METHODS = ("best-subset:k=4", "l0")
PATIENCE = 120.0

KILLS_ITSELF = """
import os, pickle, signal, sys
from pathlib import Path
from core.experiments.run.protocol import cell_result
from core.solvers.best_subset import best_subset, tree
best_subset.SECONDS_BETWEEN = 0.0
look, looked = tree.look_at_all, [0]
def look_or_die(space, tasks):
    looked[0] += len(tasks)
    if looked[0] > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return look(space, tasks)
tree.look_at_all = look_or_die
cell, source = pickle.load(sys.stdin.buffer)
cell_result(cell, source.open().fold(cell.fold), Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> DatasetSource:
    """One fold with noisy copies of features, so that a search has some hundred nodes."""
    queries = ranking_problem(3, n_queries=40, n_features=9)
    noise = 0.2 * np.random.default_rng(5).normal(size=queries.features.shape)
    wide = queries.with_features(
        np.column_stack([queries.features, queries.features + noise]), [f"f{j}" for j in range(18)]
    )
    folder = tmp_path_factory.mktemp("copies") / "copies"
    return DatasetSource(str(write_folds(folder, [wide], train=range(20), vali=range(20, 30), test=range(30, 40))))


@pytest.fixture(scope="module")
def plan(copies: DatasetSource) -> Plan:
    return plan_protocol([copies], [MethodChoice.parse(text) for text in METHODS], points=4)


@pytest.fixture(scope="module")
def expected(plan: Plan) -> Table:
    return undisturbed(plan)


def nodes_looked_at(cell: Cell, plan: Plan, folder: Path | None) -> tuple[int, Table]:
    """Work a cell out in this process: the nodes that it looks at, and its result."""
    counted = [0]

    def look(*arguments: object) -> object:
        counted[0] += len(arguments[1])  # type: ignore[arg-type]
        return plain(*arguments)  # type: ignore[arg-type]

    plain = tree.look_at_all
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "look_at_all", look)
        result = cell_result(cell, plan.source(cell.dataset).open().fold(cell.fold), folder)
    return counted[0], table({cell: result})


@pytest.mark.parametrize("place", sweep(range(len(METHODS))), ids=METHODS)
def test_a_cell_killed_at_any_node_looks_at_the_rest_only(
    plan: Plan, expected: Table, tmp_path: Path, place: int
) -> None:
    cell = plan.cells[place]
    whole, result = nodes_looked_at(cell, plan, None)
    assert result == {cell.key: expected[cell.key]}
    assert whole > 40
    until = int(np.random.default_rng().integers(20, whole - 10))
    ended = subprocess.run(
        [sys.executable, "-c", KILLS_ITSELF, str(tmp_path), str(until)],
        input=pickle.dumps((cell, plan.source(cell.dataset))), cwd=ROOT, check=False,
    )  # fmt: skip
    assert ended.returncode == -signal.SIGKILL
    rest, resumed = nodes_looked_at(cell, plan, tmp_path)
    assert 0 < rest <= whole - until + 30  # a step looks at some 25 nodes, and was not kept when it was killed
    assert rest < whole
    assert resumed == result


def test_a_run_that_is_stopped_and_continued_does_the_same(plan: Plan, expected: Table, tmp_path: Path) -> None:
    """It is stopped before it takes in a result, since that would delete the searches of the cell."""

    class NeverTakenIn(LocalWorkers):
        def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
            time.sleep(0.01)
            return []

    with RunStore(tmp_path) as store:
        with ProtocolRun(plan, store, NeverTakenIn(plan, 1)) as run:
            begun = time.monotonic()
            while not list(tmp_path.glob("runs.searches/*/*.npz")):
                assert time.monotonic() - begun < PATIENCE
                run.advance()
        with ProtocolRun(plan, store, LocalWorkers(plan, 1)) as run:
            run.finish()
            assert table(run.results()) == expected
    assert not list(tmp_path.glob("runs.searches*"))


def test_a_machine_without_the_store_keeps_nothing_and_gives_the_same(
    plan: Plan, expected: Table, tmp_path: Path
) -> None:
    cell, store = plan.cells[0], tmp_path / "runs.sqlite"
    assert searches_of(store, cell) is None
    assert nodes_looked_at(cell, plan, searches_of(store, cell))[1] == {cell.key: expected[cell.key]}
    assert not list(tmp_path.iterdir())


def test_what_nobody_has_gone_on_with_for_a_month_is_deleted(plan: Plan, tmp_path: Path) -> None:
    folders = [tmp_path / "runs.searches" / name for name in ("old", "new")]
    for folder in folders:
        folder.mkdir(parents=True)
    long_ago = time.time() - ABANDONED_SECONDS - 60.0
    os.utime(folders[0], (long_ago, long_ago))
    with RunStore(tmp_path) as store, ProtocolRun(plan, store, LocalWorkers(plan, 1)):
        pass
    assert [folder.name for folder in (tmp_path / "runs.searches").iterdir()] == ["new"]
