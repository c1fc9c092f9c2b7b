"""One process that computes, from its start until it is lost, the lines to it, and what goes over them.

Large arrays follow their message as they are. `multiprocessing.managers` would copy them twice in the web process.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pages.shared.work.process.travel import Parcel

READY = b"ready"
_ROOT = Path(__file__).resolve().parents[4]
_BEGIN = "import sys; sys.path[:0] = [{root!r}]; from pages.shared.work.process.child import main; main({numbers})"


@dataclass(frozen=True)
class Reply:
    """What the process that computes answers."""

    done: bool  # whether the work is
    extendable: bool = False  # whether it may reach a limit that can be raised
    # The work as it stands, for `Seeing`; None where nothing has changed, or it is too soon for another copy.
    copy: bytes | None = None
    error: bytes | None = None  # a pickled exception
    trace: str = ""  # where it was raised


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


class ProcessLostError(Exception):
    """The process that computes has gone: it was killed, or had no memory left."""


class Sent:
    """What one process has been sent, as long as anybody here has an object of the same content."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._holders: dict[str, weakref.WeakSet[Any]] = {}

    def has(self, key: str) -> bool:
        """Whether the process has it."""
        return len(self._holders.get(key, ())) > 0

    def hold(self, key: str, shared: Any) -> None:
        """The process has it, and this object keeps it there from now on."""
        self._holders.setdefault(key, weakref.WeakSet()).add(shared)

    def forgotten(self) -> list[str]:
        """Return the keys of objects that are no longer referenced, each key once."""
        keys = [key for key, holders in self._holders.items() if not len(holders)]
        for key in keys:
            del self._holders[key]
        return keys


class Process:
    """One process, from its start until it is lost."""

    def __init__(self, lines: int) -> None:
        pairs = [socket.socketpair() for _ in range(lines + 1)]
        theirs = [there.fileno() for _, there in pairs]
        code = _BEGIN.format(root=str(_ROOT), numbers=", ".join(map(str, theirs)))
        try:
            # A session of its own: Ctrl-C is for the server, which then lets work come to rest.
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-c", code], pass_fds=theirs, stdin=subprocess.DEVNULL, start_new_session=True
            )
        except OSError:
            for here, _ in pairs:
                here.close()
            raise
        finally:
            for _, there in pairs:
                there.close()
        self._life, *self.lines = [Connection(here.detach()) for here, _ in pairs]
        self.sent = Sent()
        self.forgotten: deque[int] = deque()
        self.lost = False

    @property
    def pid(self) -> int:
        return self._popen.pid

    def wait_until_ready(self, compiled: Callable[[set[str]], None]) -> bool:
        """Whether it became ready, and not lost before; ``compiled`` gets the names of kernels compiled so far."""
        try:
            while (said := self._life.recv_bytes()) != READY:
                compiled(set(said.decode().split()))
        except (EOFError, OSError):
            self.lost = True
        return not self.lost

    def wait_until_lost(self) -> None:
        try:
            self._life.recv_bytes()
        except (EOFError, OSError):
            self.lost = True
        self._popen.wait()

    def interrupt(self, number: int) -> None:
        """Have the work of this number answer after the step under way."""
        with suppress(OSError):  # it has gone, as the reader of its answer will notice
            self._life.send_bytes(str(number).encode())

    def close(self) -> None:
        """Let it end; requests under way are lost."""
        self.lost = True
        for line in (self._life, *self.lines):
            # A reader in another thread keeps the descriptor: shutting the socket down wakes it.
            with socket.socket(fileno=os.dup(line.fileno())) as twin:
                twin.shutdown(socket.SHUT_RDWR)

    def ask(self, line: int, name: str, *arguments: Any, parcel: Parcel | None = None) -> Reply:
        """Send a request, and wait for the answer.

        Raises
        ------
        ProcessLostError
            If there is no answer.
        Exception
            What the work has raised.
        """
        message = (name, *arguments) if parcel is None else (name, *arguments, parcel.content)
        try:
            send(self.lines[line], message, None if parcel is None else parcel.buffers)
            answer: Reply = receive(self.lines[line])[0]
        except (EOFError, OSError) as error:
            self.lost = True
            raise ProcessLostError from error
        return answer
