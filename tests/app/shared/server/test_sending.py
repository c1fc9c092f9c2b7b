"""How messages of pages leave the server: in their order, few at a time, and none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from pages.shared.server import streamlit_private
from tests.app.shared.server.rows import forget


@pytest.fixture(autouse=True)
def tried_anew() -> Iterator[None]:
    yield
    for row in streamlit_private.ROWS:
        forget(row)


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit as the server has it, for one test."""
    for name in ("_on_scriptrunner_event", "_create_scriptrunner"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))  # put back afterwards
    before = _methods()
    streamlit_private.send_in_bundles()
    once = _methods()
    streamlit_private.send_in_bundles()
    assert once == _methods()
    assert not set(once) & set(before)


def _methods() -> tuple[Any, ...]:
    return AppSession._on_scriptrunner_event, AppSession._create_scriptrunner


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
