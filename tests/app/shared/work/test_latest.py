"""One job of a kind at a time, and results that outlast their visitor."""

from __future__ import annotations

import threading

from streamlit.testing.v1 import AppTest

from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from tests.app.fitting import assert_fine, until


def gated(gate: threading.Event) -> Job:
    from core.work import Steps

    def steps():  # type: ignore[no-untyped-def]
        while True:
            gate.wait(30)
            yield 0

    return board().submit(Job(key=str(id(gate)), owner="", make=lambda: Steps(steps(), 10**6)))


def look(job) -> None:  # type: ignore[no-untyped-def]
    from pages.shared.work.latest import make_latest

    make_latest(job, "kind_job")


def shown(app: AppTest | None, job: Job | None) -> AppTest:
    """The page with this job, in the session of ``app``."""
    later = AppTest.from_function(look, kwargs={"job": job})
    if app is not None:
        later.session_state["kind_job"] = app.session_state["kind_job"]
    later.run()
    assert_fine(later)
    return later


def test_asking_for_another_stops_the_one_before_and_looking_again_does_not() -> None:
    gate = threading.Event()
    gate.set()
    first = gated(gate)
    until(lambda: first.run is not None and first.run.count > 0)
    app = shown(shown(None, first), first)
    assert first.active
    assert not first.task.halt.is_set()
    closed = threading.Event()
    second = gated(closed)
    app = shown(app, second)
    until(lambda: first.state == "paused")
    assert second.active
    assert app.session_state["kind_job"] is second
    shown(app, None)
    assert second.task.halt.is_set()
    closed.set()
