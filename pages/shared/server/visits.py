"""Who comes and goes, in the log: without addresses and names."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server.log import event

_here: set[object] = set()


def visitors() -> int:
    """How many browsers are connected."""
    return len(_here)


class Visits:
    """ASGI middleware that notes when a browser's websocket has been accepted and when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and note the two ends of a visit."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        visit = object()
        begun = 0.0

        async def note(message: Message) -> None:
            nonlocal begun
            if message["type"] == "websocket.accept":
                begun = time.monotonic()
                _here.add(visit)
                event("visitor came", visitors=visitors())
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            if visit in _here:
                _here.remove(visit)
                event("visitor left", visitors=visitors(), seconds=round(time.monotonic() - begun, 1))
