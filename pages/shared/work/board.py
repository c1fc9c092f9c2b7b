"""Fits that run beside the pages: queued, watched, stopped, continued, and found again after a reload.

A job belongs to the session that asked for it. A page reload makes a new session: it adopts the job that was made for
the same problem once the old session has gone. A job whose session is gone and that nobody adopts is paused, and keeps
what it has reached. Workers touch plain job objects only; pages read them.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, Literal, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.data import DataError
from core.warm_up import warm_up
from core.work import Extendable, Work

State = Literal["queued", "running", "paused", "finished", "failed"]
ACTIVE: tuple[State, ...] = ("queued", "running")

WORKERS = 2
KEPT_JOBS = 60
ORPHAN_SECONDS = 20.0
FIRST_PAGE_SECONDS = 3.0

_log = logging.getLogger(__name__)


RunType = TypeVar("RunType", bound=Work)


def _nothing(run: object) -> None:
    """Most work holds nothing while it rests."""


@dataclass(eq=False)
class Job(Generic[RunType]):
    """Work and where it stands.

    ``delay`` is the pause between steps, in seconds, for people who want to watch. A ``patient`` job works while no
    other waits: nobody asked for it, and it gives way after every step. ``let_go`` is called whenever the
    work comes to rest, paused, finished or failed: it gives back what only work under way may hold, processes for
    instance.
    """

    key: str
    owner: str
    make: Callable[[], RunType]
    delay: float = 0.0
    let_go: Callable[[RunType], None] = _nothing
    patient: bool = False
    state: State = "queued"
    problem: str = ""
    run: RunType | None = None
    halt: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.state in ACTIVE


class JobBoard:
    """All jobs of the server: a few run, the rest wait in line.

    ``trouble`` says in a sentence why workers could not prepare; they work all the same.
    """

    def __init__(
        self, session_alive: Callable[[str], bool], prepare: Callable[[], None] | None = None, workers: int = WORKERS
    ) -> None:
        self._alive = session_alive
        self._prepare = prepare
        self.trouble = ""
        self._jobs: OrderedDict[tuple[str, str], Job[Any]] = OrderedDict()
        self._line: deque[Job[Any]] = deque()
        self._changed = threading.Condition()
        self._preparing = threading.Lock()
        for number in range(workers):
            threading.Thread(target=self._work, name=f"fit-{number}", daemon=True).start()

    def submit(self, job: Job[RunType]) -> Job[RunType]:
        """Put a job in line, in place of one of the same owner for the same problem."""
        with self._changed:
            old = self._jobs.pop((job.owner, job.key), None)
            if old is not None:
                old.halt.set()
            self._jobs[(job.owner, job.key)] = job
            self._line.append(job)
            self._forget_oldest()
            self._changed.notify()
        return job

    def keep(self, job: Job[RunType]) -> Job[RunType]:
        """Keep a job that is finished already, so that it is found like any other."""
        with self._changed:
            self._jobs[(job.owner, job.key)] = job
            self._forget_oldest()
        return job

    def resume(self, job: Job[Any]) -> None:
        """Go on from the last step; work that had stopped at a limit gets as much again."""
        with self._changed:
            if job.active or job.state == "failed":
                return
            if isinstance(job.run, Extendable):
                job.run.extend()
            job.halt.clear()
            job.state = "queued"
            self._line.append(job)
            self._changed.notify()

    def stop(self, job: Job[Any]) -> None:
        """Stop after the step under way. Stopping twice is stopping once."""
        job.halt.set()
        with self._changed:
            if job in self._line:
                self._line.remove(job)
                job.state = "paused"

    def find(self, key: str, owner: str) -> Job[Any] | None:
        """The owner's job for a problem, else one whose own session has gone, which changes hands."""
        with self._changed:
            own = self._jobs.get((owner, key))
            if own is not None:
                return own
            for (former, other_key), job in reversed(self._jobs.items()):
                if other_key == key and not self._alive(former):
                    del self._jobs[(former, key)]
                    job.owner = owner
                    self._jobs[(owner, key)] = job
                    return job
        return None

    def place_in_line(self, job: Job[Any]) -> int:
        """1 for the next to run; 0 where it does not wait."""
        with self._changed:
            return self._line.index(job) + 1 if job in self._line else 0

    def _forget_oldest(self) -> None:
        idle = [key for key, job in self._jobs.items() if not job.active]
        for key in idle[: max(len(self._jobs) - KEPT_JOBS, 0)]:
            del self._jobs[key]

    def _work(self) -> None:
        self._get_ready()
        while True:
            with self._changed:
                while not self._line:
                    self._changed.wait()
                job = next((job for job in self._line if not job.patient), self._line[0])
                self._line.remove(job)
                job.state = "running"
            try:
                reached = self._outcome(job)
            except DataError as error:  # an answer in a sentence
                sentence = str(error).rstrip(".")
                job.problem, reached = f"{sentence[:1].upper()}{sentence[1:]}.", "failed"
            except Exception as error:
                _log.exception("a fit failed")
                job.problem = f"The fit failed: {error}" if str(error) else f"The fit failed ({type(error).__name__})."
                reached = "failed"
            if reached == "queued":
                self._wait_again(job)
            else:
                job.state = reached

    def _wait_again(self, job: Job[Any]) -> None:
        with self._changed:
            job.state = "paused" if job.halt.is_set() else "queued"
            if job.state == "queued":
                self._line.append(job)
                self._changed.notify()

    def _get_ready(self) -> None:
        """Before the first job comes. Giving up where it fails would leave every fit waiting in line.

        A moment is left to the first page, which may need no worker. One worker prepares for all.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._line, timeout=FIRST_PAGE_SECONDS)
        with self._preparing:
            prepare, self._prepare = self._prepare, None
            if prepare is None:
                return
            try:
                prepare()
            except Exception as error:
                _log.exception("preparing for fits failed")
                self.trouble = f"Compiled code could not be made ready ({str(error) or type(error).__name__})."

    def _outcome(self, job: Job[Any]) -> State:
        """Work until the job comes to rest, and give back what it held."""
        try:
            return self._advance(job)
        finally:
            if job.run is not None:
                job.let_go(job.run)

    def _advance(self, job: Job[Any]) -> State:
        if job.run is None:
            job.run = job.make()
        seen = time.monotonic()
        while not job.run.done:
            if job.halt.is_set():
                return "paused"
            if job.patient and any(not other.patient for other in list(self._line)):
                return "queued"
            job.run.advance()
            now = time.monotonic()
            if self._alive(job.owner):
                seen = now
            elif now - seen > ORPHAN_SECONDS:
                return "paused"
            if job.delay:
                job.halt.wait(job.delay)
        return "finished"


def _session_alive(session: str) -> bool:
    return runtime.exists() and runtime.get_instance().is_active_session(session)


@st.cache_resource(show_spinner=False)
def board() -> JobBoard:
    """The one board of this server."""
    # Pages and fits share the interpreter. By default a fit waits up to 5 ms for it after every compiled kernel.
    sys.setswitchinterval(5e-4)
    return JobBoard(_session_alive, _prepare)


def _prepare() -> None:
    """Make kernels ready, and import what the first page does without but others want."""
    warm_up()
    for name in ("pandas", "scipy.stats"):
        import_module(name)


def session_id() -> str:
    """Who is looking."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""
