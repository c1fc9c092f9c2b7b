"""A class goes where one tab of the presenter goes."""

import asyncio
import json

import pytest

from pages.shared.room import room as classes
from pages.shared.room.room import Position, Room
from pages.shared.server.guard import Guard
from tests.app.shared.room.conftest import HOST, Browser
from tests.app.shared.server.asgi import ask
from tests.stand_ins import Clock


def test_followers_are_told_the_presenters_address_and_handle(presenter: Browser, follower: Browser) -> None:
    assert follower.state()["place"] is None
    assert presenter.post("/room/state", address="path?method=log&present=1", c=0.5, held=True).status == 200
    said = follower.state()
    assert said["place"] == {"address": "path?method=log", "c": 0.5, "held": True, "missing": ""}
    presenter.post("/room/state", address="path?method=log", c=0.25, held=False)
    later = follower.state(said["sequence"])
    assert later["sequence"] > said["sequence"]
    assert later["place"]["c"] == 0.25


def test_a_question_waits_for_something_new(here: Room) -> None:
    async def ask_first() -> list[bool]:
        asked = [asyncio.create_task(here.newer_than(here.sequence, 5.0)) for _ in range(10)]
        await asyncio.sleep(0)
        here.move(Position("path"))
        return [await one for one in asked]

    assert asyncio.run(ask_first()) == [True] * 10
    assert not asyncio.run(here.newer_than(here.sequence, 0.01))
    before = here.sequence
    here.move(Position("path"))  # nothing new
    assert here.sequence == before


def test_two_never_drive_at_once() -> None:
    clock = Clock(100.0)
    room = Room(clock)
    assert room.drives("one")
    assert not room.drives("two")
    assert room.drives("two", claims=True)
    assert not room.drives("one")
    clock.now += classes.AWAY + 0.1
    assert room.drives("one")  # the other has gone


def test_only_the_tab_that_drives_moves_the_class(presenter: Browser, follower: Browser) -> None:
    presenter.post("/room/state", address="path")
    second = Browser(presenter.app, presenter.cookie, "cc")
    assert json.loads(second.post("/room/state", address="fit").body) == {"drives": False}
    assert follower.state()["place"]["address"] == "path"
    assert not second.state()["drives"]
    assert json.loads(second.post("/room/state", claims=True).body) == {"drives": True}
    second.post("/room/state", address="fit")
    assert follower.state()["place"]["address"] == "fit"
    assert not presenter.state()["drives"]
    second.post("/room/state", leaves=True)  # closed or loaded anew
    assert presenter.state()["drives"]


def test_nobody_but_the_presenter_moves_the_class(app: Guard, presenter: Browser, follower: Browser) -> None:
    assert follower.post("/room/state", address="fit").status == 403
    foreign = {"host": HOST, "cookie": presenter.cookie, "origin": "http://evil.example"}
    body = json.dumps({"tab": "bb", "address": "fit"}).encode()
    assert ask(app, "/room/state", method="POST", body=body, **foreign).status == 403
    assert follower.state()["place"] is None


@pytest.mark.parametrize(
    "said",
    [
        {"address": "http://evil.example/"}, {"address": "//evil.example"}, {"address": "../x"}, {"address": 3},
        {"address": "path?" + "a" * 3000}, {"address": "path?x=\n"}, {"address": "path", "c": -1.0},
        {"address": "path", "c": "1"}, {"address": "path", "tab": "../"},
    ],
)  # fmt: skip
def test_what_is_no_place_of_a_page_is_refused(presenter: Browser, follower: Browser, said: dict[str, object]) -> None:
    assert presenter.post("/room/state", **said).status == 400
    assert follower.state()["place"] is None
    for body in (b"", b"[]", b"{", b"\xff", b"x" * 5000):
        answer = ask(presenter.app, "/room/state", method="POST", body=body, host=HOST, cookie=presenter.cookie)
        assert answer.status == 400


def test_data_that_only_the_presenter_has_is_named_and_nobody_is_led_there(presenter: Browser, app: Guard) -> None:
    presenter.post("/room/state", address="path?dataset=mine.txt&method=l1")
    assert presenter.state()["place"]["missing"] == "mine.txt"
    presenter.post("/room/state", address="path?dataset=Planted&method=l1")
    assert presenter.state()["place"]["missing"] == ""


def test_the_presenter_is_told_how_many_follow_and_for_how_long_one_counts() -> None:
    clock = Clock(100.0)
    room = Room(clock)
    for tab, follows in (("a", True), ("b", True), ("c", False), ("a", True)):
        room.heard(tab, follows=follows)
    assert room.counts() == (2, 1)
    clock.now += classes.GONE + 1
    room.heard("c", follows=True)
    assert room.counts() == (1, 0)
    for number in range(2 * classes.MOST):
        room.heard(f"t{number}", follows=True)
    assert sum(room.counts()) == classes.MOST


def test_who_looks_from_elsewhere_is_shown_the_address_that_he_uses(presenter: Browser) -> None:
    said = presenter.state()
    assert said["at"] == f"http://{HOST}/"
    asked = {"host": HOST, "cookie": presenter.cookie, "x_forwarded_proto": "https"}
    assert json.loads(ask(presenter.app, "/room/state?tab=bb", **asked).body)["at"] == f"https://{HOST}/", "of a proxy"
    picture = presenter.get("/room/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert b"<svg" in picture.body
