"""A message of a browser waits until the run of the one before has begun; who has gone is not here any more."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.shared.server import visits

SCOPE = {"type": "websocket", "headers": [(b"x-sparse-rank-visit", b"made up")]}


class Tab:
    """A browser's connection, and what reaches Streamlit of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: list[dict[str, Any]] = []
        self.headers: dict[str, str] = {}
        monkeypatch.setattr(visits.st, "context", self)
        monkeypatch.setattr(visits, "session_id", lambda: "me")

    def says(self, *texts: str) -> None:
        for text in texts:
            self.said.put_nowait({"type": "websocket.receive", "text": text})

    def leaves(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect"})

    async def streamlit(self, scope: Any, receive: Any, send: Any) -> None:
        self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        await send({"type": "websocket.accept"})
        while not self.heard or self.heard[-1]["type"] != "websocket.disconnect":
            self.heard.append(await receive())

    async def serve(self) -> None:
        async def send(message: Any) -> None:
            pass

        await visits.Visits(self.streamlit)(SCOPE, self.said.get, send)


def test_a_message_waits_until_the_run_of_the_one_before_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "TO_BEGIN", 60.0)

    async def visit() -> None:
        tab = Tab(monkeypatch)
        serving = asyncio.create_task(tab.serve())
        tab.says("Fit", "Stop")
        await asyncio.sleep(0.05)
        assert [message["text"] for message in tab.heard] == ["Fit"]
        assert tab.headers != {"x-sparse-rank-visit": "made up"}
        await asyncio.to_thread(visits.begin_run)  # as the page's thread does
        await asyncio.sleep(0.05)
        assert [message["text"] for message in tab.heard] == ["Fit", "Stop"]
        tab.leaves()
        await serving

    asyncio.run(visit())


def test_what_begins_no_run_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "TO_BEGIN", 0.01)

    async def visit() -> None:
        tab = Tab(monkeypatch)
        tab.says("Where may I send a file?", "Fit")
        tab.leaves()
        await tab.serve()
        assert len(tab.heard) == 3

    asyncio.run(visit())


def test_who_has_gone_is_not_here_and_where_nobody_serves_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit() -> None:
        tab = Tab(monkeypatch)
        assert visits.is_here("me")  # a script or a test
        monkeypatch.setattr(visits, "_serving", True)
        assert not visits.is_here("me")
        serving = asyncio.create_task(tab.serve())
        await asyncio.sleep(0.05)
        visits.begin_run()
        assert visits.is_here("me")
        assert visits.visitors() == 1
        tab.leaves()
        await serving
        assert not visits.is_here("me")
        assert visits.visitors() == 0

    asyncio.run(visit())


def test_who_goes_while_something_is_sent_has_gone_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit takes any other error of its socket for a message in text, and closes what is closed: a traceback."""

    async def streamlit(scope: Any, receive: Any, send: Any) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await socket.send_bytes(b"a picture")
        with pytest.raises(WebSocketDisconnect):
            await socket.receive_bytes()

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            raise ConnectionResetError

    said = iter([{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1006}])

    async def receive() -> Any:
        return next(said)

    monkeypatch.setattr(visits, "_here", {})
    asyncio.run(visits.Visits(streamlit)(SCOPE, receive, send))
