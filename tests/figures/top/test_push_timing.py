"""Figure 3 as drawn: what was given up is open, exponents are named, the title compares like with like."""

from __future__ import annotations

from core.experiments.infinite_push.push_timing import ADMM, EXACT, TimingCurve
from core.figures.top.push_timing import timing_figure, timing_sentence
from tests.says import assert_says

FAST = TimingCurve(EXACT, 20, (400, 1600, 6400), (0.01, 0.02, 0.04), (True, True, True), 0.5)
SLOW = TimingCurve(ADMM, 20, (400, 1600), (1.0, 4.0), (True, True), 1.0)


def test_fewer_noisy_features_are_solid_more_are_dotted_and_what_was_given_up_is_open() -> None:
    more = TimingCurve(ADMM, 100, (400, 1600), (2.0, 5.0), (True, False), None)
    figure = timing_figure([FAST, more])
    solid, dotted = figure.data
    assert (solid.line.dash, dotted.line.dash) == ("solid", "dot")
    assert (list(dotted.x), list(dotted.y)) == ([400, 1600], [2.0, 5.0])
    assert [symbol.endswith("-open") for symbol in dotted.marker.symbol] == [False, True]
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    exact, admm = (note.text for note in figure.layout.annotations)
    assert_says(exact, "ℓ1 infinite push, exact", "20 noisy", "pairs<sup>0.50</sup>")
    assert_says(admm, "ℓ1 infinite push, ADMM", "100 noisy")
    assert "<sup>" not in admm


def test_the_title_compares_both_solvers_on_the_largest_problem_of_both() -> None:
    said = timing_sentence([FAST, SLOW])
    assert_says(said, "1,600 pairs", "exact infinite push", "20 ms", "ADMM", "200 times")
    assert "at least" not in said


def test_a_solver_that_was_given_up_took_at_least_that_long() -> None:
    given_up = TimingCurve(ADMM, 20, (400, 1600), (1.0, 5.0), (True, False), None)
    assert_says(timing_sentence([FAST, given_up]), "ADMM", "at least 250 times")


def test_without_admm_the_title_is_the_exponent() -> None:
    assert_says(timing_sentence([FAST]), "ℓ1 infinite push, exact", "pairs", "power", "0.50")
    assert_says(timing_sentence([]), "Nothing")
    assert not timing_figure([]).data
