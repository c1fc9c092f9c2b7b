"""Work that fails is exit 1 with one line, whatever was raised; only bad usage and bad data are exit 2.

A disk that fills up in the middle of a run of the protocol: one sentence, and nothing finished is lost.
``path --html``: the path as a page beside the usual answer.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from core import metrics
from core.methods import Method
from tests.cli.conftest import Ask, Command
from tests.says import assert_says

ERRORS = [
    RuntimeError("no luck"),
    ValueError("shapes do not match"),
    MemoryError("12 GiB"),
    ZeroDivisionError("division\nby zero"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
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
@pytest.mark.usefixtures("workers_here")
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
        assert refused.status == 2
        assert len(refused.err.splitlines()) == 1
