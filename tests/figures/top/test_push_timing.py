"""Figure 3 as drawn: what was given up is open, exponents are named, the title compares like with like."""

from __future__ import annotations

from core.experiments.infinite_push.push_timing import ADMM, EXACT, TimingCurve
from core.figures.top.push_timing import timing_figure, timing_sentence

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
    labels = [note.text.strip() for note in figure.layout.annotations]
    assert labels == ["ℓ1 infinite push, exact (20 noisy): pairs<sup>0.50</sup>", "ℓ1 infinite push, ADMM (100 noisy)"]


def test_the_title_compares_both_solvers_on_the_largest_problem_of_both() -> None:
    assert timing_sentence([FAST, SLOW]) == "At 1,600 pairs the exact infinite push takes 20 ms, ADMM 200 times that"


def test_a_solver_that_was_given_up_took_at_least_that_long() -> None:
    given_up = TimingCurve(ADMM, 20, (400, 1600), (1.0, 5.0), (True, False), None)
    assert timing_sentence([FAST, given_up]).endswith("ADMM at least 250 times that")


def test_without_admm_the_title_is_the_exponent() -> None:
    assert timing_sentence([FAST]) == "Time of the ℓ1 infinite push, exact grows as pairs to the power 0.50"
    assert timing_sentence([]) == "Nothing has been timed yet"
    assert not timing_figure([]).data
