"""The language of answers: a small part of Python that is never run as Python.

Lessons of a teacher: the one of CONTRIBUTING.md, a folder of one's own, and the command that checks a file.
"""

import json
import os
from pathlib import Path

import pytest

from core.cli import main
from core.lessons import ORDER, broken_lessons, lesson, lessons, read_lesson
from core.lessons.expressions import Named, parsed
from core.lessons.results import slider_ratio
from pages.shared.choice.choice import ratio_at, step_at

NAMED = Named({"a": "fit", "p": "path"}, ("few", "many"))
FACTS = {
    "a": {"kept": 3, "gap": 0.25, "names": ("signal 1", "echo 1"), "weights": {"signal 1": 2.0}},
    "p": {"ratio": (1.0, 0.1, 0.01), "kept": (0, 2, 5)},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.kept + 1", 4), ("-a.gap * 4 ** 2 / 2 - 7 // 2 + 7 % 4", -2.0), ("many if a.kept > 2 else few", "many"),
        ("1 < a.kept <= 3 and not a.gap > 1 or False", True), ("p.kept[argmax(p.ratio)]", 0),
        ("p.kept[nearest(p.ratio, 0.09)]", 2), ("p.kept[-1]", 5), ('a.weights["signal 1"]', 2.0),
        ('named(a.names, "signal")', 1), ("first_below(p.ratio, 0.5)", 1),
        ("rising(few=a.kept, many=a.gap)", ("many", "few")),
        ("falling(few=a.kept, many=a.gap)", ("few", "many")), ("most(few=a.kept, many=a.gap)", "few"),
        ("least(few=a.kept, many=a.gap)", "many"), ("points(p.ratio, p.kept)", ((0.01, 5.0), (0.1, 2.0), (1.0, 0.0))),
        ("sum(p.kept) + max(p.kept) + min(p.kept) + len(p.kept) + mean(p.kept)", 7 + 5 + 0 + 3 + 7 / 3),
        ('"echo 1" in a.names', True), ("round(a.gap, 1) + abs(-a.gap) + sqrt(4) + log10(100)", 0.2 + 0.25 + 2 + 2),
        ("argmin(p.ratio)", 2),
    ],
)  # fmt: skip
def test_an_expression_has_its_value(text: str, value: object) -> None:
    found = parsed(text, NAMED).value(FACTS)
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    "text",
    [
        "5", "few", "a", "b.kept", "a.fact", "a.kept.real", "a.__class__", "__import__('os').system(a.kept)",
        "open(a.kept)",
        "lambda: a.kept", "[a.kept for _ in p.kept]", "f'{a.kept}'", "(a.kept := 3)", "p.kept[0:1]", "a.kept @ a.gap",
        "a.kept is 3", "rising(a.kept)", "rising(none=a.kept)", "rising(**a.weights)", "max(*p.kept)", "a.kept\nb", "",
        "{a.kept}", "a.kept if", "a.kept " + "+ 1" * 200, "await a.kept", "b'1' + a.kept",
        "a.kept + 1j", "...",
    ],
)  # fmt: skip
def test_what_the_language_has_not_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        parsed(text, NAMED)
    assert str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "a.kept / (a.kept - 3)", "p.kept[9]", 'a.weights["none"]', "a.steps", "first_below(p.ratio, 0.001)",
        "a.kept ** 1e9",
        "10 ** 99 ** a.kept", "p.kept * 9", "a.names + a.names", "sqrt(-a.kept)", "points(p.ratio, a.names)",
        "a.names > 2",
        "mean(a.kept)", "9.0 ** 99 * 9.0 ** 99 * 9.0 ** 99 ** a.kept",
    ],
)  # fmt: skip
def test_what_has_no_value_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="has no value here"):
        parsed(text, NAMED).value(FACTS)


@pytest.mark.parametrize("ratio", [1.0, 0.05, 0.002, 0.0317, 1e-5])
def test_a_result_has_the_ratio_of_the_page(ratio: float) -> None:
    assert slider_ratio(ratio) == ratio_at(step_at(ratio))


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
        ("      high: 100", "      high: 50", "twins.md, line 11: the answer of step 1, 56 %, does not lie"),
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
