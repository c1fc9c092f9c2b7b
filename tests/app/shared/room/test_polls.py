"""The presenter opens a poll and reveals its results; until then they are hidden, and votes carry no names.

What the person who starts a class is told: where it is, its code, and the presenter's link.
A class admits those who give its code or the presenter's link, and refuses all others.
"""

import asyncio
import json
import logging
import threading

import pytest
import streamlit as st

from pages.shared.room import room as bounds
from pages.shared.room import welcome
from pages.shared.room.room import Polls, Room, Seen
from pages.shared.room.routes import ClassDoor, routes
from pages.shared.server import forms
from pages.shared.server.guard import Guard
from tests.app.shared.room.conftest import HOST, Browser
from tests.app.shared.server.asgi import ask, inside
from tests.app.shared.server.test_password import NEVER_OPEN

STEP = ("zeros", 1)


def test_results_are_hidden_until_they_are_revealed_and_a_second_vote_stands_beside_the_first() -> None:
    polls = Polls()
    assert polls.seen(STEP) == Seen()
    assert not polls.vote(STEP, "ann", 0)  # nothing is open
    polls.open(STEP)
    assert polls.vote(STEP, "ann", 0)
    assert polls.vote(STEP, "bob", 1)
    assert polls.seen(STEP, "ann") == Seen(1, True, (), 0)
    polls.reveal(STEP)
    assert polls.seen(STEP, "cy").results == ({0: 1, 1: 1},)
    assert not polls.vote(STEP, "cy", 1)  # too late
    polls.open(STEP)
    assert polls.vote(STEP, "ann", 1)
    assert polls.seen(STEP, "ann") == Seen(2, True, ({0: 1, 1: 1},), 1)
    polls.reveal(STEP)
    assert polls.seen(STEP).results == ({0: 1, 1: 1}, {1: 1})
    polls.open(STEP)  # there is no third
    assert polls.seen(STEP).round == 2
    assert not polls.seen(STEP).open
    polls.reset(STEP)
    assert polls.seen(STEP) == Seen()


def test_a_vote_twice_replaces_the_first_and_a_name_is_nowhere() -> None:
    polls = Polls()
    polls.open(STEP)
    for guess in ((0, 1), (1, 0), (1, 0)):
        polls.vote(STEP, "ann", guess)
    assert polls.voted() == 1
    polls.reveal(STEP)
    assert polls.seen(STEP).results == ({(1, 0): 1},)
    assert "ann" not in repr(polls.seen(STEP, "bob"))
    assert polls.voted() is None


def test_who_has_seen_the_result_votes_no_more_not_even_after_a_reset() -> None:
    polls = Polls()
    polls.open(STEP)
    assert polls.vote(STEP, "ann", 0)
    polls.saw(STEP, "ann")
    assert not polls.vote(STEP, "ann", 1)
    assert polls.seen(STEP, "ann").mine == 0
    polls.reset(STEP)
    polls.open(STEP)
    assert not polls.vote(STEP, "ann", 1)
    assert polls.seen(STEP, "ann").late
    assert polls.vote(STEP, "bob", 1)


def test_votes_and_polls_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "VOTERS", 3)
    monkeypatch.setattr(bounds, "POLLS", 2)
    polls = Polls()
    polls.open(STEP)
    assert [polls.vote(STEP, name, 1) for name in "abcd"] == [True, True, True, False]
    assert polls.vote(STEP, "a", 0)  # who has voted may change his mind
    polls.open(("zeros", 2))
    polls.open(("zeros", 3))
    assert polls.seen(STEP) == Seen()


def test_what_changes_for_all_wakes_those_who_wait_and_a_vote_does_not(here: Room) -> None:
    async def wait() -> bool:
        asked = asyncio.create_task(here.newer_than(here.sequence, 5.0))
        await asyncio.sleep(0)
        page = threading.Thread(target=here.polls.open, args=(STEP,))  # a page's thread
        page.start()
        return await asked

    assert asyncio.run(wait())
    before = here.sequence
    here.polls.vote(STEP, "ann", 1)
    assert here.sequence == before
    here.polls.reveal(STEP)  # nobody waits any more
    assert here.sequence > before


def test_no_browser_is_told_counts_before_they_are_revealed(here: Room, presenter: Browser, follower: Browser) -> None:
    before = follower.state()["polls"]
    here.polls.open(STEP)
    here.polls.vote(STEP, "ann", 1)
    said = follower.state()
    assert said["polls"] > before
    assert "voted" not in said
    assert presenter.state()["voted"] == 1
    assert "ann" not in json.dumps(presenter.state())


@pytest.mark.parametrize("base", ["", "/lab/"])
@pytest.mark.parametrize(("address", "of_class", "of_presenter"), [("0.0.0.0", "10.1.2.3", "localhost"),
                                                                   ("10.9.9.9", "10.9.9.9", "10.9.9.9")])  # fmt: skip
