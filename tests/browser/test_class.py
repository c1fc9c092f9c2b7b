"""A class: a presenter's tab and a follower's, each in a browser of its own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.app.shared.lesson.test_panel import FIRST, FIRST_PAGE
from tests.browser.axe import in_theme, violations
from tests.browser.conftest import Watch
from tests.browser.lab import Lab
from tests.browser.server import ClassServer
from tests.program_pages import EXAMPLE, ROWS


@pytest.fixture
def class_server(own_cache: None, tmp_path: Path) -> Iterator[ClassServer]:
    with ClassServer(tmp_path / "log.txt") as running:
        yield running


@pytest.fixture
def presenter(class_server: ClassServer, context: BrowserContext) -> Lab:
    """The presenter's tab, which has opened nothing yet: his browser has followed the link."""
    assert context.request.get(f"{class_server.address}/{class_server.present}").ok
    return Lab(context.new_page(), class_server.address)


@pytest.fixture
def follower(class_server: ClassServer, browser: Browser) -> Iterator[Lab]:
    """The tab of somebody else, on a phone."""
    opened = browser.new_context(viewport={"width": 400, "height": 800}, reduced_motion="reduce")
    opened.set_default_timeout(120_000)
    with Watch(opened) as watch:
        yield Lab(opened.new_page(), class_server.address)
    opened.close()
    watch.assert_quiet()


def _knob(lab: Lab) -> str:
    expect(lab.page.locator(".handle-knob")).to_have_count(1)
    return lab.page.locator(".handle-knob").inner_text()


# Whether a picture asks the server for finer frames no more.
_COMPLETE = "() => !document.querySelector('.live-chart').live.handle.spec.more"


def _bar(page: Page, words: str) -> None:
    expect(page.locator(".class-bar")).to_contain_text(words)


def _poll(lab: Lab) -> Locator:
    """The newest: while a page follows an address, what it has shown stands beside what it shows."""
    return lab.at("class_poll").last


def _heard(lab: Lab) -> float:
    """When the server has said something over the websocket last: a run of the page does."""
    return float(lab.page.evaluate("window.heard"))


@pytest.mark.first
def test_a_follower_goes_where_the_presenter_goes_until_he_takes_over(
    class_server: ClassServer, presenter: Lab, follower: Lab
) -> None:
    presenter.open("path", dataset="planted", method="l1")
    _knob(presenter)
    _bar(presenter.page, "You present")
    follower.open(class_server.join)  # late: begins where the class is
    _bar(follower.page, "You follow")
    assert follower.query["dataset"] == "planted"
    first = _knob(follower)
    for lab in (presenter, follower):
        lab.page.wait_for_function(_COMPLETE)
        lab.wait()

    heard = [_heard(lab) for lab in (presenter, follower)]
    knob = presenter.page.locator(".handle-knob").bounding_box()
    assert knob is not None
    presenter.page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    presenter.page.mouse.down()
    presenter.page.mouse.move(knob["x"] - 100, knob["y"], steps=8)
    held = _knob(presenter)
    assert held != first
    expect(follower.page.locator(".handle-knob")).to_have_text(held)
    assert [_heard(lab) for lab in (presenter, follower)] == heard, "a step of the handle costs no run of a page"
    presenter.page.mouse.up()
    presenter.wait()
    expect(follower.page.locator(".handle-knob")).to_have_text(held)

    follower.page.get_by_role("button", name="Take over").click()
    _bar(follower.page, "You are on your own")
    presenter.page.locator(".handle-knob").press("End")
    presenter.wait()
    _bar(presenter.page, "0 following, 1 on their own")
    assert _knob(follower) == held
    follower.page.get_by_role("button", name="Follow again").click()
    expect(follower.page.locator(".handle-knob")).to_have_text(_knob(presenter))

    presenter.go_to(ROWS[EXAMPLE].title)
    follower.page.wait_for_url(re.compile(rf"/{EXAMPLE}\?"))
    expect(follower.page.locator("h1, h2").first).to_be_visible()
    _bar(follower.page, "You follow")
    presenter.page.get_by_role("button", name="Show the code").click()
    expect(presenter.page.locator(".class-sheet strong")).to_have_text(class_server.join.partition("=")[2])
    presenter.page.wait_for_function("() => document.querySelector('.class-sheet img').naturalWidth > 0")
    assert violations(presenter.page) == {}
    presenter.page.get_by_role("button", name="Close").click()
    in_theme(presenter.page, "dark")
    assert violations(presenter.page) == {}


@pytest.mark.more
def test_a_member_votes_is_cut_off_and_sees_the_result_when_connected_again(
    class_server: ClassServer, presenter: Lab, browser: Browser
) -> None:
    """What a browser reports of a lost connection is no fault here: this follower is not watched."""
    presenter.open(FIRST_PAGE, **FIRST)
    presenter.press("class_open")
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    opened.set_default_timeout(120_000)
    member = Lab(opened.new_page(), class_server.address)
    member.open(class_server.join)
    member.at("guess_zeros_1").get_by_text("A small weight that is not 0").click()
    member.press("lesson_lock")
    expect(_poll(member)).to_contain_text("Your vote counts")
    _bar(member.page, "You follow")  # to vote is not to leave
    _bar(presenter.page, "Votes: 1.")
    opened.set_offline(True)
    _bar(member.page, "The connection is lost")
    presenter.press("class_reveal")
    expect(_poll(presenter)).to_contain_text("First vote: 1 vote")
    expect(_poll(member)).not_to_contain_text("First vote")
    opened.set_offline(False)
    _bar(member.page, "You are connected again")
    expect(_poll(member)).to_contain_text("First vote: 1 vote")
    opened.close()
