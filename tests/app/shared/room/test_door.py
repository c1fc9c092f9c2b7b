"""Who comes into a class: by the code, or by the presenter's link; nobody else."""

from __future__ import annotations

import logging

import pytest

from pages.shared.room.door import ClassDoor
from pages.shared.room.room import Room
from pages.shared.server import back_off
from pages.shared.server.guard import Guard
from tests.app.shared.room.conftest import HOST, Browser
from tests.app.shared.server.asgi import ask, inside
from tests.app.shared.server.test_password import NEVER_OPEN


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
    words = answer.headers["set-cookie"].lower()
    assert "httponly" in words
    assert "samesite=lax" in words
    assert ask(app, host=HOST, cookie=words.partition(";")[0]).status == 200


def test_a_wrong_code_is_one_sentence_and_waits_as_a_wrong_password_does(
    app: Guard, here: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waited = []

    async def pause(seconds: float, receive: object) -> None:
        waited.append(seconds)

    monkeypatch.setattr("pages.shared.server.forms.pause", pause)
    monkeypatch.setattr(back_off, "FIRST", 1.0)
    with caplog.at_level(logging.INFO):
        for _ in range(8):
            answer = ask(app, "/", method="POST", body=b"code=wrong1", host=HOST, accept="text/html")
            assert answer.status == 401
            assert b"not the code" in answer.body
        ask(app, "/", method="POST", body=f"code={here.code}".encode(), host=HOST)
    assert waited[-2] > 2 * waited[0] >= 1.0
    assert waited[-1] <= back_off.RIGHT
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
    from pages.shared.room import room as classes
    from pages.shared.room import routes

    monkeypatch.delenv(classes.SETTING, raising=False)
    classes.room.clear()
    assert classes.room() is None
    assert routes.routes() == []
    assert ask(ClassDoor(inside)).status == 200
