"""Which work waits, who comes next and how long it takes; which is remembered, and each visitor's view of it."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.work import duration
from pages.shared.work.jobs import ACTIVE, Job, Line, Task

ORPHAN_SECONDS = 20.0
"""How long work goes on for a visitor who has gone: a page that is loaded anew is a new visitor."""
TURN_SECONDS = 1.0
"""After so long, work gives way to that of a visitor whose last turn is longer ago."""
WATCHED_TASKS, UNWATCHED_TASKS = 240, 60
"""Tasks at rest that the board remembers: in all, and of visitors who have gone."""
MOST_VIEWS = 100
"""Of one task, before those of visitors who have gone are forgotten."""


@dataclass(frozen=True)
class Waiting:
    """What a visitor waits for."""

    place: int  # in line: 1 for the next to run, 0 where nothing waits
    seconds: float | None = None  # until it begins, as far as it can be told

    @property
    def words(self) -> str:
        """Such as "number 3 in line, about 8 s"; empty where nothing waits."""
        if not self.place:
            return ""
        wait = "" if self.seconds is None else f", {duration(self.seconds)}"
        return f"number {self.place} in line{wait}"


class WaitingLine:
    """What waits and what is at work. The caller holds the board's lock.

    Parameters
    ----------
    alive : callable
        Whether a visitor is here.
    workers : dict of {"fits", "runs"} to int
        How many serve each line.
    clock : callable
        The time in seconds.
    """

    def __init__(
        self, alive: Callable[[str], bool], workers: Mapping[Line, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._alive = alive
        self._clock = clock
        self.workers = workers
        self._waiting: list[Task[Any]] = []
        self._at_work: list[Task[Any]] = []
        self._arrivals, self._turns = itertools.count(), itertools.count(1)
        self._last_turns: dict[str, int] = {}
        self._usual_seconds: float | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def every(self) -> list[Task[Any]]:
        """What is at work or waits."""
        return self._at_work + self._waiting

    def present(self, task: Task[Any]) -> list[str]:
        """The visitors who wait for a task and are here."""
        return [visitor for visitor in task.watchers if self._alive(visitor)]

    def add(self, task: Task[Any]) -> None:
        """Put a task at the end."""
        task.halt.clear()
        task.state, task.left, task.due, task.seen = "queued", False, 0.0, self._clock()
        task.arrival = next(self._arrivals)
        self._waiting.append(task)

    def take(self, line: Line) -> Task[Any] | None:
        """The next task that may go on, which is at work then."""
        self._let_the_left_rest()
        ready = self._ready(line)
        if not ready:
            return None
        task = min(ready, key=self._rank)
        self._waiting.remove(task)
        self._at_work.append(task)
        task.state = "running"
        return task

    def put_back(self, task: Task[Any], *, after: float = 0.0) -> None:
        """A task whose turn is over waits where it stood; one that pauses between steps for so many seconds runs on."""
        self._at_work.remove(task)
        task.state = "running" if after else "queued"
        task.due = self._clock() + after
        self._waiting.append(task)
        if task.halt.is_set():
            self.rest(task)

    def end(self, task: Task[Any]) -> None:
        """A task has come to rest."""
        self._at_work.remove(task)
        if task.state == "finished" and not task.patient:
            before = self._usual_seconds
            self._usual_seconds = task.seconds if before is None else 0.7 * before + 0.3 * task.seconds

    def rest(self, task: Task[Any]) -> None:
        """Take a task out that waits."""
        if task in self._waiting:
            self._waiting.remove(task)
            task.state = "paused"

    def charge(self, task: Task[Any], seconds: float) -> None:
        """A turn of so many seconds is over: all others who are here come before those who wait for this."""
        task.seconds += seconds
        turn = next(self._turns)
        here = {visitor: last for visitor, last in self._last_turns.items() if self._alive(visitor)}
        self._last_turns = here | dict.fromkeys(self.present(task), turn)

    def abandoned(self, task: Task[Any]) -> bool:
        """Whether no session has waited for a task for a while."""
        return not self._waited_for(task) and self._clock() - task.seen > ORPHAN_SECONDS

    def gives_way(self, task: Task[Any], begun: float) -> bool:
        """Whether others go on first: after a turn, at once where nobody waits for it, or where it is patient."""
        if task.line != "fits":
            return False
        first = task.is_patient or not self._waited_for(task) or self._clock() - begun >= TURN_SECONDS
        return first and any(not other.is_patient for other in self._ready(task.line))

    def seconds_to_next(self) -> float | None:
        """When something that pauses between steps is due, if anything does."""
        return min(
            (max(task.due - self._clock(), 0.0) for task in self._waiting if task.state == "running"), default=None
        )

    def waiting(self, task: Task[Any]) -> Waiting:
        """The place of a task, and how long it may take until it begins."""
        if task not in self._waiting or task.state != "queued":
            return Waiting(0)
        before = [other for other in self._ready(task.line) if self._rank(other) < self._rank(task)]
        ahead = [other for other in self._at_work if other.line == task.line] + before
        return Waiting(len(before) + 1, self._seconds_for(ahead, task.line))

    def _ready(self, line: Line) -> list[Task[Any]]:
        """What waits and may begin."""
        now = self._clock()
        return [task for task in self._waiting if task.line == line and task.due <= now and self._waited_for(task)]

    def _waited_for(self, task: Task[Any]) -> bool:
        if any(self._alive(visitor) for visitor in task.watchers):
            task.seen = self._clock()
            return True
        return False

    def _rank(self, task: Task[Any]) -> tuple[bool, int, bool, int]:
        """First comes who was served least recently, of all who wait for the same."""
        last = min((self._last_turns.get(visitor, 0) for visitor in self.present(task)), default=0)
        return task.is_patient, last, not task.is_prompt, task.arrival

    def _seconds_for(self, tasks: Sequence[Task[Any]], line: Line) -> float | None:
        left = [self._seconds_left(task) for task in tasks]
        known = [seconds for seconds in left if seconds is not None]
        return sum(known) / self.workers[line] if len(known) == len(left) else None

    def _seconds_left(self, task: Task[Any]) -> float | None:
        left = task.run.seconds_left if task.run is not None else None
        return self._usual_seconds if left is None else float(left)

    def _let_the_left_rest(self) -> None:
        for task in [task for task in self._waiting if self.abandoned(task)]:
            self.rest(task)
            task.left = True


class KnownTasks:
    """Tasks by their keys, and jobs by visitor and key. The caller holds the board's lock.

    Parameters
    ----------
    alive : callable
        Whether a visitor is here.
    uploads : callable
        The digests of the uploads that the page which asks has used.
    """

    def __init__(self, alive: Callable[[str], bool], uploads: Callable[[], frozenset[str]]) -> None:
        self._alive, self._uploads = alive, uploads
        self._tasks: OrderedDict[str, Task[Any]] = OrderedDict()
        self.jobs: dict[tuple[str, str], Job[Any]] = {}  # by visitor and key

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
