"""Work that fails is exit 1 with one line, whatever was raised; only bad usage and bad data are exit 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import metrics
from core.methods import Method
from tests.cli.conftest import Command
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


def test_ctrl_c_stops_without_a_traceback(letor_file: Path, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Method, "run", interrupt)
    assert run("fit", letor_file, "--C", 1) == (1, "", "stopped\n")
