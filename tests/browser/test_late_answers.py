"""A slow line or a busy browser: what is chosen stays chosen though the page asks on before it has met the answer."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.line import Line

TICKS = 6  # enough for the fit that has been chosen to end, and for the page to be drawn again if they count


def test_a_method_that_is_chosen_while_a_fit_runs_stays_chosen(lab: Lab) -> None:
    """The buttons of the methods still show the one before, and what the page sends says so."""
    line = Line(lab, TICKS)
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10", ratio="0.09")
    lab.press("fit")
    lab.says("Running")
    line.slow = True
    lab.at("method").get_by_role("combobox").click()
    lab.page.get_by_role("option", name="RankSVM log", exact=True).click()
    lab.says("stationary point", 60)
    lab.wait()
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM log")
    assert "log keeps" in lab.headline
    assert not line.slow, "no answer was late"
