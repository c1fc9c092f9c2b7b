"""What pages send leaves in bundles: many messages for one wake-up of the server, and for one write to the network.

Streamlit wakes the event loop for each of a page's seventy messages, sends each in a turn of the loop of its own, and
writes each by itself. Every one of these steps gives the interpreter away; where pages of others are drawn at the same
time it comes back half a millisecond later or more, and all visitors wait for the one loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import SessionClientDisconnectedError, get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WAITS = 0.005  # seconds that a message of a page may wait for others
MOST = 100  # messages in a bundle: Streamlit parts with a browser that has 500 before it


class Mailbox:
    """Calls from threads that draw pages to the event loop, in the order of their posting.

    Parameters
    ----------
    loop : AbstractEventLoop
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._posted: list[Callable[[], None]] = []
        self._waking = self._opening = False

    def post(self, call: Callable[[], None], *, at_once: bool) -> None:
        """Have something called on the loop, with what was posted before: at once, or after `WAITS` at most.

        Raises
        ------
        RuntimeError
            If the loop is closed.
        """
        with self._lock:
            self._posted.append(call)
            waking = not (self._opening or (self._waking and not at_once))
            self._waking = True
            self._opening = self._opening or at_once
        if waking:
            self._loop.call_soon_threadsafe(self._open if at_once else self._wait)

    def _wait(self) -> None:
        self._loop.call_later(WAITS, self._open)

    def _open(self) -> None:
        with self._lock:
            posted, self._posted = self._posted, []
            self._waking = self._opening = False
        for call in posted:
            try:
                call()
            except Exception as error:  # as the loop itself does
                self._loop.call_exception_handler({"message": "a call of a page failed", "exception": error})


class Corked:
    """A connection that writes once in a turn of the loop what was given to it in that turn.

    Parameters
    ----------
    transport : Transport
    loop : AbstractEventLoop
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Take bytes to be sent."""
        if not self._held:
            self._loop.call_soon(self._write)
        self._held.append(data)

    def close(self) -> None:
        """Send what was taken, and no more."""
        self._write()
        self._transport.close()

    def _write(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))


_mailboxes: dict[asyncio.AbstractEventLoop, Mailbox] = {}  # a server has one
_finding = threading.Lock()
_flushed: Callable[[AppSession], list[ForwardMsg]] = AppSession.flush_browser_queue
_queued: Callable[[AppSession, ForwardMsg], None] = AppSession._enqueue_forward_msg
_connected: Callable[..., None] = WebSocketsSansIOProtocol.connection_made


def send_in_bundles() -> None:
    """Have the server send so; again without effect."""
    AppSession._on_scriptrunner_event = _post  # type: ignore[method-assign]
    AppSession.flush_browser_queue = _bundled  # type: ignore[method-assign]
    AppSession._enqueue_forward_msg = _enqueue  # type: ignore[assignment, method-assign]
    WebSocketsSansIOProtocol.connection_made = _cork  # type: ignore[assignment, method-assign]


def _post(self: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *args: Any, **told: Any) -> None:
    """An event of a run; what it draws may wait, that it has ended may not."""
    call = partial(self._handle_scriptrunner_event_on_event_loop, sender, event, *args, **told)
    try:
        _mailbox(self._event_loop).post(call, at_once=event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
    except RuntimeError:
        if not self._event_loop.is_closed():
            raise


def _mailbox(loop: asyncio.AbstractEventLoop) -> Mailbox:
    found = _mailboxes.get(loop)
    if found is None:
        with _finding:
            found = _mailboxes.setdefault(loop, Mailbox(loop))
    return found


def _bundled(self: AppSession) -> list[ForwardMsg]:
    """Send all messages but the last here; Streamlit would let others go first after each."""
    messages = _flushed(self)
    server = get_instance()
    visitor = server._session_mgr.get_active_session_info(self.id)
    if visitor is None:
        return messages
    for number, message in enumerate(messages[: min(MOST, len(messages) - 1)]):
        try:
            server._send_message(visitor, message)
        except SessionClientDisconnectedError:
            return messages[number:]  # Streamlit meets it again, and parts with the browser
    return messages[min(MOST, len(messages) - 1) :] if messages else messages


def _enqueue(self: AppSession, message: ForwardMsg) -> None:
    """Without waking the loop where it is the loop that does it."""
    if asyncio._get_running_loop() is self._event_loop:
        self._browser_queue.enqueue(message)
        get_instance()._get_async_objs().need_send_data.set()
    else:
        _queued(self, message)


def _cork(self: WebSocketsSansIOProtocol, transport: asyncio.Transport) -> None:
    _connected(self, Corked(transport, self.loop))
