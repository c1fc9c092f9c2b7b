"""A password for the whole server, where ``SPARSE_RANK_PASSWORD`` sets one.

It stands before everything that the server answers, pages, files, uploads, downloads and the websocket alike; only
``/health`` and Streamlit's own health answer pass. Who knows it gets a cookie that this process has signed.

Whoever guesses waits ever longer (see `pages.shared.server.back_off`). The right password is compared at once and never
refused: nobody's guesses keep others out, not even of the same address.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import html
import os
import secrets
import signal
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shared.server.assets import path_below_base
from pages.shared.server.back_off import BackOff, client_address
from pages.shared.server.health import PATHS as OPEN
from pages.shared.server.log import event

SETTING = "SPARSE_RANK_PASSWORD"
COOKIE = "sparse_rank_door"
LASTS = 12 * 3600  # seconds that a cookie opens the door
GLANCE = 1.0  # seconds between two looks whether the server is to end, while an answer waits
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
        self._back_off = BackOff()

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
            shown = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(_cookie_name(scope))
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
        body = await _body(receive)
        given = "" if body is None else parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        address = client_address(scope.get("client"))
        now = asyncio.get_running_loop().time()
        if not hmac.compare_digest(_digest(given.encode()), _digest(self._password)):
            times, seconds = self._back_off.wrong(address, now)
            if times & (times - 1) == 0:  # each power of two: nobody fills the log
                event("wrong password", client=address, times=times)
            await _pause(seconds, receive)
            return _asked(scope, "That is not the password.")
        await _pause(self._back_off.right(address, now), receive)
        until = str(int(self._clock()) + LASTS)
        answer = RedirectResponse(_same_page(scope), 303)
        forwarded = Headers(scope=scope).get("x-forwarded-proto", scope.get("scheme", "http"))
        answer.set_cookie(
            _cookie_name(scope), f"{until}.{self._signature(until)}", max_age=LASTS, httponly=True, samesite="lax",
            secure=forwarded == "https",
        )  # fmt: skip
        return answer


def _cookie_name(scope: Scope) -> str:
    """By the port: browsers send the cookies of an address to all its ports."""
    return f"{COOKIE}_{(scope.get('server') or ('', ''))[1]}"


def _digest(text: bytes) -> bytes:
    """Of one length, so that comparing tells nothing of the password's."""
    return hashlib.sha256(text).digest()


async def _body(receive: Receive) -> bytes | None:
    """What the form has sent; None where it is longer than any password."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > LONGEST or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return body


async def _pause(seconds: float, receive: Receive) -> None:
    """Wait, but not for a browser that has left, nor beyond the server's end."""
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    left = asyncio.ensure_future(_left(receive))
    while not left.done() and clock() < end and not _ending():
        await asyncio.wait([left], timeout=min(end - clock(), GLANCE))
    left.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _ending() -> bool:
    """Whether uvicorn has been told to end: it waits for answers, and tells the application once none is left."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))


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
    return HTMLResponse(page, 401, headers={"Cache-Control": "no-store"})
