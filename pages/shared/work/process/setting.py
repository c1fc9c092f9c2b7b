"""Whether fits have a process of their own: on a server they do, unless ``SPARSE_RANK_FITS`` says otherwise."""

from __future__ import annotations

import os

from pages.shared.server.visits import on_a_server

SETTING = "SPARSE_RANK_FITS"
PROCESS, THREADS = "process", "threads"


def fits_have_a_process() -> bool:
    """As the environment says, else true on a server: what runs without one, such as a test, is over soon.

    Where sockets cannot be handed to another program, as on Windows, fits are threads.

    Raises
    ------
    ValueError
        If the environment says something else.
    """
    chosen = os.environ.get(SETTING, "")
    if chosen not in ("", PROCESS, THREADS):
        msg = f"{SETTING} must be {PROCESS} or {THREADS}, not {chosen!r}"
        raise ValueError(msg)
    if os.name != "posix":
        return False
    return chosen == PROCESS or (not chosen and on_a_server())
