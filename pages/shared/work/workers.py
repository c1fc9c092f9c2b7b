"""Threads that do the work of the board's line, turn by turn."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from core.data import DataError
from pages.shared.work.jobs import Line, State, Task
from pages.shared.work.line import WaitingLine
from pages.shared.work.process.fits import START_SECONDS, Fits
from pages.shared.work.process.handle import ProcessLostError

POLL_SECONDS = 0.5
"""How often idle workers look whether visitors have come or gone, who do so without a word."""
FIRST_PAGE_SECONDS = 6.0
"""Two of them go by while the server opens the first page for itself."""

LOST = "The compute process was lost twice with this work, perhaps for lack of memory."

_log = logging.getLogger(__name__)


class Workers:
    """Workers touch tasks only, never a page.

    Parameters
    ----------
    line : WaitingLine
        What they work on.
    changed : threading.Condition
        Guards the line; notified of every change.
    fits : Fits
        The process that computes fits, unless these threads do.
    prepare : callable, optional
        As for `JobBoard`.
    """

    def __init__(
        self,
        line: WaitingLine,
        changed: threading.Condition,
        fits: Fits,
        prepare: Callable[[bool], None] | None = None,
    ) -> None:
        self.trouble = ""  # why they could not prepare, or keep a result, in a sentence; they work all the same
        self._line = line
        self._changed = changed
        self._prepare, self._fits = prepare, fits
        self._preparing = threading.Lock()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, args=(name, number), name=f"{name}-{number}", daemon=True)
            for name, count in line.workers.items()
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End every worker after its turn. The caller holds the lock."""
        self._closed = True
        self._changed.notify_all()

    def wait(self, deadline: float) -> None:
        """Wait until every worker has ended and kept what it finished, at most until `time.monotonic` says so.

        The caller does not hold the lock.
        """
        for thread in self._threads:
            thread.join(max(deadline - time.monotonic(), 0.0))

    def _work(self, line: Line, number: int) -> None:
        self._get_ready()
        while (task := self._next(line)) is not None:
            begun = time.monotonic()
            pause = 0.0
            try:
                reached, pause = self._turn(task, number)
            except ProcessLostError:
                reached = self._lost(task)
            except DataError as error:  # an answer in a sentence
                sentence = str(error).rstrip(".")
                task.problem, reached = f"{sentence[:1].upper()}{sentence[1:]}.", "failed"
            except Exception as error:
                _log.exception("a fit failed")
                said = f"The fit failed: {error}" if str(error) else f"The fit failed ({type(error).__name__})."
                task.problem, reached = said, "failed"
            self._settle(task, reached, pause, time.monotonic() - begun)
            if reached == "finished":
                self._keep_result(task)

    def _next(self, line: Line) -> Task[Any] | None:
        """The next task, as soon as there is one; None once the workers are to end."""
        with self._changed:
            while not self._closed:
                task = self._line.take(line)
                if task is not None:
                    return task
                due = self._line.seconds_to_next()
                # Visitors come and go without a word.
                wait = POLL_SECONDS if due is None else min(due, POLL_SECONDS)
                self._changed.wait(wait if len(self._line) else None)
            return None

    def _turn(self, task: Task[Any], number: int) -> tuple[State, float]:
        """Work until the turn is over or the task comes to rest, which gives back what it held.

        Returns what it has come to, "queued" for the end of a turn, and the seconds until it goes on.
        """
        reached: State = "failed"
        try:
            reached, pause = self._advance(task, number)
            return reached, pause
        finally:
            if task.run is not None and reached != "queued":
                task.let_go(task.run)

    def _advance(self, task: Task[Any], number: int) -> tuple[State, float]:
        begun = time.monotonic()
        run = self._begun(task, number)
        remote = task.remote
        try:
            while not run.done:
                if task.halt.is_set():
                    return "paused", 0.0
                if len(self._line):
                    with self._changed:
                        if self._line.gives_way(task, begun):
                            return "queued", 0.0
                run.advance()
                if remote is None:
                    task.publish(run)
                if self._line.abandoned(task):
                    task.left = True
                    return "paused", 0.0
                if (pause := task.delay) and not run.done:
                    return "queued", pause
            return "finished", 0.0
        finally:
            if remote is not None and remote.end_turn():
                task.remote = None
                task.begun()  # lets go what it was made from

    def _begun(self, task: Task[Any], number: int) -> Any:
        """The work, here or in the process that computes; what has begun goes on where it is.

        Raises
        ------
        ProcessLostError
            If that process has gone.
        """
        if task.remote is not None and task.remote.gone:
            task.run = task.remote = None
        if task.remote is None and task.run is None and task.travels and task.line == "fits":
            task.remote = self._fits.begun(task.make, again=task.lost > 0)
            task.computed_there = task.remote is not None
        if task.remote is None:
            return task.begun()
        task.remote.begin(number, task.show, lambda: task.delay > 0.0)
        return task.remote

    def _lost(self, task: Task[Any]) -> State:
        """What becomes of a task whose process was lost: it begins anew, once."""
        task.run = task.remote = None
        if self._closed:
            return "paused"
        task.lost += 1
        if task.lost == 1:
            return "queued"
        task.problem = LOST
        return "failed"

    def _settle(self, task: Task[Any], reached: State, pause: float, seconds: float) -> None:
        with self._changed:
            self._line.charge(task, seconds)
            if reached == "queued":
                self._line.put_back(task, after=pause)
            else:
                task.state = reached
                self._line.end(task)
                if task.remote is not None:
                    task.remote.rest()
                if reached == "paused" and not task.halt.is_set() and (not task.left or self._line.present(task)):
                    self._line.add(task)  # somebody has asked for it after it was to stop, or is back
            self._changed.notify_all()

    def _keep_result(self, task: Task[Any]) -> None:
        """Keep what has finished. Those who wait have it all the same, but a fault is told to all."""
        try:
            task.keep(task.run)
        except Exception as error:  # the worker is still needed: others wait in line
            _log.exception("a result could not be saved")
            said = str(error) or type(error).__name__
            self.trouble = f"A finished result could not be saved and will be computed again after a restart ({said})."

    def _get_ready(self) -> None:
        """Before the first job comes. Giving up where it fails would leave every fit waiting in line.

        A moment is left to the first page, which may need no worker. One worker prepares for all. A process that
        computes is not on the way to the first page either; what is asked for before it is ready is computed here.
        """
        with self._changed:
            self._changed.wait_for(lambda: len(self._line) > 0 or self._closed, timeout=FIRST_PAGE_SECONDS)
        with self._preparing:
            if self._closed:
                return
            prepare, self._prepare = self._prepare, None
            if prepare is None:
                return
            try:
                elsewhere = self._process_comes_first()
                if not self._closed:
                    prepare(elsewhere)
            except Exception as error:
                _log.exception("preparing for fits failed")
                self.trouble = (
                    f"Compiled code could not be prepared ({str(error) or type(error).__name__}). The first fits take "
                    "longer or fail in the same way; see the server's log."
                )

    def _process_comes_first(self) -> bool:
        """Whether the process that computes is ready before anything waits, or what waits waits for its kernels."""
        fits = self._fits
        if not fits.on:
            return False
        with self._changed:
            if len(self._line) and not fits.compiles:
                later = threading.Timer(FIRST_PAGE_SECONDS, fits.start)
                later.daemon = True
                later.start()
                return False
            fits.start()

            def go_on() -> bool:
                return self._closed or fits.settled or (len(self._line) > 0 and not fits.compiles)

            self._changed.wait_for(go_on, START_SECONDS)
            return fits.ready
