"""Forms that stand before the app: the password's, and the code's of a class; how long their answers wait."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import html
import signal
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope

from pages.shared.server.back_off import BackOff, client_address
from pages.shared.server.log import event

GLANCE = 1.0  # seconds between two looks whether the server is to end, while an answer waits
LONGEST = 4096  # bytes of what a form sends
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sparse Ranking Lab</title>
<style>:root { color-scheme: light dark } body { font: 16px sans-serif; display: grid; place-content: center;
min-height: 90vh } input, button { font: inherit; padding: .4rem .7rem }</style>
<form method="post"><h1>Sparse Ranking Lab</h1><p role="status">{said}</p>
<p>{field} <button>{button}</button></p></form></html>"""


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
    """Return the body of a request; None where it is longer than `LONGEST`."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > LONGEST or message["type"] == "http.disconnect":
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
