"""What pages send reaches the event loop in bundles: many messages for one wake-up.

Streamlit wakes the event loop for each of a page's sixty messages. Every time the interpreter is given away; where
pages are drawn at the same time it comes back half a millisecond later or more, and all visitors wait for the one loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

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


def mailbox(loop: asyncio.AbstractEventLoop) -> Mailbox:
    """The one of a loop."""
    found = _mailboxes.get(loop)
    if found is None:
        with _finding:
            found = _mailboxes.setdefault(loop, Mailbox(loop))
    return found
