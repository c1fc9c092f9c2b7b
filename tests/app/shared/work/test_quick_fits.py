"""Fits in passing: how long a page waits for one, and by which clock.

One job of a kind at a time, and results that outlast their visitor.
"""

from __future__ import annotations

import time

import pytest

from core import open_dataset
from core.analysis.path import PathPoint
from core.methods import MethodRun, get_method
from core.solvers import Stop
from core.work import Steps
from pages.shared import headline
from pages.shared.work import panel, quick_fits
from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from pages.shared.work.quick_fits import QuickFit, in_passing
from tests.app.shared.choice.test_loaded import some_choice


def _run() -> MethodRun:
    method = get_method("l1")
    training = method.training(open_dataset("planted").fold(1).train)
    return method.run(training, training.lam_at(0.1))


def test_a_fit_that_waits_for_the_processor_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many click, the clock counts their work, too: an unfinished fit is kept for nobody else."""
    monkeypatch.setattr(quick_fits, "QUICK_SECONDS", 0.5)
    advance = MethodRun.advance

    def waits(run: MethodRun) -> None:
        time.sleep(0.3)  # others have the processor
        advance(run)

    undisturbed = _run().finish()
    monkeypatch.setattr(MethodRun, "advance", waits)
    fit = in_passing(_run())
    assert fit.result.steps > 2
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
    loaded = some_choice()
    method = get_method("l1")
    cut = in_passing(method.run(loaded.training, loaded.lam, stop=Stop(max_seconds=0.0)))
    whole = in_passing(method.run(loaded.training, loaded.lam))
    judgement = loaded.judge.judgement(whole.weights)
    coming = [QuickFit(PathPoint.of(cut, judgement), seconds), QuickFit(PathPoint.of(whole, judgement), 0.01)]
    monkeypatch.setattr(headline, "quick_fit", lambda *_: coming.pop(0))
    monkeypatch.setattr(headline.st, "session_state", {})
    first = headline._quick_fit(loaded, None)
    assert first is not None
    assert first.out_of_time
    assert headline._quick_fit(loaded, None) is first  # it is not fitted again at once
    monkeypatch.setattr(headline, "TRIED_AGAIN", 0.0)
    second = headline._quick_fit(loaded, None)
    assert second is not None
    assert second.out_of_time != again


def test_asking_for_another_stops_the_one_before_and_looking_again_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Job[Steps[int]]] = {}
    monkeypatch.setattr(panel.st, "session_state", session)
    first, second = (board().submit(Job(key, "", lambda: Steps(iter(int, 1), 10**6))) for key in "ab")
    for _ in range(2):
        panel.make_latest(first, "kind")
    assert not first.task.halt.is_set()
    panel.make_latest(second, "kind")
    assert session["kind"] is second
    assert (first.task.halt.is_set(), second.task.halt.is_set()) == (True, False)
    panel.make_latest(None, "kind")
    assert second.task.halt.is_set()
