"""Who comes and goes, in the log: without addresses and names."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server.log import event


class Visits:
    """ASGI middleware that notes when a browser's websocket has been accepted and when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._here = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and note the two ends of a visit."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        begun: float | None = None

        async def note(message: Message) -> None:
            nonlocal begun
            if message["type"] == "websocket.accept":
                begun = time.monotonic()
                self._here += 1
                event("visitor came", visitors=self._here)
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            if begun is not None:
                self._here -= 1
                event("visitor left", visitors=self._here, seconds=round(time.monotonic() - begun, 1))
