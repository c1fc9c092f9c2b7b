"""Running times: exponents of exact power laws, and what is not tried any more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data.toy import toy_problem
from core.experiments.infinite_push.push_timing import (
    ADMM,
    EXACT,
    RANK,
    Timing,
    TimingCell,
    TimingStudy,
    timing,
    timing_curves,
)
from core.experiments.run.cell_run import CellRun


def found(n_train: int, seconds: float, stop: str = "converged", trial: int = 0) -> Timing:
    return Timing(TimingCell(n_train, 20, trial, EXACT), seconds, 9, stop)


def test_the_exponent_of_a_power_law_of_the_pairs_is_found() -> None:
    (curve,) = timing_curves([found(n, 0.001 * (n * n / 4) ** 0.7) for n in (40, 80, 160)])
    assert curve.pairs == (400, 1600, 6400)
    assert curve.exponent == pytest.approx(0.7)


def test_what_was_given_up_is_drawn_but_bends_no_exponent_and_what_was_not_tried_is_not() -> None:
    timings = [found(40, 1.0), found(80, 4.0), found(160, 5.0, "time limit"), found(320, np.nan, "not tried")]
    (curve,) = timing_curves(timings)
    assert curve.seconds == (1.0, 4.0, 5.0)
    assert curve.converged == (True, True, False)
    assert curve.exponent == pytest.approx(1.0)


def test_a_curve_is_the_median_over_trials() -> None:
    (curve,) = timing_curves([found(40, s, trial=t) for t, s in enumerate((1.0, 9.0, 2.0))])
    assert (curve.seconds, curve.exponent) == ((2.0,), None)


def test_pairs_are_those_of_the_drawn_problem() -> None:
    for n in (40, 41):
        relevance = toy_problem(n_train=n, n_test=2).train.relevance
        assert TimingCell(n, 20, 0, EXACT).n_pairs == (relevance > 0).sum() * (relevance == 0).sum()


def test_no_more_pairs_than_a_solver_may_have_are_tried() -> None:
    cells = TimingStudy((400, 402), (20,), 1).cells
    assert {cell.n_train for cell in cells if cell.system == ADMM} == {400}
    assert {cell.n_train for cell in cells if cell.system == EXACT} == {400, 402}


def test_a_solver_that_ran_out_of_time_is_not_tried_on_more() -> None:
    hurried = replace(ADMM, most_seconds=0.0)
    first, larger, exact = CellRun(
        (TimingCell(20, 5, 0, hurried), TimingCell(30, 5, 0, hurried), TimingCell(30, 5, 0, EXACT)), timing, {}
    ).finish()
    assert (first.stop, larger.stop, exact.stop) == ("time limit", "not tried", "converged")
    assert np.isnan(larger.seconds)


def test_every_system_solves_a_small_problem() -> None:
    timings = CellRun(TimingStudy((20,), (5,), 1).cells, timing, {}).finish()
    assert [(t.cell.system, t.stop) for t in timings] == [(s, "converged") for s in (EXACT, ADMM, RANK)]
