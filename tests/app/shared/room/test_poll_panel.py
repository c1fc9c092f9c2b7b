"""The vote as a lesson's panel shows it, to the presenter and to members of the class."""

from types import SimpleNamespace

import pytest
from starlette.responses import Response
from streamlit.testing.v1 import AppTest

from pages.shared.room import poll
from pages.shared.room import room as classes
from pages.shared.room.room import Member, Room
from tests.app.conftest import Open
from tests.app.fitting import press
from tests.app.shared.lesson.test_panel import FIRST, FIRST_PAGE, words

STEP = ("zeros", 1)


def _page() -> None:
    import streamlit as st

    from core.lessons.lesson import Choice
    from pages.shared.room import poll

    poll.draw(
        "zeros", 1, Choice("Which?", ("none", "some"), ("none", "some")),
        locked=st.session_state.get("locked"), value=st.session_state.get("value"),
    )  # fmt: skip


@pytest.fixture
def who(here: Room, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Whose page it is."""
    who = SimpleNamespace(member=Member("ann", False))
    monkeypatch.setattr(poll, "visitor", lambda: who.member)
    return who


def test_a_member_has_no_buttons_of_the_presenters_and_cannot_press_them(here: Room, who: SimpleNamespace) -> None:
    app = AppTest.from_function(_page).run()
    assert not app.button
    poll._as_presenter(here.polls.open, STEP)
    assert here.polls.seen(STEP).round == 0


def test_a_guess_that_is_locked_already_counts_and_a_second_vote_asks_again(here: Room, who: SimpleNamespace) -> None:
    app = AppTest.from_function(_page)
    here.polls.open(STEP)
    assert "Lock your prediction" in words(app.run())
    app.session_state["locked"] = 1
    assert "counts" in words(app.run())
    assert here.polls.seen(STEP, "ann").mine == 1
    here.polls.reveal(STEP)
    here.polls.open(STEP)
    assert here.polls.seen(STEP, "ann").mine is None
    app.run()
    press(app, "class_keep")
    assert here.polls.seen(STEP, "ann").mine == 1
    app.session_state["value"] = 1
    here.polls.reveal(STEP)
    assert "1 of 1 vote had the result" in words(app.run())
    here.polls.reset(STEP)
    here.polls.open(STEP)
    del app.session_state["value"]  # back from the result
    assert "comes too late" in words(app.run())
    assert here.polls.seen(STEP, "ann").mine is None


def test_who_votes_is_known_by_the_cookie_alone(here: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Response()
    here.admit(answer, {"type": "http", "headers": [], "server": ("x", 8501)}, presents=True)
    name, _, cookie = answer.headers["set-cookie"].partition(";")[0].partition("=")
    shown = {"other": "x", name: cookie}

    monkeypatch.setattr(poll.st, "context", SimpleNamespace(cookies=SimpleNamespace(to_dict=lambda: shown)))
    assert poll.visitor().presents
    shown[name] = cookie.replace("presenter", "follower")
    assert poll.visitor() is None
    classes.room.clear()
    monkeypatch.delenv(classes.SETTING)
    assert poll.visitor() is None


def test_without_a_class_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(classes.SETTING, raising=False)
    classes.room.clear()
    app = AppTest.from_function(_page).run()
    assert not app.main.children
    poll.vote("zeros", 1, 0)


def test_a_lesson_in_a_class_asks_everybody_and_shows_what_they_said(
    here: Room, who: SimpleNamespace, open_app: Open
) -> None:
    who.member = Member("eve", True)
    presenter = open_app(FIRST_PAGE, **FIRST)
    assert "reveal=1" in words(presenter), "the presenter need not predict"
    press(presenter, "class_open")
    who.member = Member("ann", False)
    member = open_app(FIRST_PAGE, **FIRST)
    member.radio(key="guess_zeros_1").set_value(1).run()
    press(member, "lesson_lock")
    press(member, "lesson_unlock")
    member.radio(key="guess_zeros_1").set_value(0).run()
    press(member, "lesson_lock")
    assert here.polls.voted() == 1
    assert "First vote" not in words(member)
    who.member = Member("eve", True)
    press(presenter, "class_reveal")
    assert "First vote: 1 vote" in words(presenter)
    who.member = Member("late", False)
    late = open_app(FIRST_PAGE, **FIRST, reveal="1")
    assert "had the result" in words(late)
    who.member = Member("eve", True)
    press(presenter, "class_open")
    assert here.polls.seen(STEP).round == 2
    press(presenter, "class_reset")
    assert here.polls.seen(STEP).round == 0
