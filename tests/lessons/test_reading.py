"""Files that are no lesson are refused with the file, the line and the way out.

The language of answers: a small part of Python that is never run as Python.
Lessons of a teacher: the one of CONTRIBUTING.md, a folder of one's own, and the command that checks a file.
"""

import json
import os
import re
from pathlib import Path

import pytest

from core.cli import main
from core.lessons import (
    ORDER,
    LessonError,
    LessonResults,
    answer,
    broken_lessons,
    explanation,
    lesson,
    lessons,
    read_lesson,
)
from core.lessons.expressions import Named, parsed
from core.lessons.lesson import Choice, Curve, Number, Order
from core.lessons.results import slider_ratio
from pages.shared.choice.choice import ratio_at, step_at

GOOD = """\
---
title: A lesson
minutes: 5
about: What is known afterwards.
dataset: planted
data: any
results:
  l1: {of: fit, method: l1, ratio: 0.05}
  log: {of: fit, method: log, ratio: 0.05}
  path: {of: path, method: l1, points: 4}
steps:
  - title: Which one?
    text: |
      Look at *both*.
    show: path?method=l1
    hide: [beside, tools]
    predict:
      choice: Which penalty keeps fewer features?
      options: {one: ℓ1, other: log}
    answer: least(one=l1.kept, other=log.kept)
    reveal: path?method=log&beside=l1
    explain: |
      {answer} wins, not {guess}. ℓ1 keeps {l1.kept}, log {log.kept};
      the larger number is {max(l1.kept, log.kept):.1f}, and $\\frac{1}{42}$ is a formula.
  - title: How many?
    text: A number.
    show: path?dataset=python-docs&fold=Fold2
    predict: {number: "How many?", low: 0, high: 60}
    answer: l1.kept
    explain: "{answer}"
  - title: In order
    text: An order.
    show: numbers
    predict:
      order: Which keeps more?
      items: {l1: ℓ1, log: log}
      first: fewest
      last: most
    answer: rising(l1=l1.kept, log=log.kept)
    explain: "{answer}"
  - title: A curve
    text: A curve.
    show: path
    predict: {curve: "How many?", x_label: λ, x: [0.1, 1], x_log: true, y_label: kept, low: 0, high: 60}
    answer: points(path.ratio, path.kept)
    explain: It rises.
---
Notes for *teachers*.
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_lesson_is_read_whole(tmp_path: Path) -> None:
    lesson = read_lesson(written(tmp_path, GOOD))
    assert (lesson.name, lesson.title, lesson.minutes, lesson.any_data) == ("mine", "A lesson", 5, True)
    assert lesson.notes == "Notes for *teachers*."
    choice, number, order, curve = (step.predict for step in lesson.steps)
    assert choice == Choice("Which penalty keeps fewer features?", ("ℓ1", "log"), ("one", "other"))
    assert number == Number("How many?", 0, 60, 0.6)
    assert order == Order("Which keeps more?", ("ℓ1", "log"), ("l1", "log"), "fewest", "most")
    assert curve == Curve("How many?", "λ", (0.1, 1.0), "kept", 0, 60, x_log=True)
    assert lesson.step(1).hide == ("beside", "tools")
    assert lesson.step(1).show == "path?dataset=planted&fold=Fold1&method=l1"
    assert lesson.step(2).show == lesson.step(2).reveal == "path?dataset=python-docs&fold=Fold2"
    assert (lesson.step(0), lesson.step(99)) == (lesson.steps[0], lesson.steps[-1])


def test_its_answers_and_explanations_have_the_computed_numbers(tmp_path: Path) -> None:
    lesson = read_lesson(written(tmp_path, GOOD))
    first, _, third, fourth = lesson.steps
    made = LessonResults.of(lesson, first, third)
    assert [one.name for one in made.results] == ["l1", "log"], "a step needs no more than its expressions name"
    facts = made.made()
    kept = (facts["l1"]["kept"], facts["log"]["kept"])
    assert answer(first, facts).value == 1
    assert explanation(first, facts, guess=0) == (
        f"“log” wins, not “ℓ1”. ℓ1 keeps {kept[0]}, log {kept[1]};\n"
        f"the larger number is {kept[0]:.1f}, and $\\frac{{1}}{{42}}$ is a formula."
    )
    assert answer(third, facts).value == (1, 0)
    run = LessonResults.of(lesson, fourth).work()
    run.advance()
    assert (run.count, run.total) == (1, 5), "a model of a path is a step of the work"


def test_a_lesson_moves_to_other_data(tmp_path: Path) -> None:
    moved = read_lesson(written(tmp_path, GOOD)).on("python-docs", 2)
    assert {one.dataset for one in moved.results} == {"python-docs"}
    assert moved.step(1).reveal == "path?dataset=python-docs&fold=Fold2&method=log&beside=l1"
    fixed = read_lesson(written(tmp_path, GOOD.replace("data: any\n", "")))
    with pytest.raises(ValueError, match="planted only"):
        fixed.on("python-docs", 2)


def test_the_key_of_results_changes_with_what_they_are_made_from(tmp_path: Path) -> None:
    lesson = read_lesson(written(tmp_path, GOOD))
    keys = {
        LessonResults.of(lesson).key,
        LessonResults.of(lesson, lesson.step(1)).key,
        LessonResults.of(lesson.on("planted", 2)).key,
        LessonResults.of(read_lesson(written(tmp_path, GOOD.replace("ratio: 0.05", "ratio: 0.1")))).key,
    }
    assert len(keys) == 4
    assert LessonResults.of(read_lesson(written(tmp_path, GOOD))).key in keys


BROKEN = {
    "an unknown field of the lesson": ("minutes: 5", "minute: 5", 3, "minutes"),
    "an unknown field of a step": ("    reveal: path?method=log&beside=l1", "    revael: path", 21, "reveal"),
    "no title": ("title: A lesson\n", "", 2, "title"),
    "no number of minutes": ("minutes: 5", "minutes: some", 3, "minutes"),
    "no minute at all": ("minutes: 5", "minutes: 0", 3, "from 1"),
    "a key twice": ("minutes: 5", "minutes: 5\nminutes: 6", 4, "second time"),
    "no YAML": ("title: A lesson", "title: [A lesson", 3, "YAML"),
    "an alias": ("title: A lesson", "title: &a A lesson\nabout: *a", 2, "aliases"),
    "a page that is not there": ("show: path?method=l1", "show: paths?method=l1", 15, "tradeoff"),
    "a key that the page has not": ("show: path?method=l1", "show: path?k=3", 15, "path_by"),
    "a method that is not there": ("show: path?method=l1", "show: path?method=l3", 15, "mcp"),
    "a solver of a page that is not there": ("show: path?method=l1", "show: path?solver=none", 15, "no solver"),
    "a parameter that is not there": ("show: path?method=l1", "show: path?log.gamma=1", 15, "METHOD.NAME"),
    "no address": ("show: path?method=l1", "show: path?method", 15, "NAME=VALUE"),
    "a control that is not there": ("hide: [beside, tools]", "hide: [beside, knob]", 16, "knob"),
    "an unknown kind of prediction": ("      choice: Which", "      guess: Which", 18, "number"),
    "one option": ("{one: ℓ1, other: log}", "{one: ℓ1}", 19, "two or more"),
    "an answer that is not among the options": (
        "least(one=l1.kept, other=log.kept)", "one if l1.kept > log.kept else third", 20, "third",
    ),
    "options that are not all there": ("least(one=l1.kept, other=log.kept)", "l1.kept", 20, "one, other"),
    "an option that is written down": ("answer: least(one=l1.kept, other=log.kept)", "answer: other", 20, "l1.c"),
    "a typed number": ("    answer: l1.kept", "    answer: 15", 29, "written down"),
    "a typed number in disguise": ("    answer: l1.kept", "    answer: 3 * 5", 29, "written down"),
    "a typed number in a branch": ("    answer: l1.kept", "    answer: 15 if l1.kept > 3 else 7", 29, "computed"),
    "a result that is not there": ("    answer: l1.kept", "    answer: l2.kept", 29, "l1, log, path"),
    "a whole result": ("    answer: l1.kept", "    answer: l1", 29, "l1.kept"),
    "a fact that is not there": ("    answer: l1.kept", "    answer: l1.size", 29, "kept"),
    "a function that is not there": ("    answer: l1.kept", "    answer: open(l1.kept)", 29, "argmax"),
    "Python": ("    answer: l1.kept", "    answer: '[k for k in l1.names]'", 29, "cannot use"),
    "no expression": ("    answer: l1.kept", "    answer: l1.kept +", 29, "cannot be read"),
    "no answer": ("    answer: l1.kept\n", "", 25, "answer"),
    "no explanation": ("    answer: l1.kept\n    explain: \"{answer}\"\n", "    answer: l1.kept\n", 25, "explain"),
    "an order without an item": ("rising(l1=l1.kept, log=log.kept)", "rising(l1=l1.kept)", 39, "log=..."),
    "a curve that is a number": ("points(path.ratio, path.kept)", "path.kept[0]", 45, "points"),
    "a scale upside down": ("low: 0, high: 60}\n    answer: l1", "low: 60, high: 0}\n    answer: l1", 28, "below"),
    "a place twice": ("x: [0.1, 1]", "x: [1, 1]", 44, "rising"),
    "places that fall": ("x: [0.1, 1]", "x: [1, 0.1]", 44, "rising"),
    "a placeholder that is not there": ("{l1.kept}, log", "{l1.size}, log", 23, "kept"),
    "a placeholder on the second line": ("{max(l1.kept, log.kept):.1f}", "{max(l1.kept}", 24, "cannot be read"),
    "a number in the explanation": ("ℓ1 keeps {l1.kept}", "ℓ1 keeps 15", 23, "typed"),
    "a guess of a curve": ("explain: It rises.", 'explain: "{answer}"', 46, "drawn"),
    "a kind of result that is not there": ("l1: {of: fit,", "l1: {of: fitting,", 8, "stability"),
    "an option that the kind has not": ("l1: {of: fit,", "l1: {of: fit, points: 3,", 8, "ratio"),
    "a solver that is not there": ("{of: fit, method: l1,", "{of: fit, method: l1, solver: newton,", 8, "fista"),
    "a ratio of 0": ("method: l1, ratio: 0.05", "method: l1, ratio: 0", 8, "above 0"),
    "a name that is none": ("  l1: {of", "  l-1: {of", 8, "one word"),
    "steps that are no list": ("steps:\n  - title: Which one?\n", "steps:\n    title: Which one?\n", 25, "YAML"),
}  # fmt: skip
"""What is wrong: what is replaced, by what, the line, and a part of the way out."""


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_with_its_line_and_the_way_out(case: str, tmp_path: Path) -> None:
    before, after, line, way_out = BROKEN[case]
    assert GOOD.count(before) >= 1
    with pytest.raises(LessonError) as refused:
        read_lesson(written(tmp_path, GOOD.replace(before, after, 1)))
    assert re.match(rf"mine\.md, line {line}: ", str(refused.value)), str(refused.value)
    assert way_out in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"# A lesson", "front matter"), (b"", "front matter"), (b"---\n---\n", "empty"), (b"\xff\xfe", "UTF-8"),
        (b"---\n- a\n---\n", "NAME: VALUE"), (b"---\na: " + b"[" * 400 + b"]" * 400 + b"\n---\n", "nesting|YAML"),
        (b"---\nsteps:\n" + b"x" * 300_000, "characters"),
    ],
)  # fmt: skip
def test_what_is_no_lesson_at_all_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_bytes(content)
    with pytest.raises(LessonError, match=says) as refused:
        read_lesson(path)
    assert str(refused.value).startswith("mine.md")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match=r"none\.md"):
        read_lesson(tmp_path / "none.md")


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
