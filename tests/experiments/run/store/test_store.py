"""The run store keeps results bit for bit, lets processes share the work, and never overwrites what it cannot read.

A stored cell has the model and the trace of the fit that it was, to the last bit.
"""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.fit_records import fit_record
from core.analysis.path import path_fits
from core.data import DataError
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import CellResult, cell_result
from core.experiments.run.store.file import APPLICATION_ID, SCHEMA_VERSION, default_store_path
from core.experiments.run.store.store import LEASE_SECONDS, RunStore
from core.methods import get_method
from core.solvers import Certificate, TracePoint
from tests.stand_ins import Clock


def some_result(seed: int = 0) -> CellResult:
    rng = np.random.default_rng(seed)
    record = {
        "dataset": "any",
        "fold": 1,
        "certificate": {"relative": float(rng.random())},
        "times": {"cell": 0.5},
        "objective": float(rng.random()),
    }
    certificate = Certificate("stationarity", float(rng.random()), np.inf, among="near it")
    trace = tuple(TracePoint(k, float(rng.random()), certificate, 0.1 * k, 2.5, 7, k == 0) for k in range(3))
    queries = {"MAP": rng.random(5), "NDCG@10": rng.random(5)}
    return CellResult(record, rng.normal(size=7), queries, trace, f"tree {seed}\n")


@pytest.fixture
def cell(plan: Plan) -> Cell:
    return plan.cells[0]


def test_a_result_comes_back_bit_for_bit_after_the_file_was_closed(tmp_path: Path, cell: Cell) -> None:
    kept = some_result()
    with RunStore(tmp_path / "new" / "place") as store:
        assert store.result(cell) is None
        store.put(cell, kept)
    assert (tmp_path / "new" / "place" / "runs.sqlite").is_file()
    with RunStore(tmp_path / "new" / "place") as store:
        found = store.result(cell)
        assert store.seconds([cell]) == {cell.key: 0.5}
    assert found.record == kept.record | {"dataset": cell.dataset}
    assert found.weights.tobytes() == kept.weights.tobytes()
    assert {name: (values.dtype, values.tobytes()) for name, values in found.per_query.items()} == {
        name: (values.dtype, values.tobytes()) for name, values in kept.per_query.items()
    }
    assert found.trace == kept.trace
    assert found.text == kept.text


def test_a_result_is_never_changed(tmp_path: Path, cell: Cell) -> None:
    with RunStore(tmp_path) as store:
        store.put(cell, some_result(1))
        store.put(cell, some_result(2))
        found = store.result(cell)
    assert found.weights.tobytes() == some_result(1).weights.tobytes()


def test_content_under_another_name_is_known_by_the_name_asked_for(tmp_path: Path, cell: Cell) -> None:
    with RunStore(tmp_path) as store:
        store.put(cell, some_result())
        found = store.result(replace(cell, dataset="renamed", fold=4))
    assert (found.record["dataset"], found.record["fold"]) == ("renamed", 4)


def test_of_two_who_ask_for_a_cell_one_gets_it(tmp_path: Path, plan: Plan) -> None:
    first, second = plan.cells[:2]
    with RunStore(tmp_path) as one, RunStore(tmp_path) as other:
        assert (one.claim(first), other.claim(first), other.claim(second)) == ("ours", "taken", "ours")
        assert one.claim(first) == "ours"
        one.put(first, some_result())
        assert other.claim(first) == "finished"
        other.release(second)
        assert one.claim(second) == "ours"


def test_a_claim_lapses_without_a_heartbeat(tmp_path: Path, cell: Cell) -> None:
    clock = Clock(1_000_000.0)
    with RunStore(tmp_path, clock) as one, RunStore(tmp_path, clock) as other:
        one.claim(cell)
        clock.now += 0.9 * LEASE_SECONDS
        one.heartbeat()
        clock.now += 0.9 * LEASE_SECONDS
        assert other.claim(cell) == "taken"
        clock.now += 0.2 * LEASE_SECONDS
        assert other.claim(cell) == "ours"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process cannot be asked whether it is there")
def test_the_claim_of_a_process_that_has_gone_lapses_at_once(tmp_path: Path, cell: Cell) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    with RunStore(tmp_path) as dead, RunStore(tmp_path) as heir:
        dead.owner = f"{socket.gethostname()}/{int(gone.stdout)}/abc"
        dead.claim(cell)
        assert heir.claim(cell) == "ours"
    with RunStore(tmp_path) as far, RunStore(tmp_path) as here:
        far.owner = f"another-machine/{int(gone.stdout)}/abc"
        far.claim(cell)
        assert here.claim(cell) == "taken"


def test_whoever_closes_gives_back_what_was_claimed(tmp_path: Path, cell: Cell) -> None:
    with RunStore(tmp_path) as one:
        one.claim(cell)
    with RunStore(tmp_path) as other:
        assert other.claim(cell) == "ours"


def filled(folder: Path, plan: Plan) -> Path:
    """A store with a result of every cell, in one file."""
    with RunStore(folder) as store:
        for number, cell in enumerate(plan.cells):
            store.put(cell, some_result(number))
    return folder / "runs.sqlite"


def of_a_newer_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE photographs (name TEXT)")


