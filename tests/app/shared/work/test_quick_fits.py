"""Fits in passing: how long a page waits for one, and by which clock."""

from __future__ import annotations

import time

import pytest

from core import open_dataset
from core.methods import MethodRun, get_method
from pages.shared.work import quick_fits
from pages.shared.work.quick_fits import in_passing


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
