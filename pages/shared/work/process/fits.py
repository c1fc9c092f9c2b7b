"""The pages' end of the process that computes, and of the work there, as a worker thread drives it.

The process is started beside the pages, and again where it is lost.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from core.kernels import leave_compiling_to
from core.warm_up import is_compiled
from pages.shared.server.visits import on_a_server
from pages.shared.work.process.handle import Process, ProcessLostError, Reply
from pages.shared.work.process.travel import Parcel, Seeing, maker_of, parcel

SLICE_SECONDS = 0.1
"""Of steps between two looks at whether the work is to stop."""
RESTING = 40
"""Pieces of work at rest that the process keeps, so that they can go on from there."""
START_SECONDS = 120.0
"""How long a worker waits for a process in place of one that was lost."""
MOST_STARTS = 5
"""Processes that were lost before they were ready, in a row, until no other is tried."""
RETRY_SECONDS = 300.0
"""Between later tries: whatever ends processes, such as want of memory, may be over."""
SETTING = "SPARSE_RANK_FITS"
PROCESS, THREADS = "process", "threads"
_log = logging.getLogger(__name__)


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


class Fits:
    """Where fits are computed: a process of their own, while there is one.

    Parameters
    ----------
    workers : int
        How many pieces of work it computes side by side.
    changed : callable
        Called when the process has become ready, or has not.
    on : bool
        Whether there is to be one; else it does nothing, and threads compute.
    """

    def __init__(self, workers: int, changed: Callable[[], None], *, on: bool = True) -> None:
        self._workers, self._changed, self.on = workers, changed, on
        self._process: Process | None = None
        self._closed = threading.Event()
        self._begun = False
        self.settled = False  # whether a process is ready, or there will be none
        self.given_up = False  # processes are lost again and again: work is done without one until a later try succeeds
        self.compiles = False  # whether it compiles kernels before it is ready, as once after an installation
        self._compiled: set[str] = set()
        self._news = threading.Condition()
        self._lock = threading.Lock()
        self._numbers = 0
        self._resting: OrderedDict[int, RemoteRun] = OrderedDict()

    @property
    def ready(self) -> bool:
        """Whether there is a process that computes."""
        return self.pid is not None and self.settled

    @property
    def pid(self) -> int | None:
        """Of the process that computes."""
        process = self._process
        return None if process is None or process.lost or self._closed.is_set() else process.pid

    @property
    def preparing(self) -> bool:
        """Whether the process still compiles kernels."""
        return self.compiles and not self.settled

    def begin(self) -> None:
        """Leave compiling to the process, from now on, and find out whether it has anything to compile."""
        if self.on:
            leave_compiling_to(self.wait_for)
            self.compiles = not is_compiled()

    def wait_for(self, kernel: str) -> None:
        """Wait until the process has compiled a kernel, or until it is ready or there will be none.

        Raises
        ------
        ProcessLostError
            If the server ends.
        """
        if not self.settled:
            self.compiles = True
        self.start()
        with self._news:
            self._news.wait_for(lambda: kernel in self._compiled or self.settled)
        if self._closed.is_set():
            raise ProcessLostError

    def _hears(self, compiled: set[str]) -> None:
        with self._news:
            self._compiled, self.compiles = compiled, True
            self._news.notify_all()

    def _settle(self) -> None:
        self.settled, self.compiles = True, False
        with self._news:
            self._news.notify_all()

    def start(self) -> None:
        """Start the process, and another whenever it is lost; does not wait for it."""
        with self._lock:
            if self._begun or self._closed.is_set() or not self.on:
                return
            self._begun = True
        threading.Thread(target=self._watch, name="fits-process", daemon=True).start()

    def close(self) -> None:
        """End the process; work that is there cannot go on."""
        self._closed.set()
        with self._lock:
            process = self._process
        if process is not None:
            process.close()
        self._settle()

    def begun(self, make: Callable[[], Any], *, again: bool) -> RemoteRun | None:
        """Work that will be computed in the process; None while there is none.

        Parameters
        ----------
        make : callable
            Prepares the work.
        again : bool
            Whether the process was lost with it. It then waits for the next one: work that crashes is never retried
            in the web process.

        Raises
        ------
        ProcessLostError
            If there is no next one.
        """
        deadline = time.monotonic() + START_SECONDS
        while again and time.monotonic() < deadline and not (self.ready or self.given_up or self._closed.is_set()):
            time.sleep(0.05)
        process = self._process
        if process is None or not self.ready:
            if again:
                raise ProcessLostError
            return None
        with self._lock:
            self._numbers += 1
            return RemoteRun(self, process, self._numbers, make)

    def rests(self, run: RemoteRun) -> None:
        """Work has come to rest; of those that have rested longest, some are given up."""
        with self._lock:
            self._resting[run.number] = run
            self._resting.move_to_end(run.number)
            most = [self._resting.popitem(last=False)[1] for _ in range(len(self._resting) - RESTING)]
        for given_up in most:
            given_up.forget()

    def works(self, run: RemoteRun) -> None:
        """Work goes on that rested."""
        with self._lock:
            self._resting.pop(run.number, None)

    def _watch(self) -> None:
        failures = 0
        while not self._closed.is_set():
            failures = 0 if self._one_process() else failures + 1
            if failures < MOST_STARTS or self._closed.is_set():
                continue
            if not self.given_up:
                self.given_up = True
                _log.error("The compute process could not be started, so fits run in the web process.")
                self._settle()
                self._changed()
            self._closed.wait(RETRY_SECONDS)

    def _one_process(self) -> bool:
        """Start a process and wait for its end; whether it was ready before."""
        try:
            process = Process(self._workers)
        except OSError:
            _log.exception("a compute process could not be started")
            time.sleep(1.0)
            return False
        ready = process.wait_until_ready(self._hears)
        with self._lock:
            if self._closed.is_set():
                process.close()
                return False
            self._process = process
        if ready:
            self.given_up = False
            self._settle()
            self._changed()
            process.wait_until_lost()
            if not self._closed.is_set():
                self.settled = False
                _log.warning("The compute process was lost; another one is being started.")
        return ready and not self._closed.is_set()


class RemoteRun:
    """Work in the process that computes.

    Attributes
    ----------
    done, extendable : bool
        Of the work.
    """

    def __init__(self, fits: Fits, process: Process, number: int, make: Callable[[], Any]) -> None:
        self.number = number
        self.done = self.extendable = False
        self._fits, self._process, self._make = fits, process, make
        self._line = 0
        self._show: Callable[[Any], None] | None = None
        self._single: Callable[[], bool] | None = None
        self._seeing: Seeing | None = None
        self._extensions = 0
        self._cost = 0.0
        self._gone = False

    @property
    def gone(self) -> bool:
        """Whether it cannot go on: its process was lost, or has given it up."""
        return self._gone or self._process.lost

    def begin(self, line: int, show: Callable[[Any], None], single: Callable[[], bool]) -> None:
        """Begin a turn: make the work where it has not been, and raise limits that it was to raise.

        Parameters
        ----------
        line : int
            To the process.
        show : callable
            Called with the work as it stands, until the turn ends.
        single : callable
            Asked before every step whether the work is to be seen after it, and not after as many as fit between two
            looks at whether it is to stop.
        """
        self._line, self._show, self._single = line, show, single
        self._fits.works(self)
        if self.gone:
            raise ProcessLostError
        if self._seeing is None:
            self._made()
        while self._extensions:
            self._extensions -= 1
            self._ask("extend")

    def advance(self) -> None:
        """Take a step, or a few."""
        cost, self._cost = self._cost, 0.0
        self._ask("advance", 0.0 if self._single is not None and self._single() else SLICE_SECONDS, cost)

    def end_turn(self) -> bool:
        """Show what has been reached. Returns whether nothing can follow it: it is then given up."""
        if self.gone:
            return False
        try:
            if not self.done:
                self._ask("show")
        finally:
            self._show = self._single = None  # they hold the task, which holds this
        if self.done and not self.extendable:
            self.forget()
        return self._gone

    def extend(self) -> None:
        """Raise a limit before the next step."""
        self._extensions += 1
        self.done = False

    def stop(self) -> None:
        """Have the step under way be the last for now. Any thread may call it."""
        if not self.gone:
            self._process.interrupt(self.number)

    def rest(self) -> None:
        """Nothing is to be done for now."""
        self._show = self._single = None
        self._fits.rests(self)

    def forget(self) -> None:
        """Give the work up."""
        if not self._gone:
            self._gone = True
            self._process.forgotten.append(self.number)

    def __del__(self) -> None:
        self.forget()

    def _made(self) -> None:
        process, line = self._process, self._line
        shared: dict[str, Any] = {}
        made = parcel(self._make, shared)
        data: dict[str, Any] = {}
        with process.sent.lock:
            works = [process.forgotten.popleft() for _ in range(len(process.forgotten))]
            if (keys := process.sent.forgotten()) or works:
                process.ask(line, "forget", works, keys)
            for key, one in shared.items():
                if not process.sent.has(key):
                    _raised(process.ask(line, "put", key, parcel=parcel(maker_of(one), dict(data))))
                process.sent.hold(key, one)
                data[key] = one
        self._seeing = Seeing(shared)
        self._ask("make", list(data), parcel=made)

    def _ask(self, name: str, *arguments: Any, parcel: Parcel | None = None) -> None:
        answer = self._process.ask(self._line, name, self.number, *arguments, parcel=parcel)
        self.done, self.extendable = answer.done, answer.extendable
        if answer.copy is not None and self._seeing is not None and self._show is not None:
            begun = time.perf_counter()
            seen = self._seeing.work(answer.copy)
            self._cost += time.perf_counter() - begun
            self._show(seen)
        _raised(answer)


class _RemoteTraceback(Exception):
    """Where an exception was raised in the other process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _raised(answer: Reply) -> None:
    if answer.error is not None:
        error: Exception = pickle.loads(answer.error)
        raise error from _RemoteTraceback(answer.trace)