NOISE = np.random.default_rng(0).bytes(4096)
DAMAGED = r"runs\.sqlite\b.*\bdamaged\b.*\bnot been changed\b"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (lambda path: path.write_text("my notes on ranking, not to be lost\n" * 10), DAMAGED),
        (lambda path: path.write_bytes(path.read_bytes()[:-5000]), DAMAGED),
        (lambda path: path.write_bytes((old := path.read_bytes())[:4096] + NOISE + old[8192:]), DAMAGED),
        (of_a_newer_version, "newer version"),
        (of_another_program, "another program"),
    ],
    ids=["a text", "without its end", "a page of noise", "newer version", "another program"],
)
def test_what_is_no_store_of_ours_is_refused_in_one_sentence_and_left_alone(
    changed: Callable[[Path], object], sentence: str, tmp_path: Path, plan: Plan
) -> None:
    path = filled(tmp_path, plan)
    changed(path)
    before = path.read_bytes()
    with pytest.raises(DataError, match=sentence) as refusal:
        RunStore(tmp_path)
    assert "\n" not in str(refusal.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("record", ["replace(record, '0.5', '0.6')", "CAST(x'22ff22' AS TEXT)"])
def test_a_result_that_was_tampered_with_is_not_given_out(tmp_path: Path, plan: Plan, record: str) -> None:
    path = filled(tmp_path, plan)
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE found SET record = {record}")
    database.close()
    with RunStore(tmp_path) as store, pytest.raises(DataError, match="damaged"):
        store.result(plan.cells[0])


def test_an_older_store_stays_and_takes_new_results(tmp_path: Path, cell: Cell) -> None:
    """Version 3 had a table `results`, whose cells are of code of then."""
    with sqlite3.connect(tmp_path / "runs.sqlite") as database:
        database.execute("CREATE TABLE results (key TEXT PRIMARY KEY, record TEXT NOT NULL)")
        database.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL)")
        database.execute("INSERT INTO results VALUES ('a', '{}')")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 3")
    database.close()
    with RunStore(tmp_path) as store:
        assert store.claim(cell) == "ours"
        store.put(cell, some_result())
        assert store.seconds([cell]) == {cell.key: 0.5}
    with sqlite3.connect(tmp_path / "runs.sqlite") as database:  # a program of version 3 now says that it is too old
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert database.execute("SELECT * FROM results").fetchall() == [("a", "{}")]
    database.close()


def test_an_empty_file_left_by_a_crash_becomes_a_store(tmp_path: Path, cell: Cell) -> None:
    (tmp_path / "runs.sqlite").touch()
    with RunStore(tmp_path) as store:
        assert store.claim(cell) == "ours"


def test_a_place_that_is_a_file_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DataError, match="is a file"):
        RunStore(tmp_path / "out")


def test_several_may_open_a_store_at_the_moment_when_it_is_made(tmp_path: Path) -> None:
    together = Barrier(4)

    def open_all(_: int) -> list[dict[str, float]]:
        found = []
        for k in range(40):
            together.wait(timeout=15)
            with RunStore(tmp_path / f"{k}.sqlite") as store:
                found.append(store.seconds([]))
        return found

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(open_all, range(4))) == [[{}] * 40] * 4
    for path in tmp_path.glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            assert database.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone() == (2,)


def test_its_place_is_in_the_home_folder_unless_a_variable_names_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "me"))
    for name in ("SPARSE_RANK_RUNS", "SPARSE_RANK_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert default_store_path() == tmp_path / "me" / ".sparse-ranking-lab" / "runs" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path / "things"))
    assert default_store_path() == tmp_path / "things" / "runs" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_RUNS", "~/big disk")
    assert default_store_path() == tmp_path / "me" / "big disk" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_RUNS", str(tmp_path / "letor.sqlite"))
    assert default_store_path() == tmp_path / "letor.sqlite"


@pytest.mark.parametrize("label", ["l1", "log", "rsrank", "rwfs-l0", "fsmrank:refit:ridge=0.01", "best-subset:k=3"])
def test_what_comes_back_from_the_store_is_the_fit_of_the_path(folder: Path, tmp_path: Path, label: str) -> None:
    """rsrank ends at its limit of steps: fitted anew, without the path before it, it would be another model."""
    source = DatasetSource(str(folder))
    cell = plan_protocol([source], [MethodChoice.parse(label)], points=3).cells[0]
    fold = source.open().fold(1)
    with RunStore(tmp_path) as store:
        store.put(cell, cell_result(cell, fold))
        kept = store.result(cell)
    method = get_method(cell.choice.method)
    lams = list(dict.fromkeys(point["lambda"] for point in kept.record["grid"]))  # once, whatever else was chosen
    settings = method.settings(kept.record["parameters"])
    fits = path_fits(method, method.training(fold.train), lams, parameters=settings)  # type: ignore[arg-type]
    there = next(fit for fit in fits if fit.lam == kept.record["lambda"])
    assert kept.weights.tobytes() == there.weights.tobytes()
    timeless = [[replace(p, seconds=0.0) for p in trace] for trace in (kept.trace, there.result.trace)]
    assert timeless[0] == timeless[1]
    same = ("method", "solver", "parameters", "lambda", "C", "lambda_max", "objective", "certificate", "stop", "passes",
            "features", "nonzero", "steps", "first_stage")  # fmt: skip
    found = fit_record(there, Judgement(), "letor4")
    assert {name: kept.record.get(name) for name in same} == {name: found.get(name) for name in same}
    assert ("first_stage" in kept.record) == ("refit" in label)
