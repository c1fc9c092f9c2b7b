"""What browsers are told of every answer, and whose pages may ask for more than to read.

Cookies do not tell ports apart: a page of another server on the same machine could open the websocket with a visitor's
cookie. The origin, which a browser names and a page cannot, tells them apart.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.shared.server.assets import tags
from pages.shared.server.log import warn
from pages.shared.server.visits import make_known

SETTING = "SPARSE_RANK_EMBEDDED_IN"
"""The environment variable that names the origins whose pages may show this one in a frame, with blanks between."""
_ORIGIN = re.compile(r"https?://(?:\*\.)?[A-Za-z0-9.-]+(?::[0-9]+|:\*)?|https?://\[[0-9A-Fa-f:]+\](?::[0-9]+|:\*)?")
_READING = ("GET", "HEAD", "OPTIONS")
_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_HANDLER = re.compile(rb"""\son\w+=(?:"([^"]*)"|'([^']*)')""")
REFUSED = (
    "This request came from a page of another origin. Behind a proxy that changes the host, list the origin that "
    "visitors see in server.corsAllowedOrigins."
)


class Guard:
    """ASGI middleware around everything that the server answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = headers_of_all(os.environ.get(SETTING, ""))
        self._told = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what a foreign page asks for, and add the headers to every answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif not is_ours(scope):
            await self._refuse(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._app(_of_its_own(scope), receive, send)
        else:
            await self._app(scope, receive, self._with_headers(scope, send))

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._told:  # log it once
            warn(REFUSED)
            self._told = True
        answer = WebSocketClose(1008) if scope["type"] == "websocket" else PlainTextResponse(REFUSED, 403)
        await answer(scope, receive, self._with_headers(scope, send))

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                MutableHeaders(scope=message).update(self._headers)
                make_known(message, scope)
            await send(message)

        return pass_on


def is_ours(scope: Scope) -> bool:
    """Whether a request only reads, or comes from a page of this server or of one that the configuration lists."""
    if scope["type"] == "http" and scope["method"] in _READING:
        return True
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:  # no browser, or an old one
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    allowed = st.get_option("server.corsAllowedOrigins") or ()
    listed = not st.get_option("server.enableCORS") or origin in {one.strip().rstrip("/") for one in allowed}
    return _host(origin) == headers.get("host", "").lower() or listed


def _host(origin: str) -> str | None:
    scheme, found, host = origin.lower().partition("://")
    return host if found and scheme in ("http", "https") else None


def _of_its_own(scope: Scope) -> Scope:
    """A websocket that may be opened, as one of this server's pages.

    Streamlit would look again, and ask a service for its public address before it looks into its own list.
    """
    host = Headers(scope=scope).get("host", "")
    rest = [header for header in scope["headers"] if header[0].lower() != b"origin"]
    return {**scope, "headers": [*rest, (b"origin", f"http://{host}".encode())]}


def headers_of_all(embedded_in: str = "") -> dict[str, str]:
    """What every answer tells a browser.

    ``embedded_in`` names origins with blanks between, besides the server's own; what is none is left out, with a
    warning.
    """
    said = embedded_in.split()
    origins = [origin for origin in said if _ORIGIN.fullmatch(origin)]
    if origins != said:
        warn(f"{SETTING} names origins such as https://lms.example, separated by blanks; anything else is ignored")
    headers = {
        "Content-Security-Policy": "; ".join((_policy(), " ".join(("frame-ancestors 'self'", *origins)))),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    # The older header knows no list: browsers that read the policy pass over it, others would refuse the listed.
    return headers if origins else headers | {"X-Frame-Options": "SAMEORIGIN"}


@cache
def _policy() -> str:
    """Content from this server alone; of scripts within a page, those that are known here.

    Streamlit loads scripts of components from memory (`blob:`); its style sheets and plotly's stand in the page.
    """
    known = " ".join(_digests((Path(st.__file__).with_name("static") / "index.html").read_bytes() + tags()))
    return "; ".join((
        "default-src 'self'",
        f"script-src 'self' blob: 'wasm-unsafe-eval' 'unsafe-hashes' {known}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "connect-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ))  # fmt: skip


def _digests(page: bytes) -> list[str]:
    found = [match[1] for match in _SCRIPT.finditer(page)]
    found += [match[1] or match[2] for match in _HANDLER.finditer(page)]
    return [f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in dict.fromkeys(found)]
