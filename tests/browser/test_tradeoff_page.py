"""The handle of C on the curve of Trade-off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli


def settled(lab: Lab) -> None:
    """Wait until all paths are complete."""
    expect(lab.at("tradeoff_use")).to_be_visible(timeout=150_000)
    expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
    lab.wait()


def test_c_runs_along_the_curve_under_the_hand_and_is_taken_when_it_lets_go(lab: Lab) -> None:
    lab.open("tradeoff", dataset="planted", method="log", tradeoff_methods="log", ratio="0.3")
    settled(lab)
    knob = lab.handle("tradeoff")
    kept = lab.page.locator("[data-reading='kept']")
    x, y = lab.take_hold(knob)
    seen = set()
    for step in range(1, 41):
        lab.page.mouse.move(x + 6 * step, y)
        lab.next_frame()
        seen.add(kept.inner_text())
    assert len(seen) > 3
    lab.next_frame()
    size = int(kept.inner_text().split()[0])
    assert f"{size} of 60 features" in (knob.get_attribute("aria-valuetext") or "")
    lab.page.mouse.up()
    expect(lab.at("C").locator("input").first).not_to_have_value("")  # two stand there while the page is drawn again
    lab.wait()
    path = run_cli("path", "planted", "--method", "log", "--points", "50", "--json")["points"]
    taken = min(path, key=lambda point: abs(point["C"] - float(lab.value("C"))))
    assert taken["C"] == pytest.approx(float(lab.value("C")), rel=1e-9)
    assert taken["nonzero"] == size
