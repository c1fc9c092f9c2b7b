"""What the command line prints of nasty names is text to a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from tests.app.shown_names import nasty_csv


@pytest.mark.parametrize("command", [["features"], ["fit", "--method", "l1", "--C", "0.1"]])
def test_no_control_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    file = tmp_path / "a\x1b[31m\u202eb.csv"
    file.write_bytes(nasty_csv())
    assert main([command[0], str(file), *command[1:]]) == 0
    shown = capsys.readouterr().out
    assert "\\x1b[31mred" in shown or "nonzero" in shown or "kept" in shown
    assert not [c for c in shown if not c.isprintable() and c not in "\n"], shown
    assert main([command[0], str(file), *command[1:], "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert any(row["name"] == "\x1b[31mred\x1b[0m\x07" for row in record["features"]) or command[0] == "fit"


def test_an_error_that_names_a_file_is_one_line_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad\x1b]0;title\x07\n.csv"
    file.write_bytes(b"1 qid:x")
    assert main(["features", str(file)]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "\x1b" not in shown
    assert "\\x1b" in shown
