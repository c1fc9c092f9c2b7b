"""The convergence figure draws the trace it is given, no more and no less.

The sentence over a race says what its table says, and its curves are those of solvers.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

from core.analysis.solver_race import Standing
from core.figures.fit import convergence
from core.figures.fit.convergence import Axes, Curve, convergence_drawing
from core.figures.fit.race_picture import race_curves, race_sentence
from core.figures.look.style import METHOD_STYLES, MUTED, solver_style
from core.methods import Fit, get_method
from core.solvers import Certificate, FitResult, StopReason, TracePoint
from tests.says import assert_says

CONVEX = [2.0, 1.0, 0.5, 0.25]


def trace(objectives: Sequence[float], provisional: Sequence[int] = (), kind: str = "duality gap") -> list[TracePoint]:
    """A point a step: seconds are step / 10, passes 3 a step, the relative certificate objective / 100."""
    return [
        TracePoint(k, value, Certificate(kind, value, value / 100, among=""), k / 10, 3.0 * k, 5, k in provisional)
        for k, value in enumerate(objectives)
    ]


def convergence_figure(curves: Sequence[Curve], **axes: Any) -> go.Figure:
    return convergence_drawing(curves, Axes(**axes)).figure()


def drawn(figure: go.Figure) -> list[tuple[list[float], list[float]]]:
    return [(list(line.x), list(line.y)) for line in figure.data]


@pytest.mark.parametrize(("x", "places"), [("steps", [0, 1, 2, 3]), ("seconds", [0, 0.1, 0.2, 0.3]),
                                           ("passes over X", [0, 3, 6, 9])])  # fmt: skip
def test_the_objective_is_drawn_against_what_is_asked_for(x: str, places: list[float]) -> None:
    figure = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX))], x=x)
    assert drawn(figure) == [(places, CONVEX)]


def test_suboptimality_is_the_distance_from_the_certified_optimum() -> None:
    figure = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX), optimum=0.125)], y="suboptimality", log_y=True)
    assert drawn(figure) == [([0, 1, 2, 3], [1.875, 0.875, 0.375, 0.125])]
    assert figure.layout.yaxis.type == "log"
    unknown = convergence_figure([Curve("log", "log", trace(CONVEX))], y="suboptimality", log_y=True)
    assert drawn(unknown) == [([0, 1, 2], [1.75, 0.75, 0.25])], "from the last value, which has no place"
    shown = convergence_figure([Curve("ℓ1", "l1", trace([2.0, 1.0, 0.0, 0.5]))], log_x=True, log_y=True)
    assert drawn(shown) == [([1, 3], [1.0, 0.5])], "no more than a log axis can show"


def test_the_certificate_is_relative_and_its_axis_says_of_which_kind() -> None:
    gap = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX))], y="certificate")
    residual = convergence_figure([Curve("log", "log", trace(CONVEX, kind="stationarity"))], y="certificate")
    assert drawn(gap) == [([0, 1, 2, 3], [0.02, 0.01, 0.005, 0.0025])]
    assert gap.layout.yaxis.title.text == "relative duality gap"
    assert residual.layout.yaxis.title.text == "relative stationarity residual"


def test_a_long_trace_is_thinned_but_keeps_its_ends_and_its_bend() -> None:
    long = trace([1.0 + 1.0 / (k + 1) for k in range(50_000)])
    ((steps, objectives),) = drawn(convergence_figure([Curve("ℓ1", "l1", long)]))
    assert len(steps) <= convergence.MOST_POINTS
    assert steps[0] == 0
    assert steps[-1] == 49_999
    assert steps[:20] == list(range(20))
    assert objectives == [1.0 + 1.0 / (k + 1) for k in steps]


def test_the_steps_inside_rounds_are_drawn_apart_in_grey_and_in_order() -> None:
    rounds = trace([5.0, 4.0, 3.0, 3.5, 2.0, 2.5, 1.0], provisional=(0, 1, 3, 5))
    grey, settled = convergence_figure([Curve("log", "log", rounds)]).data
    assert list(settled.x) == [2, 4, 6]
    assert list(settled.y) == [3.0, 2.0, 1.0]
    assert settled.line.color == METHOD_STYLES["log"].colour
    assert list(grey.x) == [0, 1, 2, 3, 4, 5, 6]
    assert list(grey.y) == [5.0, 4.0, 3.0, 3.5, 2.0, 2.5, 1.0]
    assert grey.line.color == MUTED
    certificates = convergence_figure([Curve("log", "log", rounds)], y="certificate")
    assert drawn(certificates) == [([2, 4, 6], [0.03, 0.02, 0.01])], "that of a round is not that of the problem"


def test_the_end_of_a_finished_run_is_marked_with_the_reason() -> None:
    running = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX))])
    _, mark = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX), ending="converged")]).data
    assert len(running.data) == 1
    assert (list(mark.x), list(mark.y), list(mark.text)) == ([3], [0.25], ["converged"])


def test_two_runs_of_one_method_differ_by_their_lines() -> None:
    first, second = convergence_figure([Curve("a", "l1", trace(CONVEX)), Curve("b", "l1", trace(CONVEX))]).data
    assert first.line.color == second.line.color
    assert first.line.dash != second.line.dash


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


FAST = standing("proximal-newton", seconds=0.01, steps=5)
AS_FAST = standing("fista", seconds=0.0421, steps=5)
RUNNING = standing("subgradient", seconds=0.02, steps=9, gap=0.1, stop="stopped")
STUCK = standing("fista", seconds=1.0, steps=9, gap=1e-3, stop="no further progress")
OTHER = standing("fista", seconds=0.03, steps=43, objective=0.6)
FISTA_TITLE = "FISTA, backtracking and restart"


@pytest.mark.parametrize(
    ("race", "facts", "unsaid"),
    [
        ([FISTA, NEWTON, SLOW], (FISTA_TITLE, "gap", "1e-6", "first", "30 ms", "proximal Newton", "fewest steps", "5",
                                 "1 of 3", "10 s"), ("differ",)),
        ([FAST, FISTA], ("Proximal Newton", "gap", "1e-6", "first", "10 ms", "fewest steps", "5"),
         ("FISTA", " of 2", "ewton took")),
        ([NEWTON, AS_FAST], ("Proximal Newton", FISTA_TITLE, "gap", "1e-6", "first", "42 ms"), ()),
        ([FISTA, RUNNING], (FISTA_TITLE, "gap", "1e-6", "1 of 2 solvers", "still"), (" ms", "first")),
        ([SLOW], ("No solver", "gap", "1e-6", "10 s", "nearest", "subgradient descent", "gap", "0.04"), ()),
        ([STUCK, SLOW], ("No solver", "nearest"), ("10 s",)),
        ([FISTA, SLOW], ("Only FISTA", "gap", "1e-6", "30 ms", "43 steps", "1 of 2", "10 s"), ("first",)),
        ([OTHER, NEWTON], ("models differ", "objectives", "0.5", "0.6"), ()),
    ],
    ids=["apart by seconds and steps", "first by both", "a tie", "still running", "the nearest", "one at no limit",
         "a single one", "models that differ"],
)  # fmt: skip
def test_the_sentence_names_who_is_first_by_seconds_and_by_steps_if_anybody_is(
    race: list[Standing], facts: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    words = race_sentence(race, 1e-6, 10.0)
    assert_says(words, *facts)
    assert not [one for one in unsaid if one in words]


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
