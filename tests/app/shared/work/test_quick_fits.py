"""Fits in passing: how long a page waits for one, and by which clock.

One job of a kind at a time, and results that outlast their visitor.
Work that takes long shows its panel in place of its result.
What a screen reader is told when work has ended: each end once, and none that a person has caused.
"""

import time
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core import open_dataset
from core.analysis.path import PathPoint
from core.methods import MethodRun, get_method
from core.solvers import Stop
from core.work import Steps
from pages.shared import headline
from pages.shared.work import panel, quick_fits, status, stepwise
from pages.shared.work.board import board
from pages.shared.work.jobs import Job, Task
from pages.shared.work.quick_fits import in_passing, out_of_time
from tests.app.fitting import planted, until


def _run() -> MethodRun:
    method = get_method("l1")
    training = method.training(open_dataset("planted").fold(1).train)
    return method.run(training, training.lam_at(0.1))


def test_a_fit_that_waits_for_the_processor_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many click, the clock counts their work, too: an unfinished fit is kept for nobody else."""
    monkeypatch.setattr(quick_fits, "QUICK_SECONDS", 0.25)
    advance = MethodRun.advance

    def waits(run: MethodRun) -> None:
        time.sleep(0.1)  # others have the processor
        advance(run)

    undisturbed = _run().finish()
    monkeypatch.setattr(MethodRun, "advance", waits)
    fit = in_passing(_run())
    assert fit.result.steps * 0.1 > 0.25, "it has waited for longer than it may work"
    assert fit.result.stop == "converged"
    assert (fit.weights == undisturbed.weights).all()


@pytest.mark.parametrize("limit", ["QUICK_SECONDS", "WAITED_SECONDS"])
def test_a_fit_ends_at_either_limit(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(quick_fits, limit, 0.0)
    fit = in_passing(_run())
    assert (fit.result.steps, fit.result.stop) == (0, "time limit")


@pytest.mark.parametrize(("seconds", "again"), [(0.3, True), (1.2, False)])
def test_a_fit_that_others_kept_from_ending_is_tried_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch, seconds: float, again: bool
) -> None:
    loaded = planted()
    method = get_method("l1")
    cut = in_passing(method.run(loaded.training, loaded.lam, stop=Stop(max_seconds=0.0)))
    whole = in_passing(method.run(loaded.training, loaded.lam))
    judgement = loaded.judge.judgement(whole.weights)
    coming = [(PathPoint(cut, judgement), seconds), (PathPoint(whole, judgement), 0.01)]
    monkeypatch.setattr(headline, "quick_fit", lambda *_: coming.pop(0))
    monkeypatch.setattr(headline.st, "session_state", {})
    first = headline._quick_fit(loaded, None)
    assert out_of_time(first)
    assert headline._quick_fit(loaded, None) is first  # it is not fitted again at once
    monkeypatch.setattr(headline, "TRIED_AGAIN", 0.0)
    assert out_of_time(headline._quick_fit(loaded, None)) != again


def test_asking_for_another_sets_the_one_before_aside_until_one_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Job[Steps[int]]] = {}
    monkeypatch.setattr(panel.st, "session_state", session)
    first, second = (board().submit(Job(Task(key, lambda: Steps(iter(int, 1), 10**6)), "")) for key in "ab")
    panel.make_latest(first, "kind")
    for latest, other in ((second, first), (first, second)):
        for _ in range(2):
            panel.make_latest(latest, "kind")
        assert session["kind"] is latest
        assert (latest.active, latest.task.halt.is_set(), other.task.halt.is_set()) == (True, False, True)
    panel.make_latest(None, "kind")
    assert first.task.halt.is_set()


@pytest.fixture(autouse=True)
def impatient(nothing_left_over: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As people have it: what takes longer than this shows its progress."""
    monkeypatch.setattr(stepwise, "PATIENCE", 0.6)


def page(key: str, n_steps: int, pause: float) -> None:
    import time as clock

    import streamlit as st

    from core.work import Steps
    from pages.shared.work.stepwise import finished

    def counting():  # type: ignore[no-untyped-def]
        for k in range(n_steps):
            clock.sleep(pause)
            yield k

    run = finished(key, lambda: Steps(counting(), n_steps), "Counting")
    if run is not None:
        st.markdown(f"All of {run.found}")


def open_page(key: str, n_steps: int, pause: float) -> AppTest:
    app = AppTest.from_function(page, kwargs={"key": key, "n_steps": n_steps, "pause": pause}, default_timeout=300)
    return app.run()


def test_what_is_quick_is_there_at_once_and_what_is_slow_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patient:
        patient.setattr(stepwise, "PATIENCE", 60.0)
        open_page("warm", 1, 0.0)  # the first job of a server waits for its kernels
    app = open_page("quick", 3, 0.0)
    assert app.markdown[0].value == "All of [0, 1, 2]"
    assert not app.button
    app = open_page("slow", 30, 0.05)
    assert not app.markdown
    assert [button.key for button in app.button] == ["steps_stop"]
    until(lambda: bool(app.run().markdown))
    assert app.markdown[0].value == f"All of {list(range(30))}"


def test_the_end_of_work_is_said_once_and_a_stop_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status.st, "session_state", {})
    one, two = (SimpleNamespace(key=key, active=True, state="running") for key in "ab")

    told = status.ended_attributes
    status.say_when_ended([one, two], lambda: 'Fit "converged".')
    assert told() == 'data-ended="0" data-words=""'
    one.active, one.state = False, "finished"
    assert told() == 'data-ended="0" data-words=""', "the other goes on"
    two.active, two.state = False, "paused"
    ended = 'data-ended="1" data-words="Fit &quot;converged&quot;."'
    assert [told(), told()] == [ended, ended]
    status.say_when_ended([two], lambda: "Stopped.")
    assert told() == ended
    status.say_when_ended([one], lambda: "Path, ready.")
    assert told() == 'data-ended="2" data-words="Path, ready."'
