"""What goes over a line between the pages' process and the one that computes.

Large arrays follow their message as they are. `multiprocessing.managers` would copy them twice in the web process.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the process that computes answers.

    Attributes
    ----------
    done : bool
        Whether the work is.
    extendable : bool
        Whether it may reach a limit that can be raised.
    copy : bytes or None
        The work as it stands, for `Seeing`; None where nothing has changed, or it is too soon for another copy.
    error : bytes or None
        A pickled exception.
    trace : str
        Where it was raised.
    """

    done: bool
    extendable: bool = False
    copy: bytes | None = None
    error: bytes | None = None
    trace: str = ""


def send(line: Connection, message: Any, buffers: list[pickle.PickleBuffer] | None = None) -> None:
    """Send a message and the large arrays that belong to it, which are not copied."""
    raw = [buffer.raw() for buffer in buffers or []]
    line.send_bytes(pickle.dumps((message, [view.readonly for view in raw]), protocol=5))
    for view in raw:
        line.send_bytes(view)


def receive(line: Connection) -> tuple[Any, list[Any]]:
    """Return a message and its large arrays, which can be written to where those that were sent could.

    Raises
    ------
    EOFError, OSError
        If the other process has gone.
    """
    message, readonly = pickle.loads(line.recv_bytes())
    buffers: list[Any] = []
    for fixed in readonly:
        found = line.recv_bytes()
        buffers.append(found if fixed else bytearray(found))
    return message, buffers
