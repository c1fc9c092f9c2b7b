"""A computation that visitors share, and one visitor's view of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from core.work import Extendable, Work
from pages.shared.work.process.fits import RemoteRun

State = Literal["queued", "running", "paused", "finished", "failed"]
ACTIVE: tuple[State, ...] = ("queued", "running")
Line = Literal["fits", "runs"]
"""Where work waits: ``fits`` are computed by the board's own workers in turns, ``runs`` have worker processes of their
own and only need somebody to watch over them."""

RunType = TypeVar("RunType", bound=Work)


def _no_more() -> Any:
    msg = "this work has been made already"
    raise RuntimeError(msg)


@dataclass(eq=False)
class Task(Generic[RunType]):
    """Work and its state, shared by all sessions that asked for it."""

    key: str  # sessions that ask for the same work have the same: it names data, method and settings by their content
    # Prepares the work; called once, beside the pages. Where the work travels, it is pickled: a function or class of a
    # module, or the method of a value, with plain values.
    make: Callable[[], RunType]
    # Called whenever the work comes to rest, paused, finished or failed: it gives back what only work under way may
    # hold, processes for instance.
    let_go: Callable[[RunType], None] = lambda run: None
    # Called once the work is finished, to keep its result for the next server.
    keep: Callable[[RunType], None] = lambda run: None
    # No visitor has asked for patient work: it runs while no other work waits, and gives way after every step.
    patient: bool = False
    # Takes the run, None before it has been made. Whether the work, as far as it has come, is done before the visitor's
    # other work, patient or not: a page shows its short beginning.
    prompt: Callable[[RunType | None], bool] = lambda run: False
    line: Line = "fits"
    state: State = "queued"
    problem: str = ""
    run: RunType | None = None
    halt: threading.Event = field(default_factory=threading.Event)
    views: list[Job[RunType]] = field(default_factory=list)  # of all visitors who have asked for it
    # Whether the program set it to rest, as all its visitors had gone or other work came first; false if a visitor did.
    left: bool = False
    stopped_by: str = ""  # the browser of the visitor who stopped it last
    arrival: int = 0  # when it came into the line, compared with others
    due: float = 0.0  # the clock's time before which no step is taken
    seen: float = 0.0  # when a visitor was last known to wait for it
    seconds: float = 0.0  # spent on it so far
    # Whether the process that computes may have what waits in line for ``fits``. What needs the server's own objects
    # cannot go there: uploads, open files.
    travels: bool = True
    # Called with the run whenever there is more of it, to give its results to all pages.
    publish: Callable[[RunType], None] = lambda run: None
    remote: RemoteRun | None = None  # the work in that process; ``run`` is then a copy of it, exact while it rests
    lost: int = 0  # how often it was lost meanwhile
    # The digests of the uploads that it was asked for with; "" for data of the server's own.
    uploads: set[str] = field(default_factory=set)
    computed_there: bool = False  # whether that process has computed any of it

    def begun(self) -> RunType:
        """The run, which is made where it has not been; what it was made from is then let go."""
        if self.run is None:
            self.run = self.make()
        self.make = _no_more
        return self.run

    def show(self, run: RunType) -> None:
        """Let pages see the work as it stands in the process that computes."""
        self.run = run
        self.publish(run)

    def stop(self) -> None:
        """Come to rest after the step under way."""
        self.halt.set()
        if self.remote is not None:
            self.remote.stop()

    def extend(self) -> None:
        """Raise a limit that the work has reached, if it has limits."""
        if self.remote is not None:
            if self.remote.extendable:
                self.remote.extend()
        elif isinstance(self.run, Extendable):
            self.run.extend()

    @property
    def rests(self) -> bool:
        """Whether it has come to rest before its end, or will after the step under way."""
        return self.state == "paused" or (self.state in ACTIVE and self.halt.is_set())

    @property
    def watchers(self) -> list[str]:
        """The visitors who have not stopped, present or not."""
        return [view.owner for view in self.views if not view.stopped]

    @property
    def is_prompt(self) -> bool:
        """Whether it is done before the visitor's other work by now."""
        return self.prompt(self.run)

    @property
    def is_patient(self) -> bool:
        """Whether it waits for all other work by now."""
        return self.patient and not self.is_prompt

    @property
    def delay(self) -> float:
        """The pause between steps, in seconds: that of the visitor who wants the shortest."""
        return min((view.delay for view in self.views if not view.stopped), default=0.0)


class Job(Generic[RunType]):
    """A visitor's view of a task. It stands where the task does, but rests once this visitor has stopped.

    Parameters
    ----------
    task : Task
    owner : str
        The visitor's session.
    delay : float
        The pause between steps, in seconds, for people who want to watch.
    """

    def __init__(self, task: Task[RunType], owner: str, *, delay: float = 0.0) -> None:
        self.task, self.key, self.owner, self.delay = task, task.key, owner, delay
        self.stopped = False  # whether this visitor has stopped watching
        self.put_aside = False  # whether other work of this visitor has stopped it, without a question
        task.views.append(self)

    def watch(self, task: Task[RunType]) -> None:
        """Look at this task from now on."""
        if self.task is not task:
            self.task = task
            task.views.append(self)

    @property
    def state(self) -> State:
        """As of the task; paused for one who has stopped what others go on with."""
        state = self.task.state
        goes_on = state in ACTIVE and not self.task.halt.is_set()
        return "paused" if self.stopped and goes_on else state

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def aside(self) -> bool:
        """Whether it was put aside before its end; others may have gone on with it, to the end."""
        return self.put_aside and self.state != "finished"

    @property
    def run(self) -> RunType | None:
        return self.task.run

    @property
    def problem(self) -> str:
        """Why it has failed, in a sentence."""
        return self.task.problem


def wait_a_moment(job: Job[Any], patience: float, enough: Callable[[], bool] = lambda: False) -> None:
    """Wait for the end of a job, or until there is enough of it; so many seconds at most."""
    deadline = time.monotonic() + patience
    while job.active and not enough() and time.monotonic() < deadline:
        time.sleep(0.005)
