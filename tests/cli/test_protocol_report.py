"""``protocol`` leaves a report beside its store, and says where."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.experiments.run.workers.local_workers import LocalWorkers
from core.export import files
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("workers_here")
QUICK = ("--methods", "l1,l2", "--grid", 3, "--workers", 1)


def test_a_run_leaves_a_report_with_the_numbers_it_prints(folds: Path, tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    record = ask("protocol", folds, *QUICK, "--out", tmp_path)
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
    assert {name for name in others if not name.startswith("runs.sqlite")} == set()


def test_the_margin_decides_what_is_equivalent(folds: Path, tmp_path: Path, ask: Ask) -> None:
    for margin in ("0", "1"):
        record = ask("protocol", folds, *QUICK, "--out", tmp_path, "--margin", margin)
        for one in record["comparison"]["rows"]:
            again = one["choice_too"]
            low, high = again["inner_interval"]
            assert again["interval"][0] <= low <= high <= again["interval"][1]
            assert again["margin"] == float(margin)
            decided = again["verdict"] in ("equivalent", "different, but by less than the margin")
            assert decided == (max(-low, high) <= float(margin) and one["queries"] >= 10)
        page = (tmp_path / "report.html").read_text("utf-8")
        assert f"equivalent within {margin}?" in page
        assert f"--margin {margin}" in page


def test_people_are_told_where_it_is(folds: Path, tmp_path: Path, run: Command) -> None:
    answer = run("protocol", folds, *QUICK, "--out", tmp_path)
    assert answer.out.endswith(f"Report: {tmp_path / 'report.html'}\n")


def test_again_it_is_only_drawn_anew(folds: Path, tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask("protocol", folds, *QUICK, "--out", tmp_path)
    (tmp_path / "report.html").unlink()
    monkeypatch.setattr(LocalWorkers, "submit", lambda *_: pytest.fail("a cell was worked out again"))
    assert ask("protocol", folds, *QUICK, "--out", tmp_path) == first
    assert (tmp_path / "report.html").is_file()


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
