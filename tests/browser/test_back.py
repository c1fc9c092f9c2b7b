"""Back and Forward: one press is one choice, and the whole choice follows the address."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.cases import sweep


def state(lab: Lab) -> tuple[object, ...]:
    """The choice as the address, the sidebar and the strip tell it."""
    lab.wait()
    slider = lab.at("choose_c").get_by_role("slider").input_value()
    strip = lab.page.locator(".strip").inner_text().split(" · ")[:2]
    return lab.query, lab.value("method"), lab.value("C"), slider, strip


def drag(lab: Lab, chart: str, by: float) -> None:
    """Take C from a picture."""
    c = lab.query.get("C")
    x, y = lab.take_hold(lab.handle(chart))
    lab.page.mouse.move(x + by, y, steps=8)
    lab.next_frame()
    lab.page.mouse.up()
    lab.page.wait_for_function("c => new URL(location).searchParams.get('C') !== c", arg=c)
    lab.wait()


@pytest.mark.parametrize(("path", "chart"), sweep([("path", "path"), ("", "lab_path")]))
def test_one_press_of_back_takes_back_one_choice_and_forward_brings_it_again(lab: Lab, path: str, chart: str) -> None:
    lab.open(path, dataset="planted", method="l1", ratio="0.1")
    states = [state(lab)]
    entries = lab.page.evaluate("history.length")
    drag(lab, chart, 60.0)
    states.append(state(lab))
    lab.choose("method", "RankSVM log")
    states.append(state(lab))
    drag(lab, chart, -60.0)
    states.append(state(lab))
    assert len({repr(each) for each in states}) == len(states)
    assert lab.page.evaluate("history.length") == entries + 3
    for way, order in (("back", states[-2::-1]), ("forward", states[1:])):
        for wanted in order:
            lab.page.evaluate(f"history.{way}()")
            expect(lab.at("method").get_by_role("combobox")).to_have_value(str(wanted[1]))
            expect(lab.at("choose_c").get_by_role("slider")).to_have_value(str(wanted[3]))
            assert state(lab) == wanted, way
