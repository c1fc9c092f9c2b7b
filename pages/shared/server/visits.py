"""Who is here, and whose turn it is: each connection of a browser has a name, which the runs of its pages can read.

Streamlit forgets a press where the browser's next message arrives after a run has been begun for the press and before
that run has called what the press calls (`docs/explanation/streamlit.md`). So a message waits until the run of the one
before has begun.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import uuid4

import streamlit as st
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.server.log import event

TO_BEGIN = 0.5  # seconds that a message waits at most: not every message has a run
_NAME = "x-sparse-rank-visit"
SESSION = "session"
"""Holds the `session_id`."""


@dataclass
class _Visit:
    """One connection, on the event loop of the server."""

    loop: asyncio.AbstractEventLoop
    came: float
    session: str = ""
    begun: asyncio.Event = field(default_factory=asyncio.Event)


_here: dict[str, _Visit] = {}
_serving = False


def serve() -> None:
    """Pages are drawn for browsers from now on."""
    global _serving
    _serving = True


def on_a_server() -> bool:
    """Whether pages are drawn for browsers, not by a script or a test."""
    return _serving


def visitors() -> int:
    """How many browsers are connected."""
    return len(_here)


def on_a_page() -> bool:
    """Whether a page is being drawn on this thread."""
    return get_script_run_ctx(suppress_warning=True) is not None


def travelled() -> bool:
    """Whether this run of a page answers the browser's Back or Forward."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))


def session_id() -> str:
    """Return the name of the tab that a page is drawn for, through all its connections; empty outside a page."""
    return str(st.session_state.setdefault(SESSION, uuid4().hex)) if on_a_page() else ""


def is_here(session: str) -> bool:
    """Whether the tab of this `session_id` is connected; true where no server runs."""
    return not _serving or any(visit.session == session for visit in [*_here.values()])


def begin_run() -> None:
    """Say that a run of a page, or of a part of one, has begun and has called what a press calls."""
    visit = _here.get(st.context.headers.get(_NAME, ""))
    if visit is not None:
        visit.session = session_id()
        with suppress(RuntimeError):  # the server has ended meanwhile
            visit.loop.call_soon_threadsafe(visit.begun.set)


class Visits:
    """ASGI middleware that names each connection, has its messages wait for their turn, and notes its two ends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on in its turn."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        name = uuid4().hex
        visit = _Visit(asyncio.get_running_loop(), time.monotonic())
        visit.begun.set()
        others = [header for header in scope["headers"] if header[0] != _NAME.encode()]

        async def in_turn() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                with suppress(TimeoutError):
                    await asyncio.wait_for(visit.begun.wait(), TO_BEGIN)
                visit.begun.clear()
            return message

        async def note(message: Message) -> None:
            if message["type"] == "websocket.accept":
                _here[name] = visit
                event("visitor came", visitors=visitors())
            with suppress(OSError):  # who has gone is told by `receive`; told here, Streamlit takes it for bad bytes
                await send(message)

        try:
            await self._app({**scope, "headers": [*others, (_NAME.encode(), name.encode())]}, in_turn, note)
        finally:
            if _here.pop(name, None) is not None:
                event("visitor left", visitors=visitors(), seconds=round(time.monotonic() - visit.came, 1))
