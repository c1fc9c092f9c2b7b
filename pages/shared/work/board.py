"""Work that runs beside the pages: asked for by visitors, computed once, and shared by all who ask for the same.

A task belongs to all visitors who wait for it. Stop ends one visitor's watching, and the task when it was the last.
Work without a watcher never begins, or soon rests; it keeps what it has reached and goes on when it is asked for again.
Visitors take turns (`pages.shared.work.line`). Workers touch tasks only; pages read them through each visitor's `Job`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from core.threads import use_one_blas_thread
from core.warm_up import usual_parts
from pages.shared.bounded_cache import Single
from pages.shared.cache import uploads_used
from pages.shared.server.visits import is_here, session_id, visitor_id
from pages.shared.work.jobs import ACTIVE, Job, RunType, Task
from pages.shared.work.line import KnownTasks, Waiting, WaitingLine
from pages.shared.work.process.fits import Fits, fits_have_a_process
from pages.shared.work.workers import Workers

WORKERS = 2
MOST_JOBS = 40
"""That a visitor may have under way, unless ``SPARSE_RANK_VISITOR_JOBS`` says otherwise."""
GIVEN_UP = (
    "Fits and pages are slower than usual: the compute process was lost repeatedly, so fits run in the web process "
    "until another can be started."
)


class JobBoard:
    """All work of the server: some runs, the rest waits in line.

    Parameters
    ----------
    session_alive : callable
        Whether a visitor is here.
    prepare : callable, optional
        Makes the workers ready, before the first task; called with whether the process that computes is ready by then.
    workers : int
        That compute fits; one more watches over runs with processes of their own.
    most_jobs : int
        That a visitor may have under way, those in line included.
    own_process : bool
        Whether fits are computed in a process of their own, once that is ready.
    uploads : callable, optional
        The digests of the uploads that the page which asks has used.
    browser : callable, optional
        Tells the browser of the visitor whose page asks, also after a reload.
    """

    def __init__(
        self,
        session_alive: Callable[[str], bool],
        prepare: Callable[[bool], None] | None = None,
        workers: int = WORKERS,
        *,
        most_jobs: int = MOST_JOBS,
        own_process: bool = False,
        uploads: Callable[[], frozenset[str]] = frozenset,
        browser: Callable[[], str] = str,
    ) -> None:
        self._alive = session_alive
        self._browser = browser
        self._most_jobs = most_jobs
        self._line = WaitingLine(session_alive, {"fits": workers, "runs": 1})
        self._known = KnownTasks(session_alive, uploads)
        self._changed = threading.Condition()
        self.fits = Fits(workers, self._notify, on=own_process)  # computes them, unless the board's threads do
        self._workers = Workers(self._line, self._changed, self.fits, prepare)

    @property
    def trouble(self) -> str:
        """What is wrong with the workers, in sentences; they work all the same."""
        return f"{self._workers.trouble} {GIVEN_UP if self.fits.given_up else ''}".strip()

    def ask(self, job: Job[RunType]) -> Job[RunType]:
        """The visitor's own job for this work, else this one, which joins a task for the same work if there is one.

        Work that was left or set aside goes on; work that this visitor has stopped stays stopped, also after a reload.
        """
        own: Job[RunType] | None = self.find(job.key, job.owner)
        if own is None:
            return self.submit(job)
        if own.aside:
            self.resume(own)
        return own

    def submit(self, job: Job[RunType]) -> Job[RunType]:
        """Put a job in line, in place of one of the same visitor for the same work; join others who compute it."""
        with self._changed:
            old = self._known.jobs.get((job.owner, job.key))
            task = self._known.task(job.key)
            if task is not None and self._joinable(task, old):
                job.watch(task)
            elif self._under_way(job.owner) >= self._most_jobs:
                job.task.state = "failed"
                job.task.problem = _refusal(self._most_jobs)
                return job
            if old is not None:
                self._stop(old)
                self._known.forget_view(old)
            self._known.register(job)
            if job.task is not task or job.task.state == "paused":
                self._queue(job.task)
            job.task.halt.clear()
            self._known.forget_oldest()
        return job

    def keep(self, key: str, owner: str, run: RunType) -> Job[RunType]:
        """Keep work that is finished already, so that it is found like any other."""
        job = Job(Task(key, lambda: run), owner)
        with self._changed:
            job.task.begun()
            job.task.state = "finished"
            self._known.register(job)
            self._known.forget_oldest()
        return job

    def find(self, key: str, owner: str) -> Job[Any] | None:
        """The visitor's job for this work, else a new view of it where it is finished or all others have gone.

        It begins nothing, but work that was left without anybody stopping it goes on when a visitor is back. Work that
        was stopped in another browser is not this visitor's.
        """
        with self._changed:
            own = self._known.seen(key, owner)
            if own is not None:
                self._go_on_if_left(own)
                return own
            task = self._known.task(key)
            if task is None or (task.state != "finished" and not self._may_change_hands(task)):
                return None
            view = Job(task, owner)
            view.stopped = task.rests and not task.left
            self._known.register(view)
            self._go_on_if_left(view)
            return view

    def resume(self, job: Job[Any]) -> None:
        """Go on from the last step; work that had stopped at a limit gets as much again."""
        with self._changed:
            job.stopped = job.put_aside = False
            if job.state not in (*ACTIVE, "failed"):
                job.task.extend()
            if job.state != "failed":
                self._go_on(job.task)

    def stop(self, job: Job[Any]) -> None:
        """Stop watching, and the work after the step under way unless others watch. Stopping twice is stopping once."""
        with self._changed:
            self._stop(job)

    def set_aside(self, job: Job[Any]) -> None:
        """As `stop`, but not on a user's request: the work goes on when it is asked for again."""
        with self._changed:
            if job.active:
                self._stop(job)
                job.put_aside, job.task.left = True, job.task.rests

    def waiting(self, job: Job[Any]) -> Waiting:
        """The place in line of a job, and how long it may take until it begins."""
        with self._changed:
            return self._line.waiting(job.task)

    @property
    def jobs(self) -> list[Job[Any]]:
        """Every visitor's view of every task that is remembered."""
        with self._changed:
            return list(self._known.jobs.values())

    @property
    def under_way(self) -> int:
        """How many tasks are at work or in line."""
        with self._changed:
            return len(self._line.every)

    def forget_upload(self, digest: str) -> None:
        """Stop and forget the work on an upload that is gone, unless it was asked for with other data, too."""
        with self._changed:
            for task in self._known.only_of_upload(digest):
                for view in task.views:
                    self._stop(view)
                self._known.forget(task)

    def close(self, patience: float) -> int:
        """Let all work come to rest after the step under way, and keep what is finished; nothing begins any more.

        Parameters
        ----------
        patience : float
            Seconds to wait for steps under way, and for results that are being kept.

        Returns
        -------
        int
            How many tasks are still at work then.
        """
        deadline = time.monotonic() + patience
        with self._changed:
            for task in self._line.every:
                task.stop()
                self._line.rest(task)
            self._workers.close()
            if not self.fits.settled:
                self.fits.close()  # what waits for kernels has nothing to keep
            self._changed.wait_for(lambda: not self._line.every, patience)
            left = len(self._line.every)
        self._workers.wait(deadline)
        self.fits.close()
        return left

    @property
    def counts(self) -> tuple[int, int]:
        """How many tasks are at work, and how many in line."""
        with self._changed:
            return len(self._line.every) - len(self._line), len(self._line)

    @property
    def waiting_visitors(self) -> int:
        """How many visitors are here and wait for something."""
        with self._changed:
            return len({visitor for task in self._line.every for visitor in self._line.present(task)})

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # What follows holds the lock.

    def _joinable(self, task: Task[Any], old: Job[Any] | None) -> bool:
        """Whether a visitor who asks shares this task; one who begins again what he has alone gets a new one."""
        if task.state == "failed" or (task.state == "finished" and old is not None):
            return False
        others = [view for view in task.views if view is not old and self._alive(view.owner)]
        return old is None or old.task is not task or any(not view.stopped for view in others)

    def _may_change_hands(self, task: Task[Any]) -> bool:
        """Whether a visitor who only looks takes over from those who were here: it is theirs after a reload."""
        if any(self._alive(view.owner) for view in task.views):
            return False
        return not task.rests or task.left or task.stopped_by == self._browser()

    def _go_on_if_left(self, view: Job[Any]) -> None:
        if view.task.left and view.task.rests and not view.stopped:
            self._go_on(view.task)

    def _go_on(self, task: Task[Any]) -> None:
        if task.state in ACTIVE:
            task.halt.clear()
            task.left = False
        else:
            self._queue(task)

    def _under_way(self, visitor: str) -> int:
        return sum(visitor in task.watchers for task in self._line.every)

    def _queue(self, task: Task[Any]) -> None:
        self._line.add(task)
        self._changed.notify_all()

    def _stop(self, job: Job[Any]) -> None:
        if job.active:
            job.stopped = True
            job.task.left, job.task.stopped_by = False, self._browser()
            if not self._line.present(job.task):
                job.task.stop()
                self._line.rest(job.task)


