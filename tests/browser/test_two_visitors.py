"""Two people on one server, each with a file ``mine.txt`` of his own: nobody is shown the other's numbers.

Without a browser, before every commit: `tests.app.test_two_visitors`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.watch import Watch
from tests.two_files import CORRECTED, ONE, OTHER


@pytest.fixture
def other_lab(server: Server, browser: Browser) -> Iterator[Lab]:
    """The app in another person's browser."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce")
    opened.set_default_timeout(120_000)
    with Watch(opened) as watch:
        yield Lab(opened.new_page(), server.address)
    opened.close()
    watch.assert_quiet()


@pytest.mark.more
def test_two_files_of_one_name_with_equal_training_parts(lab: Lab, other_lab: Lab) -> None:
    lab.open("fit")
    lab.drop("mine.txt", ONE)
    lab.unfold("Which C does validation choose?")
    lab.press("tune")
    expect(lab.at("use_c")).to_be_visible()
    other_lab.open("fit")
    other_lab.drop("mine.txt", OTHER)
    expect(other_lab.at("chart_tuning")).to_have_count(0)
    other_lab.unfold("Which C does validation choose?")
    other_lab.press("tune")
    expect(other_lab.at("use_c")).to_be_visible()
    assert other_lab.title("tuning").inner_text() != lab.title("tuning").inner_text()
    for one in (lab, other_lab):
        one.go_to("Lab")
        one.wait()
    assert _best_alone(lab) != _best_alone(other_lab)


@pytest.mark.more
def test_a_label_that_is_corrected_makes_numbers_new(lab: Lab) -> None:
    lab.open()
    lab.drop("mine.txt", ONE)
    before = _best_alone(lab)
    lab.drop("mine.txt", CORRECTED)
    assert _best_alone(lab) != before


def _best_alone(lab: Lab) -> str:
    """What the headline of the Lab says of the best single feature."""
    answer = lab.page.locator(".lab-answer")
    expect(answer).to_contain_text("best single feature")
    return answer.inner_text()
