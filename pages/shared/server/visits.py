"""Who is here, and whose turn it is: each connection of a browser has a name, which the runs of its pages can read.

Streamlit forgets a press where the browser's next message arrives after a run has been begun for the press and before
that run has called what the press calls (`docs/explanation/streamlit.md`). So a message waits until the run of the one
before has begun.

By a cookie the server knows a browser again; it signs others, so that it alone can make or change them.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from uuid import uuid4

import streamlit as st
from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.server.log import event

LASTS = 12 * 3600  # seconds that a signed cookie is good for
BROWSER, SECRET_BYTES = "sparse_rank_browser", 32
"""The cookie with a secret of this browser; as with a session of Streamlit, it ends when the browser is closed."""


def make_known(message: Message, scope: Scope) -> None:
    """Give a browser that has no secret one, with the beginning of an answer that is a page."""
    headers = MutableHeaders(scope=message)
    if headers.get("content-type", "").startswith("text/html") and not _cookie(scope, BROWSER):
        answer = Response()
        answer.set_cookie(
            BROWSER, secrets.token_urlsafe(SECRET_BYTES), httponly=True, samesite="lax", secure=_is_secure(scope)
        )
        headers.append("set-cookie", answer.headers["set-cookie"])


def _cookie(scope: Scope, name: str) -> str:
    """What a request shows; empty where there is none."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is_secure(scope: Scope) -> bool:
    return Headers(scope=scope).get("x-forwarded-proto", scope.get("scheme", "http")) == "https"


class Tickets:
    """Cookies of one name, signed with a key of this process.

    The port is added to the name, as browsers send the cookies of an address to all its ports.
    """

    def __init__(self, cookie: str) -> None:
        self._cookie = cookie
        self._signer = TimestampSigner(secrets.token_bytes(32), digest_method=hashlib.sha256)

    def give(self, answer: Response, scope: Scope, words: str = "") -> None:
        """Set the cookie in an answer; ``words``, of letters, digits and hyphens, is what `shown` returns."""
        ticket = self._signer.sign(words).decode()
        secure = _is_secure(scope)
        answer.set_cookie(self._name(scope), ticket, max_age=LASTS, httponly=True, samesite="lax", secure=secure)

    def shown(self, scope: Scope) -> str | None:
        """Return the words of the cookie that a request shows; None where there is no valid one."""
        return self.read(_cookie(scope, self._name(scope)))

    def read(self, cookie: str) -> str | None:
        """Return the words of a cookie; None where it is not valid."""
        try:
            return self._signer.unsign(cookie, max_age=LASTS).decode()
        except BadSignature:
            return None

    def _name(self, scope: Scope) -> str:
        return f"{self._cookie}_{(scope.get('server') or ('', ''))[1]}"


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


def visitor_id() -> str:
    """A digest that only this browser can bring about: its secret is in a cookie that the server gave it at random."""
    return hashlib.sha256(f"visitor {_secret() or session_id()}".encode()).hexdigest()[:32]


def is_known() -> bool:
    """Whether this browser is told again after a reload."""
    return bool(_secret())


def _secret() -> str:
    """What the server's cookie holds; empty where there is none, or no server."""
    try:
        secret = st.context.cookies.get(BROWSER)
    except (AttributeError, RuntimeError):
        return ""
    return secret if isinstance(secret, str) and len(secret) >= SECRET_BYTES else ""  # a test's context has no strings
