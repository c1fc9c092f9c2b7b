"""The visitor without a browser against a server that sends single messages of Streamlit's protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve

from benchmarks.websocket_visitor import Visitor

TICK = 0.02


def visit(sent: list[ForwardMsg | str], then: Callable[[Visitor], Awaitable[None]]) -> list[BackMsg]:
    """Let a visitor meet these messages, which the server sends one after the other; return what it has said."""
    heard = []

    async def serving(socket: ServerConnection) -> None:
        for message in sent:
            await socket.send(message if isinstance(message, str) else message.SerializeToString())
        async for raw in socket:
            assert isinstance(raw, bytes)
            said = BackMsg()
            said.ParseFromString(raw)
            heard.append(said)

    async def visiting() -> None:
        async with serve(serving, "127.0.0.1", 0, subprotocols=[websockets.Subprotocol("streamlit")]) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            async with Visitor(f"http://127.0.0.1:{port}") as visitor:
                await then(visitor)

    asyncio.run(asyncio.wait_for(visiting(), 30))
    return heard


def ticking() -> ForwardMsg:
    message = ForwardMsg()
    message.auto_rerun.fragment_id, message.auto_rerun.interval = "part", TICK
    return message


def begun() -> ForwardMsg:
    message = ForwardMsg()
    message.new_session.main_script_path = "app.py"
    message.metadata.run.fragment_ids.append("part")
    return message


async def some_ticks(visitor: Visitor) -> None:
    await visitor.until(lambda: visitor.runs == 1)
    await asyncio.sleep(5 * TICK)


def test_a_part_of_the_page_is_asked_for_at_each_tick() -> None:
    asked = visit([ticking(), begun()], some_ticks)
    assert asked
    assert {one.rerun_script.fragment_id for one in asked} == {"part"}


def test_a_part_whose_tick_the_server_stops_is_asked_for_no_more() -> None:
    stop = ForwardMsg()
    stop.stop_auto_rerun.fragment_ids.extend(["other", "part"])
    assert not visit([ticking(), stop, begun()], some_ticks)


def test_what_ends_the_reading_of_messages_ends_the_waiting() -> None:
    async def waits(visitor: Visitor) -> None:
        with pytest.raises(Exception, match="parsing"):
            await visitor.until(lambda: False)

    visit(["no message of Streamlit's"], waits)
