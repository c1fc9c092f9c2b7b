"""What every browser loads, served from memory; the code of charts and plotly's small bundle as soon as the page is.

Streamlit reads each of some sixty files in threads, in pieces of 64 kB. A browser would ask for plotly only when the
first picture has come, and then compile five megabytes; here it reads the bundle of lines and bars, a quarter of that,
while the server draws the page. `live_chart.js` loads the whole library where a picture needs it. That code itself is
a file of its own: within the component, Streamlit would send its 50 kB again with every picture of every run.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

import plotly
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.figures.browser.drawing_code import BUNDLE, SCALE, drawing_code
from pages.shared.room import room as classes

BASIC = "/plotly/plotly-basic.min.js"
WHOLE = "/plotly/plotly.min.js"
"""The library that comes with plotly: no request leaves the machine."""
_BASIC_TAG = (
    f'<script defer id="plotly-basic" src=".{BASIC}" '
    'onload="this.Plotly = window.Plotly" onerror="this.failed = true"></script>'
)
"""`live_chart.js` looks for it by its id."""
_DRAWING_CODE = drawing_code().encode()
DRAWING = f"/plotly/live_chart.{hashlib.sha256(_DRAWING_CODE).hexdigest()[:16]}.js"
"""The module that draws charts; its name changes with its content."""
_DRAWING_TAG = f'<link rel="modulepreload" href=".{DRAWING}">'
DRAWING_LOADER = f"""
const drawing = await import(new URL(".{DRAWING}", document.baseURI));
export default drawing.default;
"""
"""The code of a component that is that module."""
_SCRIPTS = ("press.js", "history.js", "drop.js", "page.js")
_SCRIPT_TAGS = "".join(
    f"<script>{Path(__file__).with_name(name).read_text(encoding='utf-8')}</script>" for name in _SCRIPTS
)
_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8").replace("SCALE", f"{SCALE:g}")
STYLE_TAG = f"<style>{_STYLE}</style>".encode()
"""The style sheet of all pages: after Streamlit's, before those of a page. Of equal rules the last one holds."""
_LIBRARIES = {BASIC: BUNDLE, WHOLE: Path(plotly.__file__).parent / "package_data" / "plotly.min.js"}
_VERSION = re.compile(rb"plotly\.js.{0,30} v(\d+\.\d+\.\d+)")
_NEAR = ("127.0.0.1", "::1")  # compressing for the same machine only takes time
_KEPT = "public, immutable, max-age=31536000"  # names of these files change with what is in them
_HEAD, _BODY = b"</head>", b"<body>"


class Assets:
    """ASGI middleware around Streamlit's own routes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for the files that are known here, and let everything else pass."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        path = path_below_base(scope)
        if path == DRAWING or path in _files():
            await (await _answer(path, scope))(scope, receive, send)
        else:
            await self._app(_uncompressed(scope), receive, _with_tags(send))


def path_below_base(scope: Scope) -> str:
    """The path of a request without ``server.baseUrlPath``."""
    path = str(scope["path"])
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return path.removeprefix(f"/{base}") if base else path


@cache
def tags() -> bytes:
    """What stands in the head of every page besides Streamlit's own."""
    of_class = "" if classes.room() is None else f'<script defer src=".{classes.SCRIPT}"></script>'
    basic = _BASIC_TAG if bundle_fits() else ""
    return (_SCRIPT_TAGS + basic + _DRAWING_TAG + of_class).encode()


def bundle_fits() -> bool:
    """Whether the small bundle is of the version that came with plotly for Python, whose figures it is to draw."""
    return version_of(BUNDLE) == version_of(_LIBRARIES[WHOLE])


def version_of(library: Path) -> bytes | None:
    """The version that the head of a plotly.js file names."""
    with library.open("rb") as file:
        named = _VERSION.search(file.read(200))
    return None if named is None else named[1]


@cache
def _content(path: str) -> bytes:
    return _DRAWING_CODE if path == DRAWING else _files()[path].read_bytes()


@cache
def _compressed(path: str) -> bytes:
    return gzip.compress(_content(path), 6, mtime=0)


@cache
def _files() -> dict[str, Path]:
    """Plotly and Streamlit's own files by their addresses: nothing else can be asked for."""
    folder = Path(st.__file__).parent / "static"  # where it is elsewhere, Streamlit sends them
    own = {f"/{file.relative_to(folder).as_posix()}": file for file in (folder / "static").rglob("*.*")}
    return _LIBRARIES | own


async def _answer(path: str, scope: Scope) -> Response:
    content, media_type = _content(path), mimetypes.guess_type(path)[0] or "application/octet-stream"
    media_type = "text/javascript" if path.endswith(".js") else media_type  # Streamlit registers application/javascript
    headers = {"cache-control": "no-cache" if path in _LIBRARIES else _KEPT}
    if media_type.startswith("text/"):
        headers["vary"] = "accept-encoding"
        client = scope.get("client")
        if client and client[0] not in _NEAR and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            content = await asyncio.to_thread(_compressed, path)  # once for all visitors
            headers["content-encoding"] = "gzip"
    return Response(content, headers=headers, media_type=media_type)


def _uncompressed(scope: Scope) -> Scope:
    """The same request for an answer that is not compressed where a browser asks for a page: our tags go into it."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return scope
    return {**scope, "headers": [header for header in scope["headers"] if header[0].lower() != b"accept-encoding"]}


def _with_tags(send: Send) -> Send:
    """A page of HTML gets our tags; everything else passes as it is."""
    start: Message | None = None
    body = b""

    async def pass_on(message: Message) -> None:
        nonlocal start, body
        if message["type"] == "http.response.start" and _is_page(message):
            start = message
            return
        if start is None:
            await send(message)
            return
        body += message.get("body", b"")
        if message.get("more_body"):
            return
        whole = body.replace(_HEAD, tags() + _HEAD, 1).replace(_BODY, _BODY + STYLE_TAG, 1)
        held, start = start, None
        MutableHeaders(raw=held["headers"])["content-length"] = str(len(whole))
        await send(held)
        await send({"type": "http.response.body", "body": whole})

    return pass_on


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    return (
        message["status"] == 200
        and headers.get("content-type", "").startswith("text/html")
        and "content-encoding" not in headers
    )
