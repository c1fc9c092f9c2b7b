"""Lessons in a browser: predicted by pointer and keys, locked, shown beside what core computes, kept by the browser."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from core.figures.lessons.guess import gap_sentence
from core.lessons import LessonResults, Step, answer, lesson
from core.lessons.lesson import Curve, Facts, Number, Order
from tests.browser.axe import in_theme, violations
from tests.browser.lab import Lab

KEPT = "localStorage.getItem('sparse-ranking-lab lessons')"
LESSON = lesson("convergence")
"""It asks for a number, an order and a curve; a choice is a control of Streamlit's."""


def kept(lab: Lab) -> Mapping[str, Any]:
    """What the browser has kept of the lesson."""
    found: dict[str, Any] = json.loads(lab.page.evaluate(KEPT) or "{}")
    return found.get(LESSON.name, {})


def predict_by_pointer(lab: Lab, step: Step) -> None:
    match step.predict:
        case Number():
            scale = lab.at("lesson").locator(".lesson-number input")
            box = scale.bounding_box()
            assert box is not None
            scale.click(position={"x": 0.7 * box["width"], "y": box["height"] / 2})
        case Order(items=items):
            lab.click(lab.at("lesson").get_by_role("button", name=f"Move {items[0]} down", exact=True))
        case Curve():
            svg = lab.at("lesson").locator(".lesson-curve svg")
            svg.scroll_into_view_if_needed()
            box = svg.bounding_box()
            assert box is not None
            lab.page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.2 * box["height"])
            lab.page.mouse.down()
            lab.page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.6 * box["height"], steps=6)
            lab.page.mouse.up()


def predict_by_keys(lab: Lab, step: Step) -> None:
    match step.predict:
        case Number():
            lab.at("lesson").get_by_role("slider").focus()
            lab.page.keyboard.press("ArrowRight")
        case Order(items=items):
            lab.at("lesson").get_by_role("button", name=f"Move {items[0]} down", exact=True).focus()
            lab.page.keyboard.press("ArrowDown")
        case Curve():
            lab.at("lesson").get_by_role("slider").first.focus()
            for key in ("ArrowUp", "ArrowRight", "PageUp"):
                lab.page.keyboard.press(key)


def nothing_keeps_anybody_out(lab: Lab, within: str | None = None) -> None:
    lab.wait()
    for scheme in ("dark", "light"):
        in_theme(lab.page, scheme)
        assert violations(lab.page, within) == {}, scheme


def assert_step(lab: Lab, step: Step, facts: Mapping[str, Facts], *, keys: bool) -> None:
    """Take one step as a reader does, up to its result beside the prediction."""
    panel = lab.at("lesson")
    expect(panel).to_contain_text(f"step {step.number} of {len(LESSON.steps)}")
    if step.predict is not None:
        lock = lab.button("lesson_lock")
        expect(lock).to_be_visible()
        if not isinstance(step.predict, Order):
            expect(lock).to_be_disabled()
        (predict_by_keys if keys else predict_by_pointer)(lab, step)
        expect(lock).to_be_enabled()
        nothing_keeps_anybody_out(lab, ".st-key-lesson")  # the rest of the page stays for the look at its result
        lab.press("lesson_lock")
        expect(panel.get_by_role("link", name="Show the result")).to_be_visible()
        lab.page.wait_for_function(
            f"step => (JSON.parse({KEPT}) ?? {{}})['{LESSON.name}']?.guesses[step] != null", arg=str(step.number)
        )
        guess = kept(lab)["guesses"][str(step.number)]
        lab.click(panel.get_by_role("link", name="Show the result"))
        expect(lab.at("lesson_gap")).to_contain_text(gap_sentence(step.predict, guess, answer(step, facts).value))
    nothing_keeps_anybody_out(lab)


@pytest.mark.more
@pytest.mark.first
def test_a_lesson_from_its_first_step_to_its_last(lab: Lab) -> None:
    """Every other prediction is made by keys; axe looks at every step."""
    facts = LessonResults.of(LESSON).made()
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("lessons")
    lab.click(lab.at(f"lesson_{LESSON.name}").get_by_role("link", name="Start"))
    for step in LESSON.steps:
        assert_step(lab, step, facts, keys=step.number % 2 == 1)
        way_on = "Next" if step.number < len(LESSON.steps) else "All lessons"
        lab.click(lab.at("lesson").get_by_role("link", name=way_on))
    lab.reload()  # another session: only the browser knows
    expect(lab.at(f"lesson_{LESSON.name}")).to_contain_text("done")
    lab.wait()
    lab.press(f"again_{LESSON.name}")
    expect(lab.at(f"lesson_{LESSON.name}")).not_to_contain_text("done")
    lab.page.wait_for_function(f"() => JSON.parse({KEPT})['{LESSON.name}'].seen.length === 0")
    assert kept(lab) == {"guesses": {}, "seen": []}
