"""The server visits itself: it opens the Lab, looks whether the page comes, and throws away what it is sent.

At the start whatever the first page needs (imports, compiled kernels, the sample data, its shipped paths) is then in
memory when a person comes. Later it tells whether pages can still be drawn.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from pages.shared.server.streamlit_private import OWN_VISIT

PATIENCE = 20.0  # seconds: a server whose kernels have yet to be compiled is not to look as if it were dead
GIVEN_UP = 600.0  # seconds that a page is waited for before another is asked for: one that hangs holds a thread

_log = logging.getLogger(__name__)


class Audience:
    """Who listens to a rehearsal: nobody, but it knows when the page has been drawn, and what was wrong with it."""

    def __init__(self) -> None:
        self.drawn = asyncio.Event()
        self.begun = time.monotonic()
        self._elements = 0
        self._faults = 0
        self._status: Any = None

    def write_forward_msg(self, msg: Any) -> None:
        """Note what the page shows, and the end of its run."""
        kind = msg.WhichOneof("type")
        if kind == "delta" and msg.delta.WhichOneof("type") == "new_element":
            self._elements += 1
            self._faults += _is_fault(msg.delta.new_element)
        elif kind == "script_finished":
            self._status = msg.script_finished
            self.drawn.set()

    @property
    def problem(self) -> str:
        """What is wrong with the page that has been drawn, in a sentence; empty where nothing is."""
        if self._status != OWN_VISIT[5]:
            return "The first page does not end."
        if not self._elements:
            return "The first page is empty."
        return "The first page shows an error instead of its numbers." if self._faults else ""


class Rehearsals:
    """Visits of the server to itself, one at a time."""

    def __init__(self) -> None:
        self._problem = ""
        self._audience: Audience | None = None
        self._session = ""

    @property
    def problem(self) -> str:
        """Why the last page could not be drawn, in a sentence; empty where it could, be it late."""
        audience = self._audience
        return self._problem if audience is None or not audience.drawn.is_set() else audience.problem

    async def rehearse(self, patience: float = PATIENCE) -> bool:
        """Draw the Lab for nobody; on the thread of the server's event loop, after the runtime has started.

        A page that is not ready in time is drawn to its end, and looked at again at the next call, in place of another.

        Parameters
        ----------
        patience : float
            Seconds after which nobody need wait any longer.

        Returns
        -------
        bool
            Whether it was drawn in that time, and as it should be.
        """
        if not OWN_VISIT:
            return False
        try:
            self._problem = await self._looked(patience)
        except Exception as error:  # whatever it is, visitors would meet it too
            _log.exception("the server cannot draw a page for itself")
            self._problem = f"A page cannot be requested ({type(error).__name__})."
            self._leave()
        return not self._problem

    async def _looked(self, patience: float) -> str:
        audience = self._audience or self._come()
        try:
            await asyncio.wait_for(audience.drawn.wait(), patience)
        except TimeoutError:
            if time.monotonic() - audience.begun > GIVEN_UP:
                self._leave()
            return f"The first page is not complete within {patience:g} s."
        self._leave()
        return audience.problem

    def _come(self) -> Audience:
        runtime, asked = OWN_VISIT[0](), OWN_VISIT[4]()
        self._audience = audience = Audience()
        self._session = runtime.connect_session(audience, {})
        asked.rerun_script.query_string = ""
        runtime.handle_backmsg(self._session, asked)
        return audience

    def _leave(self) -> None:
        self._audience = None
        session, self._session = self._session, ""
        if session:
            OWN_VISIT[0]().close_session(session)


def _is_fault(element: Any) -> bool:
    kind = element.WhichOneof("type")
    return bool(kind == "exception" or (kind == "alert" and element.alert.format == element.alert.ERROR))


REHEARSALS = Rehearsals()
