"""A finished lesson as a page: all that was asked, guessed and found, in one file, with names as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from core.export.saved.lesson import saved_lesson
from core.figures.lessons.guess import gap_sentence
from core.lessons import Choice, Curve, Lesson, LessonResults, Number, Order, answer, lesson, opened
from core.lessons.declared import Facts
from core.names.markdown import markdown_html
from tests.cases import sweep

LESSONS = ("zeros", "pairs", "hinge", "bias", "choosing", "convergence", "top", "misleading")


def guesses_of(of: Lesson) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for step in of.steps:
        match step.predict:
            case Choice(options=options):
                found[step.number] = len(options) - 1
            case Number(high=high):
                found[step.number] = high
            case Order(items=items):
                found[step.number] = tuple(range(len(items)))
            case Curve(x=x, high=high):
                found[step.number] = (high,) * len(x)
    return found


@cache
def facts_of(name: str) -> Mapping[str, Facts]:
    return LessonResults.of(lesson(name)).made()


@pytest.mark.parametrize("name", sweep(LESSONS, always=1))
def test_every_step_has_its_question_the_prediction_the_result_and_numbers_in_place_of_placeholders(name: str) -> None:
    of = lesson(name)
    guesses, facts = guesses_of(of), facts_of(name)
    text = saved_lesson(of, facts, guesses, opened(of.dataset, of.fold) if of.dataset else None)
    assert len(text.encode()) <= 3_000_000
    assert '<html lang="en">' in text
    assert not re.search(r'<(script|link|img|iframe)[^>]* (src|href)="(?!data:)', text)
    prose = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    said = re.sub(r"<[^>]+>", "", prose).replace("&#39;", "'").replace("&#x27;", "'").replace("&amp;", "&")
    for step in of.steps:
        assert step.title in said
        if step.predict is not None:
            assert step.predict.question in said
            assert gap_sentence(step.predict, guesses[step.number], answer(step, facts).value) in said
    assert "{" not in said
    assert "**" not in said


def test_what_was_not_predicted_is_said_so_and_a_path_is_dragged_in_the_end() -> None:
    of = lesson("zeros")
    text = saved_lesson(of, facts_of("zeros"), {}, opened(of.dataset, of.fold))
    assert text.count("You made no prediction.") == sum(step.predict is not None for step in of.steps)
    assert text.count('"marks": [{') + text.count('"marks":[{') == 1
    assert '"marks":[{' not in saved_lesson(of, facts_of("zeros"), {})


def test_what_a_lesson_says_is_text() -> None:
    of = lesson("zeros")
    nasty = replace(of, title="</title><script>alert(1)</script>", steps=(replace(of.steps[-1], text="<img src=x>"),))
    text = saved_lesson(nasty, facts_of("zeros"), {})
    assert "<script>alert(1)" not in text
    assert "<img" not in text


def test_markdown_is_html_and_all_else_text() -> None:
    assert markdown_html("A **bold** *word*, `x < 1`\n\nand $\\max(0, \\text{gap})$.") == (
        "<p>A <strong>bold</strong> <em>word</em>, <code>x &lt; 1</code></p><p>and <i>max(0, gap)</i>.</p>"
    )
    assert markdown_html("- **A**: ✓\n- B") == "<ul><li><strong>A</strong>: ✓</li><li>B</li></ul>"
    assert markdown_html(r"5 \* 4 \[x\] <b>") == "<p>5 * 4 [x] &lt;b&gt;</p>"
