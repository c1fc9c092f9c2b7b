"""The sentence over a race says what its table says, and its curves are those of solvers."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.solver_race import Standing
from core.figures.fit.convergence import convergence_figure
from core.figures.fit.race import race_curves, race_sentence
from core.figures.look.solver_styles import solver_style
from core.methods import Fit, get_method
from core.solvers import Certificate, FitResult, StopReason, TracePoint
from tests.says import assert_says

L1 = get_method("l1")


def standing(
    solver: str,
    *,
    seconds: float,
    steps: int,
    gap: float = 1e-7,
    stop: StopReason = "converged",
    objective: float = 0.5,
) -> Standing:
    found = Certificate("duality gap", gap, gap, among="")
    trace = tuple(TracePoint(k, 1.0 + k, found, seconds * k / steps, float(k), 3) for k in range(steps + 1))
    result = FitResult(L1.training, objective, found, stop, seconds, 3.0, trace)  # type: ignore[arg-type]
    fit = Fit("l1", solver, {}, 0.1, 1.0, 1.0, ("a",), result)
    return Standing(L1.solver(solver), fit, stop == "converged", stop == "stopped")


NEWTON = standing("proximal-newton", seconds=0.042, steps=5)
FISTA = standing("fista", seconds=0.030, steps=43)
SLOW = standing("subgradient", seconds=10.0, steps=900, gap=4e-2, stop="time limit")


def test_first_by_seconds_and_by_steps_are_said_apart_where_they_differ() -> None:
    words = race_sentence([FISTA, NEWTON, SLOW], 1e-6, 10.0)
    assert_says(words, "FISTA, backtracking and restart", "gap", "1e-6", "first", "30 ms")
    assert_says(words, "first", "30 ms", "proximal Newton", "fewest steps", "5", "1 of 3", "10 s")


def test_one_that_is_first_by_both_is_said_once() -> None:
    fast = standing("proximal-newton", seconds=0.01, steps=5)
    words = race_sentence([fast, FISTA], 1e-6, 10.0)
    assert_says(words, "Proximal Newton", "gap", "1e-6", "first", "10 ms", "fewest steps", "5")
    assert words.lower().count("newton") == 1
    assert "FISTA" not in words
    assert " of 2" not in words


def test_a_tie_in_what_is_printed_has_no_single_winner() -> None:
    as_fast = standing("fista", seconds=0.0421, steps=5)
    both = ("Proximal Newton", "FISTA, backtracking and restart")
    assert_says(race_sentence([NEWTON, as_fast], 1e-6, 10.0), *both, "gap", "1e-6", "first", "42 ms")


def test_while_solvers_run_nobody_is_called_the_first() -> None:
    running = standing("subgradient", seconds=0.02, steps=9, gap=0.1, stop="stopped")
    words = race_sentence([FISTA, running], 1e-6, 10.0)
    assert_says(words, "FISTA, backtracking and restart", "gap", "1e-6", "1 of 2 solvers", "still")
    assert " ms" not in words
    assert "first" not in words


def test_where_nobody_gets_there_the_nearest_is_named() -> None:
    words = race_sentence([SLOW], 1e-6, 10.0)
    assert_says(words, "No solver", "gap", "1e-6", "10 s", "nearest", "subgradient descent", "gap", "0.04")
    stuck = standing("fista", seconds=1.0, steps=9, gap=1e-3, stop="no further progress")
    assert "10 s" not in race_sentence([stuck, SLOW], 1e-6, 10.0), "one has not run into the limit"


def test_a_single_one_at_the_tolerance_is_called_so() -> None:
    words = race_sentence([FISTA, SLOW], 1e-6, 10.0)
    assert_says(words, "Only FISTA, backtracking and restart", "gap", "1e-6", "30 ms", "43 steps", "1 of 2", "10 s")
    assert "first" not in words


def test_models_that_differ_are_told() -> None:
    other = standing("fista", seconds=0.03, steps=43, objective=0.6)
    assert_says(race_sentence([other, NEWTON], 1e-6, 10.0), "models differ", "objectives", "0.5", "0.6")
    assert "differ" not in race_sentence([FISTA, NEWTON], 1e-6, 10.0)


def test_curves_have_the_colours_of_solvers_and_a_legend_instead_of_words_at_their_ends() -> None:
    figure = convergence_figure(race_curves([FISTA, NEWTON, SLOW], None), y="certificate", log_y=True)
    lines = [trace for trace in figure.data if trace.mode != "markers"]
    for line, solver in zip(lines, ("fista", "proximal-newton", "subgradient"), strict=True):
        assert (line.line.color, line.line.dash) == (solver_style(solver).colour, solver_style(solver).dash)
    fista, newton, slow = (line.name for line in lines)
    assert_says(fista, "FISTA, backtracking and restart", "43 steps", "30 ms")
    assert_says(newton, "proximal Newton", "5 steps", "42 ms")
    assert_says(slow, "subgradient descent", "gap", "0.04", "10 s")
    assert "steps" not in slow
    assert figure.layout.showlegend
    assert not any("text" in trace.mode for trace in figure.data)


def test_without_a_bound_the_optimum_is_the_lowest_value_of_the_race() -> None:
    other = replace(NEWTON, fit=replace(NEWTON.fit, result=replace(NEWTON.fit.result, objective=0.4)))
    assert [curve.optimum for curve in race_curves([FISTA, other], None)] == [0.4, 0.4]
    assert [curve.optimum for curve in race_curves([FISTA, other], 0.3)] == [0.3, 0.3]
