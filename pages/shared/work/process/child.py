"""The process that computes: it makes work ready, takes its steps and shows how far it is.

It answers one request after the other on each of its lines, a thread a line. Compiled kernels let the threads run side
by side. It ends when the pages' process does, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from core.kernels import compiled_here
from core.warm_up import usual_parts
from core.work import Extendable
from pages.shared.work.process.handle import READY, Reply, receive, send
from pages.shared.work.process.travel import Showing, loaded

NICE = 10
"""Pages come first."""
SHARE_OF_SHOWING = 0.1
"""Of the time of the work: that for copies, as they are made here and read there."""


@dataclass
class _Running:
    """Work, and what its copies have cost."""

    work: Any
    showing: Showing
    shown_at: float = 0.0
    cost: float = 0.0
    stale: bool = True
    hurry: bool = False


class Computing:
    """The work that is here, whichever line asks for it."""

    def __init__(self) -> None:
        self._shared: dict[str, Any] = {}
        self._running: dict[int, _Running] = {}

    def put(self, key: str, content: bytes, buffers: list[Any]) -> Reply:
        """Keep what pieces of work share."""
        self._shared[key] = loaded(content, self._shared, buffers)()
        return Reply(done=False)

    def make(self, number: int, keys: list[str], content: bytes, buffers: list[Any]) -> Reply:
        """Prepare work that refers to what these keys stand for."""
        shared = {key: self._shared[key] for key in keys}
        work = loaded(content, shared, buffers)()
        self._running[number] = _Running(work, Showing(shared))
        return self._answer(self._running[number], ask=True)

    def advance(self, number: int, seconds: float, cost: float) -> Reply:
        """Take steps for so long, one at least; with a copy where the last one is old enough.

        ``cost`` is what it took to read the last copy.
        """
        running = self._running[number]
        running.cost += cost
        begun = time.perf_counter()
        try:
            while not running.work.done:
                running.stale = True
                running.work.advance()
                if running.hurry or time.perf_counter() - begun >= seconds:
                    break
        except Exception as error:
            return self._answer(running, ask=True, error=error)
        hurry, running.hurry = running.hurry, False
        return self._answer(running, ask=hurry or running.work.done)

    def interrupt(self, number: int) -> None:
        """Answer after the step under way. Any thread may call it."""
        running = self._running.get(number)
        if running is not None:
            running.hurry = True

    def extend(self, number: int) -> Reply:
        """Raise a limit that work has reached."""
        running = self._running[number]
        running.work.extend()
        running.stale = True
        return self._answer(running, ask=True)

    def show(self, number: int) -> Reply:
        """A copy as of now."""
        return self._answer(self._running[number], ask=True)

    def forget(self, works: list[int], keys: list[str]) -> Reply:
        """Nobody will ask for these any more."""
        for number in works:
            self._running.pop(number, None)
        for key in keys:
            self._shared.pop(key, None)
        return Reply(done=False)

    def _answer(self, running: _Running, *, ask: bool, error: Exception | None = None) -> Reply:
        now = time.perf_counter()
        copy = None
        if ask or now - running.shown_at >= running.cost / SHARE_OF_SHOWING:
            copy = running.showing.copy(running.work) if running.stale else None
            running.stale = False
            running.shown_at = time.perf_counter()
            running.cost = running.shown_at - now
        return Reply(bool(running.work.done), isinstance(running.work, Extendable), copy, *_told(error))


def _told(error: Exception | None) -> tuple[bytes | None, str]:
    """An exception as it can be sent, and where it was raised."""
    if error is None:
        return None, ""
    where = "".join(traceback.format_exception(error))
    try:
        told = pickle.dumps(error)
        pickle.loads(told)
    except Exception:  # of a library; its words are what counts
        told = pickle.dumps(RuntimeError(str(error) or type(error).__name__))
    return told, where


def _serve(computing: Computing, line: Connection) -> None:
    requests: dict[str, Callable[..., Reply]] = {
        name: getattr(computing, name) for name in ("put", "make", "advance", "extend", "show", "forget")
    }
    try:
        while True:
            (name, *arguments), buffers = receive(line)
            try:
                answer = requests[name](*arguments, buffers) if name in ("put", "make") else requests[name](*arguments)
            except Exception as error:
                answer = Reply(False, False, None, *_told(error))
            send(line, answer)
    except (EOFError, OSError):
        return  # the pages' process has gone, or does not want this one any more


def _watch(life: Connection, computing: Computing) -> None:
    """Take the numbers of work that is to stop; end where the process at the other end closes the line, or is gone."""
    with suppress(EOFError, OSError):
        while True:
            computing.interrupt(int(life.recv_bytes()))
    os._exit(0)


def main(life: int, *lines: int) -> None:
    """Serve until the other end of ``life`` is closed; descriptors of sockets, one line for each worker."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the pages' process lets work come to rest first
    os.nice(NICE)
    sys.setswitchinterval(5e-4)
    alive = Connection(life)
    computing = Computing()
    watching = threading.Thread(target=_watch, args=(alive, computing))
    watching.start()
    for _ in usual_parts():
        if compiled_here:
            alive.send_bytes(" ".join(compiled_here).encode())
    for line in lines:
        threading.Thread(target=_serve, args=(computing, Connection(line)), daemon=True).start()
    alive.send_bytes(READY)
    watching.join()
