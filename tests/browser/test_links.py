"""The address holds the choice: a reload and a link show the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab


@pytest.mark.more
def test_two_tabs_with_different_choices_do_not_disturb_each_other(lab: Lab) -> None:
    other = lab.another_tab()
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10")
    other.open("fit", dataset="planted", method="l2")
    lab.press("fit")
    lab.says("Running")
    other.press("fit")
    other.says("Converged")
    expect(other.page.locator("h1, h2").first).to_have_text(re.compile("ℓ2 keeps"))
    reached = lab.steps_beyond(lab.steps_drawn())
    other.choose("method", "RankSVM SCAD")
    other.says("stationarity")
    assert lab.value("method") == "RankSVM ℓ1"
    lab.steps_beyond(reached)
    lab.press("stop")
    lab.says("Stopped")
