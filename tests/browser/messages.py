"""The last messages between the tabs of a browser and their server, for a test that has failed on them."""

from __future__ import annotations

import time
from collections import deque
from functools import partial

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Page, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

MOST = 400


class Messages:
    """Records messages of all tabs that a context opens from now on."""

    def __init__(self, context: BrowserContext) -> None:
        self._seen: deque[tuple[float, int, bool, bytes | str]] = deque(maxlen=MOST)
        self._tabs = 0
        self._context = context
        context.on("page", self._tab)

    def close(self) -> None:
        """Record no more tabs."""
        self._context.remove_listener("page", self._tab)

    def told(self) -> str:
        """A line a message, oldest first: time, tab, kind, place on the page."""
        return "\n".join(f"{at:10.3f} tab {tab} {'>' if sent else '<'} {_read(sent, said)}"
                         for at, tab, sent, said in self._seen) or "no messages"  # fmt: skip

    def _tab(self, page: Page) -> None:
        self._tabs += 1
        page.on("websocket", partial(self._opened, self._tabs))

    def _opened(self, tab: int, socket: WebSocket) -> None:
        for event, sent in (("framereceived", False), ("framesent", True)):
            socket.on(event, partial(self._note, tab, sent))  # type: ignore[call-overload]
        socket.on("close", lambda _: self._note(tab, False, "closed"))

    def _note(self, tab: int, sent: bool, said: bytes | str) -> None:
        self._seen.append((time.monotonic(), tab, sent, said))


def _read(sent: bool, said: bytes | str) -> str:
    message = BackMsg() if sent else ForwardMsg()
    try:
        message.ParseFromString(said)
    except (DecodeError, TypeError):
        return said if isinstance(said, str) else f"{len(said)} bytes"
    kind = message.WhichOneof("type")
    if sent:
        rerun = message.rerun_script
        return f"{kind} {rerun.fragment_id[:8]} {'a tick' if rerun.is_auto_rerun else ''}"
    return f"{kind} {list(message.metadata.delta_path)} {message.delta.WhichOneof('type') or ''}"
