"""A password for the whole server, where ``SPARSE_RANK_PASSWORD`` sets one.

It stands before everything that the server answers, pages, files, uploads, downloads and the websocket alike; only
``/health`` and Streamlit's own health answer pass. Who knows it gets a cookie that this process has signed.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import html
import os
import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shared.server.assets import path_below_base
from pages.shared.server.health import PATHS as OPEN
from pages.shared.server.log import event

SETTING = "SPARSE_RANK_PASSWORD"
COOKIE = "sparse_rank_door"
LASTS = 12 * 3600  # seconds that a cookie opens the door
PAUSE = 1.0  # seconds that a wrong password takes
MOST_GUESSES = 8  # at the same time
LONGEST = 4096  # bytes of what the form sends
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sparse Ranking Lab</title>
<style>:root { color-scheme: light dark } body { font: 16px sans-serif; display: grid; place-content: center;
min-height: 90vh } input, button { font: inherit; padding: .4rem .7rem }</style>
<form method="post"><h1>Sparse Ranking Lab</h1><p role="status">{said}</p>
<p><label>Password <input type="password" name="password" autocomplete="current-password" autofocus required></label>
<button>Open</button></p></form></html>"""


class Door:
    """ASGI middleware that lets nobody pass without the password; without a password it lets everybody pass.

    Parameters
    ----------
    app : ASGI application
    password : str, optional
        By default what the environment sets.
    clock : callable
        The time in seconds.
    """

    def __init__(self, app: ASGIApp, password: str | None = None, clock: Callable[[], float] = time.time) -> None:
        self._app = app
        self._password = (os.environ.get(SETTING, "") if password is None else password).encode()
        self._key = secrets.token_bytes(32)
        self._clock = clock
        self._guesses = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass that may, and ask others for the password."""
        if not self._password or scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the browser sees a 403
        else:
            answer = await self._tried(scope, receive) if scope["method"] == "POST" else _asked(scope)
            await answer(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and path_below_base(scope) in OPEN:
            return True
        try:
            shown = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return shown is not None and self._valid(shown.value)

    def _valid(self, ticket: str) -> bool:
        until, _, signature = ticket.partition(".")
        if not (until.isascii() and until.isdigit() and len(until) <= 12):
            return False
        return hmac.compare_digest(signature.encode(), self._signature(until).encode()) and int(until) > self._clock()

    def _signature(self, until: str) -> str:
        return hmac.new(self._key, until.encode(), hashlib.sha256).hexdigest()

    async def _tried(self, scope: Scope, receive: Receive) -> Response:
        if self._guesses >= MOST_GUESSES:
            return PlainTextResponse("Too many passwords are being tried. Try again in a moment.", 429)
        body = await _body(receive)
        given = "" if body is None else parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        if not hmac.compare_digest(_digest(given.encode()), _digest(self._password)):
            event("wrong password", client=(scope.get("client") or ("unknown",))[0])
            self._guesses += 1
            try:
                await asyncio.sleep(PAUSE)
            finally:
                self._guesses -= 1
            return _asked(scope, "That is not the password.")
        until = str(int(self._clock()) + LASTS)
        answer = RedirectResponse(_same_page(scope), 303)
        forwarded = Headers(scope=scope).get("x-forwarded-proto", scope.get("scheme", "http"))
        answer.set_cookie(
            COOKIE, f"{until}.{self._signature(until)}", max_age=LASTS, httponly=True, samesite="lax",
            secure=forwarded == "https",
        )  # fmt: skip
        return answer


def _digest(text: bytes) -> bytes:
    """Of one length, so that comparing tells nothing of the password's."""
    return hashlib.sha256(text).digest()


async def _body(receive: Receive) -> bytes | None:
    """What the form has sent; None where it is longer than any password."""
    body = b""
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > LONGEST or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return body


def _same_page(scope: Scope) -> str:
    """The address that was asked for, on this server: a relative one, which a proxy's prefix does not matter to."""
    query = scope.get("query_string", b"").decode("latin-1")
    last = str(scope.get("raw_path", b"").decode("latin-1")).rpartition("/")[2].partition("?")[0]
    return f"./{last}{'?' if query else ''}{query}"


def _asked(scope: Scope, said: str = "This server asks for a password.") -> Response:
    """The form for a page; for everything else a plain refusal."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return PlainTextResponse("This server asks for a password.", 401, headers={"Cache-Control": "no-store"})
    page = _PAGE.replace("{said}", html.escape(said))
    return HTMLResponse(page, 401, headers={"Cache-Control": "no-store", "X-Frame-Options": "DENY"})
