"""A task as a worker drives it, in this process or in the one that computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.shared.work.jobs import Task
from pages.shared.work.process.fits import Fits
from pages.shared.work.process.remote_run import RemoteRun


class Driven:
    """One turn of a task.

    Parameters
    ----------
    task : Task
        Work that has begun goes on where it is.
    fits : Fits or None
        Where work that begins is computed, if it may go there and the process is ready.
    line : int
        The worker's own line to the process.

    Raises
    ------
    ProcessLostError
        From here and from every method, if the process has gone.
    """

    def __init__(self, task: Task[Any], fits: Fits | None, line: int) -> None:
        self._task, self._line = task, line
        self._here: Any = None
        if task.remote is not None and task.remote.gone:
            task.begin_anew()
        if task.remote is None and task.run is None and task.travels and fits is not None:
            task.remote = fits.begun(task.make, again=task.lost > 0)
            task.computed_there = task.remote is not None
        self._remote: RemoteRun | None = task.remote
        if self._remote is None:
            self._here = task.begun()
        else:
            self._see(self._remote.begin)

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return bool(self._here.done) if self._remote is None else self._remote.done

    def advance(self) -> None:
        """Take a step, or a few in the other process; one where somebody watches every step."""
        remote = self._remote
        if remote is None:
            self._here.advance()
        else:
            single = self._task.delay > 0.0
            self._see(lambda line: remote.advance(line, single=single))

    def rest(self) -> None:
        """The turn is over: the task has what has been reached. Work that cannot go on is let go."""
        remote = self._remote
        if remote is None or remote.gone:
            return
        if not remote.done:
            self._see(remote.look)
        if remote.done and not remote.extendable:
            self._task.let_remote_go()

    def _see(self, ask: Callable[[int], None]) -> None:
        assert self._remote is not None
        try:
            ask(self._line)
        finally:
            if self._remote.seen is not None:
                self._task.run = self._remote.seen
