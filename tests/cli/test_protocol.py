"""``protocol``: datasets by methods, kept as it goes, its report, and what it says when something is wrong.

``paper``: figures and tables of the papers by name, kept piece by piece, and what is said when it cannot be.
Work that fails is exit 1 with one line, whatever was raised; only bad usage and bad data are exit 2.
A disk that fills up in the middle of a run of the protocol: one sentence, and nothing finished is lost.
``path --html``: the path as a page beside the usual answer.
"""

import csv
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from core import metrics
from core.experiments.papers import fenchelrank_time, registry
from core.experiments.papers.fenchelrank_time import BallOutcome
from core.experiments.run.cells import Cell
from core.experiments.run.plan import PlannedFold
from core.experiments.run.workers import local_workers
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Failure, Outcome
from core.export import files
from core.methods import Method
from core.solvers import Stop
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("workers_here")
QUICK = ("--methods", "l1,l2", "--grid", 3, "--workers", 1)


def test_people_get_tables_and_progress(folds: Path, tmp_path: Path, run: Command) -> None:
    answer = run("protocol", folds, *QUICK, "--out", tmp_path, "--measure", "ndcg@10")
    assert answer.status == 0
    assert [line.partition(" cells")[0] for line in answer.err.splitlines()] == [f"{k} of 4" for k in (1, 2, 3, 4)]
    assert_says(answer.out, "C", "among 3", "validation NDCG@10")
    assert "randomization p" in answer.out
    assert answer.out.count("two-folds") == 4
    assert answer.out.endswith(f"Report: {tmp_path / 'report.html'}\n")


