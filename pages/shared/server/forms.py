"""A password for the whole server, where ``SPARSE_RANK_PASSWORD`` sets one; its form, and that of a class's code.

It stands before everything that the server answers, pages, files, uploads, downloads and the websocket alike; only
``/health`` and Streamlit's own health answer pass, and ``/metrics`` where ``SPARSE_RANK_METRICS=open``. Who knows it
gets a cookie that this process has signed.

Each wrong password makes its address wait longer (`BackOff`). The right password is always accepted: wrong ones, even
of the same address, do not keep others out.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import html
import ipaddress
import os
import signal
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.shared.server import health
from pages.shared.server.assets import path_below_base
from pages.shared.server.log import event
from pages.shared.server.visits import Tickets

SETTING = "SPARSE_RANK_PASSWORD"
COOKIE = "sparse_rank_door"
_FIELD = """<label>Password <input type="password" name="password" autocomplete="current-password" autofocus
required></label>"""
GLANCE = 1.0  # seconds between two looks whether the server is to end, while an answer waits
MOST_SENT = 4096  # bytes of what a form sends
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sparse Ranking Lab</title>
<style>:root { color-scheme: light dark } body { font: 16px sans-serif; display: grid; place-content: center;
min-height: 90vh } input, button { font: inherit; padding: .4rem .7rem }</style>
<form method="post"><h1>Sparse Ranking Lab</h1><p role="status">{said}</p>
<p>{field} <button>{button}</button></p></form></html>"""
FIRST = 1.0  # seconds that a wrong password waits at least
FREE = 4  # wrong passwords of an address before they wait longer
LONGEST = 30.0  # seconds between two answers to an address
PATIENCE = 60.0  # seconds that an answer waits at most, however many are before it
RIGHT = 2.0  # seconds that the right password waits at most
FORGIVEN = 60.0  # seconds after which an address has one wrong password less
ADDRESSES = 10_000  # that are remembered; the one that has been quiet longest makes room


class Door:
    """ASGI middleware that asks for the password; where none is set, everything passes.

    The password is what the environment sets, unless another is given.
    """

    def __init__(self, app: ASGIApp, password: str | None = None) -> None:
        self._app = app
        self._password = os.environ.get(SETTING, "") if password is None else password
        self._tickets = Tickets(COOKIE)
        self._back_off = BackOff()
        self._open = {*health.PATHS}
        if os.environ.get(health.METRICS_SETTING) == "open":  # behind a proxy all clients have its address
            self._open.add(health.METRICS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass that may, and ask others for the password."""
        if not self._password or scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            answer = await self._tried(scope, receive) if scope["method"] == "POST" else _asked(scope)
            await answer(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and path_below_base(scope) in self._open:
            return True
        return self._tickets.shown(scope) is not None

    async def _tried(self, scope: Scope, receive: Receive) -> Response:
        right = alike(await given(receive, "password"), self._password)
        await wait_as_long(self._back_off, "password", scope, receive, right=right)
        if not right:
            return _asked(scope, "That is not the password.")
        answer = RedirectResponse(same_page(scope), 303)
        self._tickets.give(answer, scope)
        return answer


def _asked(scope: Scope, said: str = "This server asks for a password.") -> Response:
    return asked(scope, said, _FIELD, "Open")


def asked(scope: Scope, said: str, field: str, button: str) -> Response:
    """Return the form where a page was asked for, for everything else the sentence alone; both with status 401.

    ``said`` is the sentence, ``field`` the HTML of a label with its input, and ``button`` what its button says.
    """
    headers = {"Cache-Control": "no-store"}
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return PlainTextResponse(said, 401, headers=headers)
    page = _PAGE.replace("{field}", field).replace("{button}", html.escape(button)).replace("{said}", html.escape(said))
    return HTMLResponse(page, 401, headers=headers)


async def given(receive: Receive, name: str) -> str:
    """Return what a form has sent in a field; empty where it sent nothing or too much."""
    body = await body_of(receive)
    return "" if body is None else parse_qs(body.decode("utf-8", "replace")).get(name, [""])[0]


def alike(one: str, other: str) -> bool:
    """Compare two secrets in constant time, whatever their lengths."""
    return hmac.compare_digest(_digest(one), _digest(other))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


async def body_of(receive: Receive) -> bytes | None:
    """Return the body of a request; None where it is longer than `MOST_SENT`."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > MOST_SENT or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return body


async def wait_as_long(back_off: BackOff, secret: str, scope: Scope, receive: Receive, *, right: bool) -> None:
    """Delay the answer to an attempt at a secret by the client's wait; log wrong attempts by the secret's name."""
    address, now = client_address(scope.get("client")), asyncio.get_running_loop().time()
    if right:
        seconds = back_off.right(address, now)
    else:
        times, seconds = back_off.wrong(address, now)
        if times & (times - 1) == 0:  # log only each power of two
            event(f"wrong {secret}", client=address, times=times)
    await pause(seconds, receive)


async def pause(seconds: float, receive: Receive) -> None:
    """Wait, but not for a browser that has left, nor beyond the server's end."""
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    left = asyncio.ensure_future(_left(receive))
    while not left.done() and clock() < end and not ending():
        await asyncio.wait([left], timeout=min(end - clock(), GLANCE))
    left.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def ending() -> bool:
    """Whether uvicorn has been told to end: it waits for answers, and tells the application once none is left."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))


def same_page(scope: Scope) -> str:
    """Return the address that was asked for, relative, so that a proxy's prefix does not matter."""
    query = scope.get("query_string", b"").decode("latin-1")
    last = str(scope.get("raw_path", b"").decode("latin-1")).rpartition("/")[2].partition("?")[0]
    return f"./{last}{'?' if query else ''}{query}"


@dataclass
class _Record:
    wrong: float = 0.0
    seen: float = 0.0
    answered: float = 0.0


class BackOff:
    """Wrong passwords of each address; the time comes from outside, in seconds of any monotonic clock."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def __len__(self) -> int:
        return len(self._records)

    def wrong(self, address: str, now: float) -> tuple[int, float]:
        """Note a wrong password; return how many the address has by now, and the seconds until the answer.

        Answers to one address leave one after the other, ever further apart, so asking at the same time gains nothing.
        """
        record = self._records.setdefault(address, _Record(seen=now))
        self._records.move_to_end(address)
        if len(self._records) > ADDRESSES:
            self._records.popitem(last=False)
        record.wrong = self._left(record, now) + 1.0
        record.seen = now
        record.answered = min(max(record.answered, now) + _apart(record.wrong), now + PATIENCE)
        return round(record.wrong), record.answered - now

    def right(self, address: str, now: float) -> float:
        """Return the seconds that the right password waits, so that its answer tells a guesser nothing at once."""
        record = self._records.get(address)
        wrong = 0.0 if record is None else self._left(record, now)
        return 0.0 if wrong < FREE else min(_apart(wrong), RIGHT)

    def _left(self, record: _Record, now: float) -> float:
        return max(record.wrong - (now - record.seen) / FORGIVEN, 0.0)


def _apart(wrong: float) -> float:
    """Seconds between the answers to an address with so many wrong passwords."""
    return float(min(FIRST * 2.0 ** max(min(wrong, 64.0) - FREE, 0.0), LONGEST))


def client_address(client: tuple[str, int] | None) -> str:
    """The address that counts: an IPv4 address, or the network of 64 bits that an IPv6 address belongs to.

    Who is given one IPv6 address is given 2^64 of them.
    """
    if client is None:
        return "unknown"
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0][:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))
