"""The convergence figure draws the trace it is given, no more and no less."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import pytest

from core.figures.fit import convergence
from core.figures.fit.convergence import Curve, convergence_figure
from core.figures.look.style import METHOD_STYLES, MUTED
from core.solvers import Certificate, TracePoint

CONVEX = [2.0, 1.0, 0.5, 0.25]


def trace(objectives: Sequence[float], provisional: Sequence[int] = (), kind: str = "duality gap") -> list[TracePoint]:
    """A point a step: seconds are step / 10, passes 3 a step, the relative certificate objective / 100."""
    return [
        TracePoint(k, value, Certificate(kind, value, value / 100, among=""), k / 10, 3.0 * k, 5, k in provisional)
        for k, value in enumerate(objectives)
    ]


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


def test_without_a_bound_the_last_value_stands_in_and_a_log_axis_leaves_it_out() -> None:
    figure = convergence_figure([Curve("log", "log", trace(CONVEX))], y="suboptimality", log_y=True)
    assert drawn(figure) == [([0, 1, 2], [1.75, 0.75, 0.25])]


def test_the_certificate_is_relative_and_its_axis_says_of_which_kind() -> None:
    gap = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX))], y="certificate")
    residual = convergence_figure([Curve("log", "log", trace(CONVEX, kind="stationarity"))], y="certificate")
    assert drawn(gap) == [([0, 1, 2, 3], [0.02, 0.01, 0.005, 0.0025])]
    assert gap.layout.yaxis.title.text == "relative duality gap"
    assert residual.layout.yaxis.title.text == "relative stationarity residual"


def test_a_log_axis_leaves_out_what_it_cannot_show() -> None:
    figure = convergence_figure([Curve("ℓ1", "l1", trace([2.0, 1.0, 0.0, 0.5]))], log_x=True, log_y=True)
    assert drawn(figure) == [([1, 3], [1.0, 0.5])]


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


def test_the_certificate_of_a_round_is_not_that_of_the_problem_and_is_not_drawn() -> None:
    rounds = trace([5.0, 4.0, 3.0, 3.5, 2.0], provisional=(0, 1, 3))
    assert drawn(convergence_figure([Curve("log", "log", rounds)], y="certificate")) == [([2, 4], [0.03, 0.02])]


def test_the_end_of_a_finished_run_is_marked_with_the_reason() -> None:
    running = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX))])
    _, mark = convergence_figure([Curve("ℓ1", "l1", trace(CONVEX), ending="converged")]).data
    assert len(running.data) == 1
    assert (list(mark.x), list(mark.y), list(mark.text)) == ([3], [0.25], ["converged"])


def test_two_runs_of_one_method_differ_by_their_lines() -> None:
    first, second = convergence_figure([Curve("a", "l1", trace(CONVEX)), Curve("b", "l1", trace(CONVEX))]).data
    assert first.line.color == second.line.color
    assert first.line.dash != second.line.dash
