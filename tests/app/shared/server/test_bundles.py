"""What pages send leaves in bundles, in its order, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import SessionClientDisconnectedError
from streamlit.runtime.app_session import AppSession
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.shared.server import bundles
from pages.shared.server.bundles import MOST, Corked, Mailbox, send_in_bundles


@pytest.fixture
def bundled() -> Iterator[None]:
    """Streamlit as the server has it, for one test."""
    patched = [
        (AppSession, name) for name in ("_on_scriptrunner_event", "flush_browser_queue", "_enqueue_forward_msg")
    ] + [(WebSocketsSansIOProtocol, "connection_made")]
    before = [vars(owner)[name] for owner, name in patched]
    send_in_bundles()
    yield
    for (owner, name), function in zip(patched, before, strict=True):
        setattr(owner, name, function)


def test_calls_of_a_thread_arrive_in_order_with_few_wake_ups() -> None:
    async def many() -> tuple[list[int], int]:
        loop = asyncio.get_running_loop()
        woken: list[Any] = []
        wake = loop.call_soon_threadsafe
        loop.call_soon_threadsafe = lambda *call: woken.append(call) or wake(*call)  # type: ignore
        box = Mailbox(loop)
        arrived: list[int] = []
        ended = asyncio.Event()

        def post() -> None:
            for number in range(500):
                box.post(lambda number=number: arrived.append(number), at_once=False)  # type: ignore[misc]
            box.post(ended.set, at_once=True)

        threading.Thread(target=post).start()
        await asyncio.wait_for(ended.wait(), 10)
        return arrived, len(woken)

    arrived, woken = asyncio.run(many())
    assert arrived == list(range(500))
    assert woken <= 50  # Streamlit: 501


def test_a_single_call_does_not_wait_for_others() -> None:
    async def one() -> None:
        arrived = asyncio.Event()
        Mailbox(asyncio.get_running_loop()).post(arrived.set, at_once=False)
        await asyncio.wait_for(arrived.wait(), 10)

    asyncio.run(one())


def test_calls_posted_by_a_call_arrive_too() -> None:
    async def chain() -> list[str]:
        box = Mailbox(asyncio.get_running_loop())
        arrived: list[str] = []
        ended = asyncio.Event()
        box.post(lambda: (arrived.append("first"), box.post(ended.set, at_once=False)), at_once=True)
        await asyncio.wait_for(ended.wait(), 10)
        return arrived

    assert asyncio.run(chain()) == ["first"]


def test_a_call_that_fails_keeps_no_other_back() -> None:
    async def failing() -> list[Any]:
        loop = asyncio.get_running_loop()
        told: list[Any] = []
        loop.set_exception_handler(lambda _, context: told.append(context["exception"]))
        box = Mailbox(loop)
        ended = asyncio.Event()
        box.post(lambda: [][0], at_once=False)
        box.post(ended.set, at_once=True)
        await asyncio.wait_for(ended.wait(), 10)
        return told

    assert [type(error) for error in asyncio.run(failing())] == [IndexError]


class Connection:
    """Takes what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def test_what_is_written_in_one_turn_is_one_write() -> None:
    async def writes() -> list[bytes]:
        connection = Connection()
        corked = Corked(connection, asyncio.get_running_loop())  # type: ignore[arg-type]
        for letter in b"abc":
            corked.write(bytes([letter]))
        await asyncio.sleep(0)
        corked.write(b"d")
        corked.close()
        corked.write(b"too late")
        await asyncio.sleep(0)
        assert connection.closed
        return connection.written

    assert asyncio.run(writes()) == [b"abc", b"d"]


def sessions(count: int, leaves_after: int) -> tuple[Any, Any, list[int]]:
    """A session with so many messages, the server, and which of them reached a browser that leaves."""
    arrived: list[int] = []

    def send(visitor: object, message: ForwardMsg) -> None:
        if len(arrived) >= leaves_after:
            raise SessionClientDisconnectedError
        arrived.append(int(message.hash))

    waiting = [ForwardMsg(hash=str(number)) for number in range(count)]
    queue = SimpleNamespace(flush=lambda: waiting)
    session = SimpleNamespace(id="one", _browser_queue=queue)
    manager = SimpleNamespace(get_active_session_info=lambda _: SimpleNamespace())
    return session, SimpleNamespace(_session_mgr=manager, _send_message=send), arrived


@pytest.mark.parametrize("count", [0, 1, 2, 70, MOST, MOST + 1, 3 * MOST])
def test_all_messages_are_sent_or_left_to_streamlit(bundled: None, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    session, server, arrived = sessions(count, leaves_after=10**6)
    monkeypatch.setattr(bundles, "get_instance", lambda: server)
    left = AppSession.flush_browser_queue(session)
    assert arrived + [int(message.hash) for message in left] == list(range(count))
    assert len(arrived) == max(min(count - 1, MOST), 0)


def test_a_browser_that_has_gone_is_left_to_streamlit(bundled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    session, server, arrived = sessions(20, leaves_after=5)
    monkeypatch.setattr(bundles, "get_instance", lambda: server)
    left = AppSession.flush_browser_queue(session)
    assert arrived == [0, 1, 2, 3, 4]
    assert int(left[0].hash) == 5
