"""What pages send reaches the event loop in bundles, and the network: many messages for one wake-up and one write.

Streamlit wakes the event loop for each of a page's sixty messages, and its server writes each by itself. Every time the
interpreter is given away; where pages are drawn at the same time it comes back half a millisecond later or more, and
all visitors wait for the one loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

WAITS = 0.005  # seconds that a message of a page may wait for others

_mailboxes: dict[asyncio.AbstractEventLoop, Mailbox] = {}  # a server has one
_finding = threading.Lock()


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
            self._loop.call_soon_threadsafe(self.open if at_once else self._wait)

    def _wait(self) -> None:
        self._loop.call_later(WAITS, self.open)

    def open(self) -> None:
        """Call what has been posted; on the loop's thread."""
        with self._lock:
            posted, self._posted = self._posted, []
            self._waking = self._opening = False
        for call in posted:
            try:
                call()
            except Exception as error:  # as the loop itself does
                self._loop.call_exception_handler({"message": "a call of a page failed", "exception": error})


class OneWrite:
    """A transport that writes once in a turn of the loop, all that it was given in that turn.

    Parameters
    ----------
    transport : Transport
    loop : AbstractEventLoop
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._given: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Take bytes that are to be written."""
        if not self._given:
            self._loop.call_soon(self._write)
        self._given.append(data)

    def close(self) -> None:
        """Write what was given, and close the transport."""
        self._write()
        self._transport.close()

    def _write(self) -> None:
        given, self._given = self._given, []
        if given and not self._transport.is_closing():
            self._transport.write(b"".join(given))


def mailbox(loop: asyncio.AbstractEventLoop) -> Mailbox:
    """The one of a loop."""
    found = _mailboxes.get(loop)
    if found is None:
        with _finding:
            found = _mailboxes.setdefault(loop, Mailbox(loop))
    return found
