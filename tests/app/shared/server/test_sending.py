"""How messages of pages leave the server: in their order, few at a time, and none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
import websockets
from starlette.types import Receive, Scope, Send
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, SessionClientDisconnectedError, app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.shared.server import streamlit_private
from pages.shared.server.bundles import OneWrite
from pages.shared.server.streamlit_private import MOST
from tests.app.shared.server.rows import forget


@pytest.fixture(autouse=True)
def tried_anew() -> Iterator[None]:
    yield
    for row in streamlit_private.ROWS:
        forget(row)


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit as the server has it, for one test."""
    for name in ("_on_scriptrunner_event", "_create_scriptrunner", "flush_browser_queue", "_enqueue_forward_msg"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))  # put back afterwards
    monkeypatch.setattr(WebSocketsSansIOProtocol, "connection_made", WebSocketsSansIOProtocol.connection_made)
    before = _methods()
    streamlit_private.send_in_bundles()
    once = _methods()
    streamlit_private.send_in_bundles()
    assert once == _methods()
    assert not set(once) & set(before)


def _methods() -> tuple[Any, ...]:
    session, connection = AppSession, WebSocketsSansIOProtocol
    return session.flush_browser_queue, session._enqueue_forward_msg, connection.connection_made


@pytest.mark.usefixtures("bundled")
def test_messages_of_one_turn_leave_a_real_server_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server that Streamlit comes with, and a visitor who reads what arrives."""
    writes: list[int] = []
    write = OneWrite._write

    def counted(self: OneWrite) -> None:
        if len(self._given) > 1:
            writes.append(len(self._given))
        write(self)

    monkeypatch.setattr(OneWrite, "_write", counted)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        for number in range(50):
            await send({"type": "websocket.send", "bytes": b"%d" % number * 999})
        await send({"type": "websocket.close"})

    async def visit() -> list[bytes]:
        server = uvicorn.Server(uvicorn.Config(app, port=0, ws="websockets-sansio", lifespan="off", log_level="error"))
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.001)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with websockets.connect(f"ws://127.0.0.1:{port}") as line:
            arrived = [message async for message in line]
        server.should_exit = True
        await serving
        return [bytes(message) for message in arrived if isinstance(message, bytes)]

    assert asyncio.run(asyncio.wait_for(visit(), 60)) == [b"%d" % number * 999 for number in range(50)]
    assert max(writes) >= 50


@pytest.mark.usefixtures("bundled")
def test_events_of_a_run_reach_the_loop_in_their_order() -> None:
    drawn, ended = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS
    arrived: list[Any] = []

    class Session:
        post = AppSession._on_scriptrunner_event

        def _handle_scriptrunner_event_on_event_loop(self, sender: Any, event: Any, number: int = 0) -> None:
            arrived.append((event, number))

    async def run() -> None:
        session: Any = Session()
        session._event_loop = asyncio.get_running_loop()

        def draw() -> None:
            for number in range(70):
                session.post(None, drawn, number=number)
            session.post(None, ended)

        await asyncio.to_thread(draw)
        while len(arrived) < 71:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(run(), 10))
    assert arrived == [*((drawn, number) for number in range(70)), (ended, 0)]


class Ended:
    """A run that has drawn all and whose thread begins no other."""

    def __init__(self, **_: Any) -> None:
        self.on_event = SimpleNamespace(connect=lambda _: None)

    def start(self) -> None:
        """Nothing is drawn but by the test."""

    def request_rerun(self, asked: object) -> bool:
        return False


@pytest.mark.usefixtures("bundled")
def test_a_message_that_comes_as_a_run_ends_takes_nothing_of_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_session, "ScriptRunner", Ended)

    async def run() -> list[ForwardMsg]:
        session = AppSession(ScriptData("app.py", False), SimpleNamespace(), ScriptCache(), None, {})  # type: ignore
        session.request_rerun(None)
        first: Any = session._scriptrunner

        def draw() -> None:
            session._on_scriptrunner_event(first, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, drawn("", 0, 0))
            ended = RunDescriptor.create(None)
            session._on_scriptrunner_event(first, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, run_descriptor=ended)

        thread = Thread(target=draw)
        thread.start()
        thread.join(10)  # and the loop has met none of it
        session.request_rerun(ClientState())
        assert session._scriptrunner not in (None, first)
        return session._browser_queue.flush()

    assert [said.WhichOneof("type") for said in asyncio.run(run())] == ["delta", "script_finished"]


def flushed(monkeypatch: pytest.MonkeyPatch, count: int, leaves_after: int) -> tuple[list[int], list[int]]:
    """Of so many messages those that reached a browser, which leaves, and those that are left to Streamlit."""
    arrived: list[int] = []

    def send(visitor: object, message: ForwardMsg) -> None:
        if len(arrived) >= leaves_after:
            raise SessionClientDisconnectedError
        arrived.append(int(message.hash))

    waiting = [ForwardMsg(hash=str(number)) for number in range(count)]
    manager = SimpleNamespace(get_active_session_info=lambda _: SimpleNamespace())
    server = SimpleNamespace(_session_mgr=manager, _send_message=send)
    monkeypatch.setattr(Runtime, "instance", lambda: server)
    forget(streamlit_private.SENDING)
    session: Any = SimpleNamespace(id="one", _browser_queue=SimpleNamespace(flush=lambda: waiting))
    return arrived, [int(message.hash) for message in AppSession.flush_browser_queue(session)]


@pytest.mark.usefixtures("bundled")
@pytest.mark.parametrize("count", [0, 1, 2, 70, MOST, MOST + 1, 3 * MOST])
def test_all_messages_are_sent_or_left_to_streamlit(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    arrived, left = flushed(monkeypatch, count, leaves_after=10**6)
    assert arrived + left == list(range(count))
    assert len(arrived) == max(min(count - 1, MOST), 0)


@pytest.mark.usefixtures("bundled")
def test_a_browser_that_has_gone_is_left_to_streamlit(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived, left = flushed(monkeypatch, 20, leaves_after=5)
    assert arrived == [0, 1, 2, 3, 4]
    assert left[0] == 5


@pytest.mark.usefixtures("bundled")
def test_a_message_wakes_the_loop_unless_the_loop_queues_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def queue() -> tuple[list[Any], bool, list[Any]]:
        loop = asyncio.get_running_loop()
        waits = SimpleNamespace(need_send_data=asyncio.Event())
        monkeypatch.setattr(Runtime, "instance", lambda: SimpleNamespace(_get_async_objs=lambda: waits))
        monkeypatch.setitem(vars(streamlit_private.SENDING), "_things", None)
        monkeypatch.delitem(vars(streamlit_private.SENDING), "_things")
        woken: list[int] = []
        queued = ForwardMsgQueue()
        session: Any = SimpleNamespace(
            _event_loop=loop, _browser_queue=queued, _message_enqueued_callback=lambda: woken.append(1)
        )
        AppSession._enqueue_forward_msg(session, ForwardMsg())
        alone, told = list(woken), waits.need_send_data.is_set()
        await asyncio.to_thread(AppSession._enqueue_forward_msg, session, ForwardMsg())
        return alone, told, woken

    assert asyncio.run(queue()) == ([], True, [1])


def drawn(fragment: str, *place: int) -> ForwardMsg:
    said = ForwardMsg()
    said.delta.add_block.allow_empty = False
    said.delta.fragment_id = fragment
    said.metadata.delta_path.extend(place)
    return said


def test_what_waits_reaches_the_browser_in_an_order_that_it_can_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel draws a picture for the first time, with a fragment of its own beneath, and is at once drawn again."""
    monkeypatch.setattr(AppSession, "_clear_queue", AppSession._clear_queue)  # put back afterwards
    streamlit_private.send_what_waits()
    once = AppSession._clear_queue
    streamlit_private.send_what_waits()
    assert AppSession._clear_queue is once
    session: Any = SimpleNamespace(_browser_queue=ForwardMsgQueue())
    places = [("panel", 0, 0), ("panel", 0, 1), ("beneath", 0, 2)]
    for _ in range(2):
        AppSession._clear_queue(session, ["panel"])
        for fragment, *place in places:
            session._browser_queue.enqueue(drawn(fragment, *place))
    there = 1  # the browser has the first
    for said in session._browser_queue.flush():
        place = said.metadata.delta_path[-1]
        assert place <= there, "Bad delta path index"
        there = max(there, place + 1)
    assert there == 3
    AppSession._clear_queue(session, None)
    assert session._browser_queue.is_empty()


def test_a_browser_hears_where_to_send_a_file_though_the_page_is_drawn_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It asks once, and waits for ever."""
    monkeypatch.setattr(AppSession, "_clear_queue", AppSession._clear_queue)  # put back afterwards
    streamlit_private.send_what_waits()
    session: Any = SimpleNamespace(_browser_queue=ForwardMsgQueue())
    answer = ForwardMsg()
    answer.file_urls_response.response_id = "asked"
    for fragments in (["panel"], None):
        session._browser_queue.enqueue(answer)
        session._browser_queue.enqueue(drawn("panel", 0, 0))
        AppSession._clear_queue(session, fragments)
        said = [one for one in session._browser_queue.flush() if one.HasField("file_urls_response")]
        assert said == [answer]
