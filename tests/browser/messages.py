"""The last messages between the tabs of a browser and their server, for a test that has failed on them."""

from __future__ import annotations

import time
from collections import deque

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Page, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

MOST = 400


class Messages:
    """Records messages of all tabs that a context opens from now on."""

    def __init__(self, context: BrowserContext) -> None:
        self._seen: deque[tuple[float, int, bool, bytes | str]] = deque(maxlen=MOST)
        self._tabs: list[Page] = []
        self._context = context
        context.on("page", self._tab)

    def close(self) -> None:
        """Record no more tabs."""
        self._context.remove_listener("page", self._tab)

    def told(self) -> str:
        """A line a message, oldest first: seconds, tab, kind, place on the page."""
        if not self._seen:
            return "no messages"
        begun = self._seen[0][0]
        return "\n".join(
            f"{at - begun:8.3f} tab {tab} {'>' if sent else '<'} {(_asked if sent else _answered)(said)}"
            for at, tab, sent, said in self._seen
        )

    def _tab(self, page: Page) -> None:
        tab = len(self._tabs)
        self._tabs.append(page)

        def opened(socket: WebSocket) -> None:
            self._note(tab, True, "connected")
            socket.on("framereceived", lambda said: self._note(tab, False, said))
            socket.on("framesent", lambda said: self._note(tab, True, said))
            socket.on("close", lambda _: self._note(tab, False, "closed"))

        page.on("websocket", opened)

    def _note(self, tab: int, sent: bool, said: bytes | str) -> None:
        self._seen.append((time.monotonic(), tab, sent, said))


def _answered(said: bytes | str) -> str:
    if isinstance(said, str):
        return said
    message = ForwardMsg()
    try:
        message.ParseFromString(said)
    except DecodeError:
        return f"{len(said)} bytes"
    kind = message.WhichOneof("type") or "a reference"
    told = [kind, str(list(message.metadata.delta_path))]
    if kind == "new_session":
        run = message.metadata.run
        told = [kind, run.script_run_id[:8], "fragments", str([name[:8] for name in run.fragment_ids])]
        told += ["of page", message.new_session.page_script_hash[:8]]
    elif kind == "script_finished":
        told = [
            kind,
            ForwardMsg.ScriptFinishedStatus.Name(message.script_finished),
            message.metadata.run.script_run_id[:8],
        ]
    elif kind == "delta":
        told += [
            str(message.delta.WhichOneof("type")),
            message.delta.fragment_id[:8],
            message.metadata.active_script_hash[:8],
        ]
    return " ".join(told)


def _asked(said: bytes | str) -> str:
    if isinstance(said, str):
        return said
    message = BackMsg()
    try:
        message.ParseFromString(said)
    except DecodeError:
        return f"{len(said)} bytes"
    rerun = message.rerun_script
    own = "a tick" if rerun.is_auto_rerun else ""
    return " ".join(filter(None, [str(message.WhichOneof("type")), rerun.fragment_id[:8], own]))