def test_it_has_the_address_for_others_the_code_and_the_presenters_link(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    address: str, of_class: str, of_presenter: str, base: str,
) -> None:  # fmt: skip
    options = {"server.port": 8501, "server.headless": True, "server.address": address, "server.baseUrlPath": base}
    monkeypatch.setattr(st, "get_option", options.get)
    monkeypatch.setattr(welcome, "network_address", lambda: "10.1.2.3")
    room = Room()
    welcome.welcome(room)
    told = capsys.readouterr().out
    link = f" http://{of_presenter}:8501{base or '/'}room/present?key={room.key}\n"
    for words in (f" http://{of_class}:8501{base or '/'}\n", f"Code: {room.code}\n", link):
        assert words in told


def test_a_machine_without_a_network_has_an_address_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert welcome.network_address().count(".") == 3 or welcome.network_address() == "localhost"
    monkeypatch.setattr(welcome.psutil, "net_if_addrs", dict)
    monkeypatch.setattr(welcome.socket.socket, "connect", _unreachable)
    assert welcome.network_address() == "localhost"


def _unreachable(*_: object) -> None:
    raise OSError


@pytest.mark.parametrize("path", [*NEVER_OPEN, "/room/state?tab=a", "/room/qr.svg", "/room/room.js", "/metrics"])
def test_without_the_code_nothing_is_answered(app: Guard, path: str) -> None:
    answer = ask(app, path, host=HOST)
    assert answer.status == 401
    assert b"secret" not in answer.body
    assert ask(app, "/health", host=HOST).status == 200


def test_without_the_code_no_websocket_is_opened(app: Guard, follower: Browser) -> None:
    for cookie, told in (("", "websocket.close"), (follower.cookie, "websocket.accept")):
        answer = ask(app, "/_stcore/stream", kind="websocket", host=HOST, cookie=cookie)
        assert [message["type"] for message in answer.messages] == [told]


def test_the_code_opens_the_page_that_was_asked_for(app: Guard, here: Room) -> None:
    told = f"code=+{here.code.lower()[:3]}-{here.code.lower()[3:]}+".encode()
    answer = ask(app, "/path?C=1", method="POST", body=told, host=HOST)
    assert (answer.status, answer.headers["location"]) == (303, "./path?C=1")
    words = answer.headers["set-cookie"]
    assert "httponly" in words.lower()
    assert "samesite=lax" in words.lower()
    assert ask(app, host=HOST, cookie=words.partition(";")[0]).status == 200


def test_a_wrong_code_is_one_sentence_and_waits_as_a_wrong_password_does(
    app: Guard, here: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waited = []

    async def pause(seconds: float, receive: object) -> None:
        waited.append(seconds)

    monkeypatch.setattr("pages.shared.server.forms.pause", pause)
    monkeypatch.setattr(forms, "FIRST", 1.0)
    with caplog.at_level(logging.INFO):
        for _ in range(8):
            answer = ask(app, "/", method="POST", body=b"code=wrong1", host=HOST, accept="text/html")
            assert answer.status == 401
            assert b"not the code" in answer.body
        ask(app, "/", method="POST", body=f"code={here.code}".encode(), host=HOST)
    assert waited[-2] > 2 * waited[0] >= 1.0
    assert waited[-1] <= forms.RIGHT
    assert not any("wrong1" in record.getMessage() or here.code in record.getMessage() for record in caplog.records)


def test_the_presenters_link_opens_for_its_key_only(app: Guard, here: Room, presenter: Browser) -> None:
    assert presenter.state()["presents"]
    for key in ("", here.code, here.key[:-1], "x" * 9999):
        assert ask(app, f"/room/present?key={key}", host=HOST).status == 401
    by_code = Browser(app)
    by_code.get(f"/room/join?key={here.code}")
    assert not by_code.state()["presents"]
    assert here.key not in str(by_code.state())


def test_who_is_late_begins_where_the_class_is(app: Guard, here: Room, presenter: Browser) -> None:
    presenter.post("/room/state", address="path?dataset=planted&method=log")
    late = ask(app, f"/room/join?key={here.code}", host=HOST)
    assert late.headers["location"] == "../path?dataset=planted&method=log"
    wrong = ask(app, "/room/join?key=WRONG", host=HOST, accept="text/html")
    assert wrong.status == 401
    corrected = ask(app, "/room/join?key=WRONG", method="POST", body=f"code={here.code}".encode(), host=HOST)
    assert corrected.headers["location"] == "../path?dataset=planted&method=log"


def test_cookies_of_an_earlier_class_open_nothing(here: Room, follower: Browser) -> None:
    assert ask(ClassDoor(inside, Room()), host=HOST, cookie=follower.cookie).status == 401
    forged = follower.cookie.replace("follower", "presenter")
    assert ask(ClassDoor(inside, here), host=HOST, cookie=forged).status == 401


def test_where_there_is_no_class_everybody_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(bounds.SETTING, raising=False)
    bounds.room.clear()
    assert bounds.room() is None
    assert routes() == []
    assert ask(ClassDoor(inside)).status == 200
