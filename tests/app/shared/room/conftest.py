"""A class on a server that has not been started, and the browsers that come to it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from pages.shared.room import room as classes
from pages.shared.room import routes
from pages.shared.room.room import Room
from pages.shared.room.routes import ClassDoor
from pages.shared.server import forms
from pages.shared.server.guard import Guard
from tests.app.shared.server.asgi import Answer, ask, inside

HOST = "192.168.7.5:8501"


@dataclass
class Browser:
    """One browser with its cookie, in a class."""

    app: Guard
    cookie: str = ""
    tab: str = "aa"

    def get(self, path: str) -> Answer:
        answer = ask(self.app, path, host=HOST, cookie=self.cookie)
        if answer.status == 303 and "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def post(self, path: str, **said: Any) -> Answer:
        body = json.dumps({"tab": self.tab, **said}).encode()
        return ask(self.app, path, method="POST", body=body, host=HOST, origin=f"http://{HOST}", cookie=self.cookie)

    def state(self, sequence: int = 0, follows: int = 1) -> dict[str, Any]:
        answer = self.get(f"/room/state?tab={self.tab}&sequence={sequence}&follows={follows}")
        assert answer.status == 200
        said: dict[str, Any] = json.loads(answer.body)
        return said


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """The room of a class."""
    monkeypatch.setenv(classes.SETTING, "1")
    monkeypatch.setattr(forms, "FIRST", 0.0)
    monkeypatch.setattr(routes, "WAIT", 0.0)
    monkeypatch.setattr(routes, "PRESENTER_WAIT", 0.0)
    classes.room.clear()
    yield classes.room()
    classes.room.clear()


@pytest.fixture
def app(here: Room) -> Guard:
    """The class as the server answers for it."""
    return Guard(ClassDoor(Starlette(routes=[*routes.routes(), Mount("/", inside)])))


@pytest.fixture
def presenter(app: Guard, here: Room) -> Browser:
    opened = Browser(app, tab="bb")
    assert opened.get(f"/room/present?key={here.key}").status == 303
    return opened


@pytest.fixture
def follower(app: Guard, here: Room) -> Browser:
    opened = Browser(app)
    assert opened.get(f"/room/join?key={here.code}").status == 303
    return opened
