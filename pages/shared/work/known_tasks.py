"""The tasks that a board remembers, each visitor's view of them, and which of them are forgotten."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from pages.shared.work.jobs import ACTIVE, Job, Task

WATCHED_TASKS, UNWATCHED_TASKS = 240, 60
"""Tasks at rest that the board remembers: in all, and of visitors who have gone."""
MOST_VIEWS = 100
"""Of one task, before those of visitors who have gone are forgotten."""


class KnownTasks:
    """Tasks by their keys, and jobs by visitor and key. The caller holds the board's lock.

    Parameters
    ----------
    alive : callable
        Whether a visitor is here.
    uploads : callable
        The digests of the uploads that the page which asks has used.

    Attributes
    ----------
    jobs : dict
        By visitor and key.
    """

    def __init__(self, alive: Callable[[str], bool], uploads: Callable[[], frozenset[str]]) -> None:
        self._alive, self._uploads = alive, uploads
        self._tasks: OrderedDict[str, Task[Any]] = OrderedDict()
        self.jobs: dict[tuple[str, str], Job[Any]] = {}

    def task(self, key: str) -> Task[Any] | None:
        """The task of a key."""
        return self._tasks.get(key)

    def seen(self, key: str, owner: str) -> Job[Any] | None:
        """The visitor's own job, whose task has been asked for now."""
        own = self.jobs.get((owner, key))
        if own is not None and self._tasks.get(key) is own.task:
            self._tasks.move_to_end(key)
        return own

    def register(self, job: Job[Any]) -> None:
        """Remember a job and its task."""
        task = job.task
        self.jobs[(job.owner, job.key)] = job
        self._tasks[job.key] = task
        self._tasks.move_to_end(job.key)
        task.uploads |= self._uploads() or {""}
        if len(task.views) > MOST_VIEWS:
            for view in [view for view in task.views if view is not job and not self._alive(view.owner)]:
                self.forget_view(view)

    def only_of_upload(self, digest: str) -> list[Task[Any]]:
        """The tasks that were asked for with an upload that is gone, and with no other data."""
        of_it = [task for task in self._tasks.values() if digest in task.uploads]
        for task in of_it:
            task.uploads.discard(digest)
        return [task for task in of_it if not task.uploads]

    def forget_oldest(self) -> None:
        """Forget tasks at rest that are too many, those of visitors who have gone first."""
        resting = [task for task in self._tasks.values() if task.state not in ACTIVE]
        left = [task for task in resting if not any(self._alive(view.owner) for view in task.views)]
        forgotten = left[: max(len(left) - UNWATCHED_TASKS, 0)]
        watched = [task for task in resting if task not in left]
        forgotten += watched[: max(len(resting) - len(forgotten) - WATCHED_TASKS, 0)]
        for task in forgotten:
            self.forget(task)

    def forget(self, task: Task[Any]) -> None:
        """Forget a task and all views of it."""
        del self._tasks[task.key]
        for view in list(task.views):
            self.forget_view(view)

    def forget_view(self, view: Job[Any]) -> None:
        """Forget a visitor's view of a task."""
        view.task.views.remove(view)
        if self.jobs.get((view.owner, view.key)) is view:
            del self.jobs[(view.owner, view.key)]
