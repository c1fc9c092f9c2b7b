"""The server's first visitor is the server itself: it opens the Lab once, and throws away what it is sent.

Whatever the first page needs (imports, compiled kernels, the sample data, its shipped paths) is then in memory when a
person comes.
"""

from __future__ import annotations

import asyncio
import logging
import time

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import SessionClient

PATIENCE = 20.0  # seconds: a server whose kernels have yet to be compiled is not to look as if it were dead

_log = logging.getLogger(__name__)


class Audience(SessionClient):
    """Who listens to a rehearsal: nobody, but it knows when the page has been drawn."""

    def __init__(self) -> None:
        self.drawn = asyncio.Event()

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Note the end of the page's run."""
        if msg.WhichOneof("type") == "script_finished":
            self.drawn.set()


async def rehearse(runtime: Runtime, patience: float = PATIENCE) -> bool:
    """Draw the Lab for nobody; on the thread of the server's event loop, after the runtime has started.

    Parameters
    ----------
    runtime : Runtime
    patience : float
        Seconds after which the visitors need not wait any longer. The page is drawn to its end all the same.

    Returns
    -------
    bool
        Whether it was drawn in that time.
    """
    begun = time.monotonic()
    audience = Audience()
    session = runtime.connect_session(audience, {})
    try:
        opened = BackMsg()
        opened.rerun_script.query_string = ""
        runtime.handle_backmsg(session, opened)
        await asyncio.wait_for(audience.drawn.wait(), patience)
    except TimeoutError:
        _log.warning("the first page is not ready after %.0f s; visitors will wait for it", patience)
        return False
    finally:
        runtime.close_session(session)
    _log.info("the first page is ready after %.1f s", time.monotonic() - begun)
    return True