def most_jobs() -> int:
    """As the environment says.

    Raises
    ------
    ValueError
        If it says no number above 0.
    """
    written = os.environ.get("SPARSE_RANK_VISITOR_JOBS") or str(MOST_JOBS)
    if not written.isdecimal() or int(written) == 0:
        msg = f"SPARSE_RANK_VISITOR_JOBS must be a number above 0, not {written!r}"
        raise ValueError(msg)
    return int(written)


def _refusal(most: int) -> str:
    """What a visitor reads who asks for one job too many."""
    under_way = "A computation of yours is" if most == 1 else f"{most} computations of yours are"
    return f"{under_way} running, and this server allows no more at a time: stop one, or wait until it is finished."


@Single
def board() -> JobBoard:
    """The one board of this server."""
    # Pages and fits share the interpreter. By default a fit waits up to 5 ms for it after every compiled kernel.
    sys.setswitchinterval(5e-4)
    return JobBoard(
        is_here,
        _prepare,
        most_jobs=most_jobs(),
        own_process=fits_have_a_process(),
        uploads=uploads_used,
        browser=visitor_id,
    )


def ask_for(
    key: str, make: Callable[[], RunType], *, new: bool = False, delay: float = 0.0, **how: Any
) -> Job[RunType]:
    """This visitor's job for work, as `JobBoard.ask`; ``new``: in place of what there is of it; ``how``: of `Task`."""
    job = Job(Task(key, make, **how), session_id(), delay=delay)
    return board().submit(job) if new else board().ask(job)


def job_for(key: str) -> Job[Any] | None:
    """This visitor's job for work that has been asked for, as `JobBoard.find`; starts nothing new."""
    return board().find(key, session_id())


def _prepare(kernels_elsewhere: bool) -> None:
    """Make the usual kernels ready where no process does, and import what the first page does without."""
    if not kernels_elsewhere:
        for _ in usual_parts():
            pass
    use_one_blas_thread()
    for name in ("pandas", "scipy.stats"):
        import_module(name)
