"""The app's own lessons: each file reads, and each step has an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.lessons import LessonResults, answer, broken_lessons, explanation, lesson, lessons
from core.lessons.lesson import Choice, Curve, Lesson, Number, Order

FILES = sorted((Path(__file__).parents[2] / "core" / "lessons" / "files").glob("*.md"))


def test_every_file_is_a_lesson() -> None:
    assert not broken_lessons()
    assert {one.name for one in lessons()} == {path.stem for path in FILES}


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_every_question_has_an_answer_within_what_can_be_guessed(name: str) -> None:
    one: Lesson = lesson(name)
    facts = LessonResults.of(one).made()
    assert any(step.predict for step in one.steps)
    for step in one.steps:
        assert "{" not in explanation(step, facts).replace("{,}", "").partition("$")[0]
        if step.predict is None:
            continue
        value = answer(step, facts).value
        match step.predict:
            case Choice(options=options):
                assert 0 <= value < len(options)
            case Number(low=low, high=high):
                assert low <= value <= high, (step.number, value)
            case Order(items=items):
                assert sorted(value) == list(range(len(items)))
            case Curve(low=low, high=high, x=x):
                assert all(low <= y <= high for _, y in value), (step.number, value)
                assert value[0][0] <= x[0] * 1.001
                assert value[-1][0] >= x[-1] * 0.999
