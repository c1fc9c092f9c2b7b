"""Whether the first page can be drawn at once, as the health answers say it.

The server listens from the start, so that browsers can load their files while the first page is made ready.
"""

from __future__ import annotations

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shared.server.assets import path_below_base
from pages.shared.server.health import PATHS

HELD = 1.0  # seconds that a question is held: who asks then hears of it at once, and nobody's patience ends before

_ready = asyncio.Event()


def declare() -> None:
    """Say that the first page is ready; on the event loop's thread."""
    _ready.set()


class Readiness:
    """ASGI middleware that answers questions after health with 503 until the first page is ready."""

    def __init__(self, app: ASGIApp, ready: asyncio.Event = _ready, held: float = HELD) -> None:
        self._app = app
        self._ready = ready
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let everything pass but a question that comes too early."""
        if scope["type"] == "http" and path_below_base(scope) in PATHS and not await self._soon():
            starting = JSONResponse({"status": "starting"}, 503, headers={"Cache-Control": "no-store"})
            await starting(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _soon(self) -> bool:
        try:
            await asyncio.wait_for(self._ready.wait(), self._held)
        except TimeoutError:
            return False
        return True
