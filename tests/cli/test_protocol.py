"""``protocol``: datasets by methods, kept as it goes, its report, and what it says when something is wrong."""

import csv
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest

from core.experiments.run.cells import Cell
from core.experiments.run.workers import local_workers
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Failure, Outcome
from core.export import files
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("workers_here")
QUICK = ("--methods", "l1,l2", "--grid", 3, "--workers", 1)


def test_people_get_tables_and_progress(folds: Path, tmp_path: Path, run: Command) -> None:
    answer = run("protocol", folds, *QUICK, "--out", tmp_path, "--measure", "ndcg@10")
    assert answer.status == 0
    assert "4 of 4 cells" in answer.err
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
