"""Stop, Continue, and a fit that goes on while one looks elsewhere."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab

ENDLESS = {"dataset": "planted", "method": "l1", "solver": "subgradient", "tol": "1e-10"}
AT_ONCE = 1.0
"""Seconds from the click to the sentence that says so."""


def start(lab: Lab, pace: str = "full speed", **own: str) -> None:
    """A fit that takes long: the subgradient method never gets to a gap of 1e-10.

    The fit of a session that has gone changes hands, so what another test of the same problem has left is drawn until
    this one's first steps are; who counts steps from the first asks for a problem of ``own``.
    """
    lab.open("fit", **ENDLESS, **own)
    if pace != "full speed":
        lab.choose("pace", pace)
    lab.press("fit")
    lab.says("Running")


# Seconds from the click to the sentence that says so, by the page's own clock.
_STOPWATCH = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  let clicked;
  window.stoppedAfter = undefined;
  document.addEventListener("click", () => { clicked = performance.now(); }, {capture: true, once: true});
  new MutationObserver((_, observer) => {
    if (clicked && main.querySelector('[data-testid="stAlert"]')?.textContent.includes("Stopped after")) {
      observer.disconnect();
      window.stoppedAfter = (performance.now() - clicked) / 1000;
    }
  }).observe(main, {childList: true, subtree: true, characterData: true});
}"""


def seconds_to_stop(lab: Lab) -> float:
    lab.page.evaluate(_STOPWATCH)
    lab.press("stop")
    lab.says("Stopped")
    taken: Any = lab.page.wait_for_function("() => window.stoppedAfter").json_value()
    return float(taken)


def stop(lab: Lab) -> int:
    """Stop, and return the step at which it stands."""
    lab.press("stop")
    lab.says("Stopped")
    lab.wait()
    return lab.steps_drawn()


def test_a_fit_grows_on_the_screen_stops_within_a_second_and_goes_on_from_there(lab: Lab) -> None:
    start(lab)
    first = lab.steps_beyond(0)
    lab.steps_beyond(lab.steps_beyond(first))

    taken = [seconds_to_stop(lab)]
    lab.wait()
    stopped = lab.steps_drawn()
    assert lab.drawn("convergence")[-1].text == ["stopped"]
    lab.page.wait_for_timeout(700)
    assert lab.steps_drawn() == stopped

    lab.press("continue")
    lab.says("Running")
    smallest = lab.steps_beyond(-1)
    assert smallest >= stopped, "it began again instead of going on"
    lab.steps_beyond(stopped)
    lab.button("stop").dblclick()  # twice does no harm
    lab.says("Stopped")
    lab.wait()
    again = lab.steps_drawn()
    assert again > stopped
    expect(lab.button("stop")).to_be_disabled()
    lab.press("continue")
    assert lab.steps_beyond(again) > again
    taken.append(seconds_to_stop(lab))
    assert min(taken) < AT_ONCE, "what another test takes of the processor comes on top"


def test_a_slow_fit_is_found_again_after_a_reload_and_stops_in_the_middle_of_a_pause(lab: Lab) -> None:
    start(lab, "1 step a second", ratio="0.07")
    lab.steps_beyond(1)
    begun, step = time.monotonic(), lab.steps_drawn()
    reached = lab.steps_beyond(step + 1)
    assert time.monotonic() - begun > 1.0
    lab.reload()
    lab.says("Running")
    assert lab.steps_beyond(-1) >= reached, "it was lost"
    assert {key: lab.query[key] for key in ("dataset", "solver")} == {"dataset": "planted", "solver": "subgradient"}
    taken = [seconds_to_stop(lab)]
    lab.press("continue")
    lab.says("Running")
    taken.append(seconds_to_stop(lab))
    assert min(taken) < AT_ONCE


@pytest.mark.more
def test_a_fit_goes_on_while_one_is_on_another_page(lab: Lab) -> None:
    start(lab, "4 steps a second", ratio="0.05")
    left = lab.steps_beyond(2)
    assert left < 100, "it is another's"
    lab.go_to("Lab")
    expect(lab.at("chart_lab_path")).to_be_visible(timeout=150_000)
    lab.page.wait_for_timeout(3000)
    lab.go_to("Fit")
    lab.says("Running")
    assert lab.steps_beyond(-1) >= left + 4, "it stood still meanwhile"
    stop(lab)