def test_what_is_no_store_is_left_as_it_is(folds: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    (tmp_path / "runs.sqlite").write_text("what was here before")
    assert_says(refused("protocol", folds, "--methods", "l1", "--out", tmp_path), "store", "damaged")
    assert (tmp_path / "runs.sqlite").read_text() == "what was here before"


def test_cells_that_fail_are_said_and_the_others_are_the_answer(
    folds: Path, tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = local_workers.LocalWorkers._ask

    def fail(workers: LocalWorkers, cell: Cell, *others: object) -> Outcome:
        if cell.choice.method == "l2" and cell.fold == 2:
            return Failure("MemoryError: 12 GiB", bad_data=False)
        return ask(workers, cell, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(LocalWorkers, "_ask", fail)
    answer = run("protocol", folds, *QUICK, "--out", tmp_path, "--json")
    assert answer.status == 1
    assert answer.err.count("\n") == 1
    assert_says(answer.err, "1 of 4 cells", "failed", "two-folds", "l2", "fold 2", "MemoryError: 12 GiB")
    assert '"missing": [{"dataset": "two-folds", "fold": 2, "method": "l2", "reason": "MemoryError' in answer.out


def test_a_run_prints_and_leaves_a_report_of_the_same_numbers_and_works_nothing_out_again(
    folds: Path, tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    record = ask("protocol", folds, *QUICK, "--out", tmp_path)
    assert [(row["dataset"], row["method"]) for row in record["results"]] == [("two-folds", "l1"), ("two-folds", "l2")]
    for row in record["results"]:
        assert [fold["fold"] for fold in row["folds"]] == [1, 2]
        for name in ("MAP", "NDCG@10", "sparsity_ratio", "seconds"):
            assert row[name] == pytest.approx(mean(fold[name] for fold in row["folds"]))
    assert (record["results"][1]["sparsity_ratio"], record["missing"]) == (1.0, [])
    comparison = record["comparison"]
    assert comparison["reference"] == "l2"
    assert {(row["method"], row["measure"]) for row in comparison["rows"]} == {("l1", "MAP"), ("l1", "NDCG@10")}
    told = {"decrease_percent", "t_test_p", "randomization_p", "interval", "randomization_holm"}
    assert told <= comparison["rows"][0].keys()
    assert record["report"] == str(tmp_path / "report.html")
    assert f"protocol {folds} --methods l1,l2 --grid 3" in (tmp_path / "report.html").read_text("utf-8")
    with (tmp_path / "tables" / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row, printed in zip(rows, record["results"], strict=True):
        assert (row["method"], float(row["MAP"])) == (printed["method"], printed["MAP"])
    (against,) = [one for one in record["against_best"] if one["measure"] == "MAP"]
    with (tmp_path / "tables" / "table5-map.csv").open(encoding="utf-8") as file:
        tested = {row["method"]: row["t_test_p"] for row in csv.DictReader(file)}
    assert tested == {against["reference"]: "", against["method"]: repr(against["t_test_p"])}
    assert (tmp_path / "tables" / "strong-two-folds.csv").is_file()
    others = {path.name for path in tmp_path.iterdir()} - {"report.html", "tables", "mine.txt"}
    assert "runs.sqlite" in others
    assert {name for name in others if not name.startswith("runs.sqlite")} == set()
    monkeypatch.setattr(LocalWorkers, "submit", lambda *_: pytest.fail("a cell was worked out again"))
    (tmp_path / "report.html").unlink()
    assert ask("protocol", folds, *QUICK, "--out", tmp_path) == record
    assert (tmp_path / "report.html").is_file(), "it is drawn again"


def test_the_answer_is_not_lost_where_the_report_cannot_be_written(
    folds: Path, tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write_files", full)
    answer = run("protocol", folds, *QUICK, "--out", tmp_path, "--json")
    assert answer.status == 1
    assert answer.err.count("\n") == 1
    assert_says(answer.err, "report", "cannot be written", str(tmp_path), "No space left on device\n")
    assert '"results": [{"dataset": "two-folds"' in answer.out
    assert '"report"' not in answer.out


TABLE6 = "fenchelrank-table6"


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's thousand steps are for its own tests."""
    for name in ("TGRANK", "FENCHELRANK"):
        monkeypatch.setattr(fenchelrank_time, name, replace(getattr(fenchelrank_time, name), stop=Stop(max_steps=20)))


def test_a_run_that_is_stopped_goes_on_with_the_next_piece_to_json_csv_and_page(
    folds: Path, tmp_path: Path, run: Command, ask: Ask, small_steps: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[int] = []
    work = fenchelrank_time.ball_outcome

    def stopped_at_the_second(cell: PlannedFold, known: Any) -> BallOutcome:
        if cell.number == 2 and worked == [1]:
            raise KeyboardInterrupt
        worked.append(cell.number)
        return work(cell, known)

    stopped = replace(fenchelrank_time.FENCHELRANK_TIME, work=stopped_at_the_second)
    monkeypatch.setitem(registry._BY_NAME, TABLE6, stopped)
    answer = run("paper", TABLE6, folds, "--out", tmp_path, "--json")
    assert (answer.status, answer.out, answer.err) == (1, "", "stopped\n")
    worked.append(0)
    record = ask("paper", TABLE6, folds, "--out", tmp_path)
    assert worked == [1, 0, 2]
    rows = record["tables"]["same-ball"]
    assert [(row["dataset"], row["fold"]) for row in rows] == [("two-folds", 1), ("two-folds", 2)]
    assert record["missing"] == []
    page, *tables = map(Path, record["files"])
    assert page.name == f"{TABLE6}.html"
    assert "plotly" in page.read_text(encoding="utf-8").lower()
    with next(path for path in tables if path.name.endswith("same-ball.csv")).open(encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert [float(row["r"]) for row in written] == [row["r"] for row in rows]
    again = ask("paper", TABLE6, folds, "--out", tmp_path)
    assert again["tables"] == record["tables"]  # seconds and all: nothing was measured anew


def test_progress_goes_to_the_other_stream(folds: Path, tmp_path: Path, run: Command, small_steps: None) -> None:
    answer = run("paper", TABLE6, folds, "--out", tmp_path)
    assert answer.status == 0
    assert_says(answer.err.splitlines()[-1], "two-folds", "fold 2", "2 of 2")
    assert f"Page: {tmp_path / TABLE6}.html" in answer.out


def test_rows_of_a_table_are_the_protocols(folds: Path, tmp_path: Path, ask: Ask) -> None:
    record = ask("paper", "fsmrank-table3", folds, "--out", tmp_path)
    labels = ["fsmrank:lambda1=0:importance=none", "fsmrank:lambda1=0", "fsmrank:similarity=none", "fsmrank"]
    assert [row["method"] for row in record["results"]] == labels
    assert record["protocol"]["chosen_by"] == "NDCG@10"
    assert (tmp_path / "runs.sqlite").is_file()
    # Known already: the same rows under the other command.
    same = ask("protocol", folds, "--methods", "fsmrank-table3", "--measure", "ndcg@10", "--out", tmp_path)
    assert same["results"] == record["results"]


def test_every_name_is_listed_with_what_it_needs(ask: Ask) -> None:
    rows = {row["name"]: row for row in ask("papers")}
    assert {"fsmrank-fig1-3", TABLE6, "fsmrank-table3", "fenchelrank-table7", "infinite-push-table1"} <= rows.keys()
    assert rows["fenchelrank-table7"]["rows"][:2] == ["fs-rank:k=5", "fs-rank:k=10"]
    assert all(row["source"] and row["title"] and row["help"] for row in rows.values())


@pytest.mark.parametrize("error", [MemoryError("12 GiB"), ZeroDivisionError("division\nby zero")], ids=repr)
def test_a_failure_in_the_middle_is_one_line(
    error: Exception, letor_file: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(Method, "run", fail)
    for command in (["fit", letor_file, "--C", 1], ["path", letor_file]):
        answer = run(*command, "--json")
        sentence = " ".join(str(error).split())
        assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)
        assert_says(answer.err, "failed", f"{type(error).__name__}: {sentence}\n")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_result_that_is_no_number_is_no_answer(
    value: float, letor_file: Path, tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without ``--json``, which has no word for it."""
    monkeypatch.setattr(metrics.RankedLists, "mean", lambda *given: value)
    (tmp_path / "scores.txt").write_text("1\n" * 240)
    for form in (["--json"], []):
        answer = run("evaluate", letor_file, tmp_path / "scores.txt", *form)
        assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)
        assert_says(answer.err, "not", "finite")


ROOT = Path(__file__).resolve().parents[2]
ROOM = 60 * 1024
"""Bytes of the largest file that can be written: a store with a cell or two."""


@pytest.mark.fault
def test_a_run_says_that_its_store_cannot_be_written_and_goes_on_when_there_is_room(
    folds: Path, tmp_path: Path, ask: Ask
) -> None:
    words = ("protocol", folds, "--methods", "l1,log,l2", "--grid", 3, "--workers", 1, "--out")
    stopped = subprocess.run(
        [sys.executable, "-m", "core", *map(str, words), str(tmp_path / "full"), "--json"],
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert stopped.returncode == 1
    said = stopped.stderr.splitlines()[-1]
    assert_says(said, "runs.sqlite", "cannot", "continues", "finished")
    assert "Traceback" not in stopped.stderr

    def models(folder: Path) -> list[tuple[object, ...]]:
        rows = ask(*words, folder)["results"]
        return [tuple(row[name] for name in ("method", "complete", "MAP", "NDCG@10", "nonzero")) for row in rows]

    went_on, afresh = models(tmp_path / "full"), models(tmp_path / "another")
    assert went_on == afresh
    assert all(complete for _, complete, *_ in afresh)


def test_what_cannot_be_saved_is_refused_before_the_work(run: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    beneath_a_file = tmp_path / "file" / "page.html"
    for more in (
        ("--over", "k", "--method", "best-subset", "--set", "k=2"),
        ("--option", "across=size"),
        ("--points", "3", "--method", "l1"),
    ):
        refused = run("path", "planted", *more, "--html", beneath_a_file)
        assert (refused.status, len(refused.err.splitlines())) == (2, 1)
