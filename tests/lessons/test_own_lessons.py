"""Lessons of a teacher: the one of CONTRIBUTING.md, a folder of one's own, and the command that checks a file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.cli import main
from core.lessons import ORDER, broken_lessons, lesson, lessons, read_lesson

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """The lesson of CONTRIBUTING.md as a file."""
    path = tmp_path / "twins.md"
    path.write_text(CONTRIBUTING.read_text(encoding="utf-8").partition("````markdown\n")[2].partition("````")[0])
    return path


def test_the_lesson_of_the_recipe_is_checked_and_answered(shown: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", str(shown), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first, second = told["steps"]
    assert (told["lesson"], first["answer"]) == ("twins", pytest.approx(100 * 30 / 54))
    assert "30 of 54" in first["explain"]
    assert (second["answer"], second["words"]) == (2, "“Neither”")
    assert main(["lesson", str(shown)]) == 0
    assert "56 %" in capsys.readouterr().out
    moved = read_lesson(shown).on("planted", 1)
    assert moved.steps[0].show == "data?dataset=planted&fold=Fold1&data_section=features"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            "      high: 100",
            "      high: 50",
            "twins.md, line 11: the answer of step 1, 56 %, does not lie",
        ),
        ("hide: [strip]", "hide: [stripe]", "twins.md, line 29"),
        ("minutes: 5", "minutes: five", "twins.md, line 3: minutes is a number"),
        ("dataset: python-docs", "dataset: nowhere", "nowhere"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(
    before: str, after: str, says: str, shown: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown.write_text(shown.read_text().replace(before, after))
    assert main(["lesson", str(shown)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert "Traceback" not in told.err


def test_lessons_of_a_folder_stand_after_the_programs(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARSE_RANK_LESSONS", raising=False)
    assert [one.name for one in lessons()] == list(ORDER)
    monkeypatch.setenv("SPARSE_RANK_LESSONS", str(shown.parent))
    (shown.parent / "zeros.md").write_text("not the program's")
    (shown.parent / "broken.md").write_text("---\ntitle: [\n---\n")
    assert [one.name for one in lessons()] == [*ORDER, "twins"]
    assert [error.file for error in broken_lessons()] == ["broken.md"]
    shown.write_text(shown.read_text().replace("minutes: 5", "minutes: 25"))
    os.utime(shown, ns=(1, 1))
    assert lesson("twins").minutes == 25, "a file that has changed is read again"
    monkeypatch.setenv("SPARSE_RANK_LESSONS", str(shown.parent / "nowhere"))
    assert [one.name for one in lessons()] == list(ORDER)
