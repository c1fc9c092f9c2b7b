"""Lessons in a browser: predicted by pointer and keys, locked, shown beside what core computes, kept by the browser."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from core.figures.lessons.guess import gap_sentence
from core.lessons import LessonResults, Step, answer, lesson
from core.lessons.declared import Facts
from core.lessons.lesson import Choice, Curve, Lesson, Number, Order
from tests.browser.axe import in_theme, violations
from tests.browser.lab import Lab
from tests.browser.offline import assert_nobody_is_kept_out, opened, reading

KEPT = "localStorage.getItem('sparse-ranking-lab lessons')"
CHECKED = "convergence"
"""It asks for a number, an order and a curve: axe looks at each of its steps."""


def kept(lab: Lab, name: str) -> Mapping[str, Any]:
    """What the browser has kept of a lesson."""
    found: dict[str, Any] = json.loads(lab.page.evaluate(KEPT) or "{}")
    return found.get(name, {})


def predict_by_pointer(lab: Lab, step: Step) -> None:
    match step.predict:
        case Choice(options=options):
            lab.click(lab.at("lesson").get_by_text(options[-1], exact=True).first)
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
        case Choice():
            lab.at("lesson").get_by_role("radio").first.focus()
            lab.page.keyboard.press("Space")
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


def nothing_keeps_anybody_out(lab: Lab) -> None:
    lab.wait()
    for scheme in ("dark", "light"):
        in_theme(lab.page, scheme)
        assert violations(lab.page) == {}, scheme


def assert_step(lab: Lab, of: Lesson, step: Step, facts: Mapping[str, Facts], *, keys: bool) -> None:
    """Take one step as a reader does, up to its result beside the prediction."""
    panel = lab.at("lesson")
    expect(panel).to_contain_text(f"step {step.number} of {len(of.steps)}")
    guess = None
    if step.predict is not None:
        lock = lab.button("lesson_lock")
        expect(lock).to_be_visible()
        if not isinstance(step.predict, Order):
            expect(lock).to_be_disabled()
        (predict_by_keys if keys else predict_by_pointer)(lab, step)
        expect(lock).to_be_enabled()
        if of.name == CHECKED:
            nothing_keeps_anybody_out(lab)
        lab.press("lesson_lock")
        expect(panel.get_by_role("link", name="Show the result")).to_be_visible()
        lab.page.wait_for_function(
            f"step => (JSON.parse({KEPT}) ?? {{}})['{of.name}']?.guesses[step] != null", arg=str(step.number)
        )
        guess = kept(lab, of.name)["guesses"][str(step.number)]
        lab.click(panel.get_by_role("link", name="Show the result"))
        found = answer(step, facts)
        expect(lab.at("lesson_gap")).to_contain_text(gap_sentence(step.predict, guess, found.value))


@pytest.mark.more
@pytest.mark.parametrize("name", ["zeros", CHECKED])
def test_a_lesson_from_its_first_step_to_its_last(lab: Lab, tmp_path: Path, name: str) -> None:
    """Every other prediction is made by keys."""
    of = lesson(name)
    facts = LessonResults.of(of).made()
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("lessons")
    lab.click(lab.at(f"lesson_{of.name}").get_by_role("link", name="Start"))
    for step in of.steps:
        assert_step(lab, of, step, facts, keys=step.number % 2 == (name == CHECKED))
        if name == CHECKED:
            nothing_keeps_anybody_out(lab)
        elif step.number == 2:
            lab.wait()
            lab.go_to("Data")
            expect(lab.at("lesson")).to_contain_text("looking around")
            lab.click(lab.at("lesson").get_by_role("link", name="Back to the lesson"))
            expect(lab.at("lesson_gap")).to_be_visible()
        if step.number < len(of.steps):
            lab.wait()
            lab.click(lab.at("lesson").get_by_role("link", name="Next"))
    if name == CHECKED:
        return
    lab.click(lab.at("lesson").get_by_role("link", name="All lessons"))
    expect(lab.at(f"lesson_{of.name}")).to_contain_text("done")
    lab.reload()  # another session: only the browser knows
    expect(lab.at(f"lesson_{of.name}")).to_contain_text("done")
    lab.wait()
    with lab.page.expect_download() as saved:
        lab.click(lab.at(f"lesson_{of.name}").get_by_role("button", name="Save as a page"))
    saved.value.save_as(tmp_path / "lesson.html")
    browser = lab.page.context.browser
    assert browser is not None
    with opened(browser, tmp_path / "lesson.html", policy=False) as page:  # what it says: tests/export
        page.get_by_role("slider", name="C", exact=True).press("Home")
        expect(reading(page, "features")).to_have_text("0 of 60")
        page.set_viewport_size({"width": 400, "height": 800})
        expect(page.locator("html")).to_have_js_property("scrollWidth", 400)
        assert_nobody_is_kept_out(page)
    lab.press(f"again_{of.name}")
    expect(lab.at(f"lesson_{of.name}")).not_to_contain_text("done")
    lab.page.wait_for_function(f"() => JSON.parse({KEPT})['{of.name}'].seen.length === 0")
    assert kept(lab, of.name) == {"guesses": {}, "seen": []}
