"""The pages' end of the process that computes: it is started beside the pages, and again where it is lost."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from pages.shared.work.process.handle import Process, ProcessLostError
from pages.shared.work.process.remote_run import RemoteRun

RESTING = 40
"""Pieces of work at rest that the process keeps, so that they can go on from there."""
START_SECONDS = 120.0
"""How long a worker waits for a process in place of one that was lost."""
MOST_STARTS = 5
"""Processes that were lost before they were ready, in a row, until no other is tried."""
RETRY_SECONDS = 300.0
"""Between later tries: whatever ends processes, such as want of memory, may be over."""
_log = logging.getLogger(__name__)


class Fits:
    """Where fits are computed: a process of their own, while there is one.

    Parameters
    ----------
    workers : int
        How many pieces of work it computes side by side.
    changed : callable
        Called when the process has become ready, or has not.

    Attributes
    ----------
    given_up : bool
        Whether processes are lost again and again, and work is done without one until a later try succeeds.
    """

    def __init__(self, workers: int, changed: Callable[[], None]) -> None:
        self._workers, self._changed = workers, changed
        self._process: Process | None = None
        self._settled = threading.Event()
        self._closed = self._begun = False
        self._ending = threading.Event()
        self.given_up = False
        self._lock = threading.Lock()
        self._numbers = 0
        self._resting: OrderedDict[int, RemoteRun] = OrderedDict()

    @property
    def settled(self) -> bool:
        """Whether a process is ready, or there will be none."""
        return self._settled.is_set()

    @property
    def ready(self) -> bool:
        """Whether there is a process that computes."""
        return self.pid is not None and self.settled

    @property
    def pid(self) -> int | None:
        """Of the process that computes."""
        process = self._process
        return None if process is None or process.lost or self._closed else process.pid

    def start(self) -> None:
        """Start the process, and another whenever it is lost; does not wait for it."""
        with self._lock:
            if self._begun or self._closed:
                return
            self._begun = True
        threading.Thread(target=self._watch, name="fits-process", daemon=True).start()

    def close(self) -> None:
        """End the process; work that is there cannot go on."""
        self._ending.set()
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.close()
        self._settled.set()

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
        while again and not self.ready and not self._closed and not self.given_up and time.monotonic() < deadline:
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
        while not self._closed:
            failures = 0 if self._one_process() else failures + 1
            if failures < MOST_STARTS or self._closed:
                continue
            if not self.given_up:
                self.given_up = True
                _log.error("The compute process could not be started, so fits run in the web process.")
                self._settled.set()
                self._changed()
            self._ending.wait(RETRY_SECONDS)

    def _one_process(self) -> bool:
        """Start a process and wait for its end; whether it was ready before."""
        try:
            process = Process(self._workers)
        except OSError:
            _log.exception("a compute process could not be started")
            time.sleep(1.0)
            return False
        ready = process.wait_until_ready()
        with self._lock:
            if self._closed:
                process.close()
                return False
            self._process = process
        if ready:
            self.given_up = False
            self._settled.set()
            self._changed()
            process.wait_until_lost()
            if not self._closed:
                self._settled.clear()
                _log.warning("The compute process was lost; another one is being started.")
        return ready and not self._closed
