"""The bound beneath a search's objective never falls, stays beneath it, and is drawn for a search only.

An elimination is drawn as the stages of its trace.
Theory's slopes begin where the curves do and have the steepness that their names say.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures.fit.convergence import Axes, Curve, convergence_drawing
from core.figures.fit.elimination import Elimination, Stage, elimination_sentence, stages
from core.figures.fit.slopes import guide_slopes
from core.figures.look.style import METHOD_STYLES
from core.methods import get_method
from core.solvers import Certificate, TracePoint
from tests.figures.samples.sample import model
from tests.oracles import ranking_problem
from tests.says import assert_says

DATA = ranking_problem(6, n_queries=8, n_features=9)


def drawn(method: str, y: str = "objective") -> go.Figure:
    chosen = get_method(method)
    training = chosen.training(DATA)
    result = chosen.fit(training, training.lam_at(0.01)).result
    figure = convergence_drawing([Curve(method, method, result.trace)], Axes(y, log_y=y != "objective")).figure()
    return go.Figure(figure.to_dict())


def test_it_rises_to_the_objective_at_the_end() -> None:
    figure = drawn("best-subset")
    traces = {(trace.name or "").partition(":")[0]: trace for trace in figure.data}
    bound = np.array(traces["lower bound"].y, dtype=float)
    above = np.array(traces["objective above it"].y, dtype=float)
    assert len(bound) > 1
    assert np.all(np.diff(bound) >= 0.0)
    assert np.all(bound <= above * (1.0 + 1e-12))
    assert bound[0] > 0.0
    assert bound[-1] == pytest.approx(above[-1], rel=2e-5)
    low, high = figure.layout.yaxis.range
    assert low < bound[0] < above[0] < high < 1.0, "the empty model leaves the room to what is between"


@pytest.mark.parametrize(("method", "y"), [("l1", "objective"), ("best-subset", "certificate")])
def test_other_curves_have_none(method: str, y: str) -> None:
    assert not any(trace.name and trace.name.startswith("lower bound") for trace in drawn(method, y).data)


GAP = Certificate("duality gap", 0.1, 0.1, among="")


def point(step: int, nonzero: int, objective: float, provisional: bool = True) -> TracePoint:
    return TracePoint(step, objective, GAP, 0.01 * step, 1.0 * step, nonzero, provisional)


TRACE = [point(0, 0, 1.0), point(1, 8, 0.5), point(2, 8, 0.4), point(3, 3, 0.45), point(4, 3, 0.6, False),
         point(5, 3, 0.5, False)]  # fmt: skip


def test_steps_on_the_same_number_of_features_are_one_stage() -> None:
    assert stages(TRACE) == [Stage(8, 1, 2, 0.4), Stage(3, 3, 5, 0.5)]


def test_a_model_that_ends_empty_has_a_stage_for_it() -> None:
    assert stages([*TRACE[:3], point(3, 0, 1.0, False)])[-1] == Stage(0, 3, 3, 1.0)


@pytest.mark.parametrize(
    ("trace", "facts"),
    [
        (TRACE, ("8 features", "3", "1 drop", "objective", "0.4", "0.5")),
        ([*TRACE, point(6, 2, 0.7)], ("8 features", "2", "2 drops", "objective", "0.4", "0.7")),
        (TRACE[:3], ("All 8 features",)),
    ],
)
def test_the_sentence_says_what_is_seen(trace: list[TracePoint], facts: tuple[str, ...]) -> None:
    words = elimination_sentence(stages(trace))
    assert_says(words, *facts)
    for word in ("objective", "drop"):
        assert (word in words) == any(word in fact for fact in facts)


def test_features_left_stand_above_the_objective_on_the_same_steps() -> None:
    fitted = model("rwfs-l0", 0.01)
    fit = replace(fitted.fit, result=replace(fitted.fit.result, trace=TRACE))
    stairs, marks, rounds, last = Elimination(replace(fitted, fit=fit)).figure.data
    assert (list(stairs.x), list(stairs.y)) == ([1, 2, 3, 5], [8, 8, 3, 3])
    assert list(marks.text) == ["8", "3"]
    assert (list(rounds.x), list(rounds.y)) == ([1, 2, 3, 4], [0.5, 0.4, 0.45, 0.6])
    assert (list(last.x), list(last.y)) == ([4, 5], [0.6, 0.5])
    assert last.line.color == stairs.line.color == METHOD_STYLES["rwfs-l0"].colour
    assert {trace.xaxis for trace in (stairs, marks)} != {trace.xaxis for trace in (rounds, last)}


CURVES = [([1.0, 10.0, 100.0], [1.0, 0.1, 1e-6]), ([0.0, 4.0], [0.5, 0.2])]


def slope(name: str) -> float:
    line = next(line for line in guide_slopes(CURVES) if line["name"] == name)
    return float(np.polyfit(np.log(line["x"]), np.log(line["y"]), 1)[0])


@pytest.mark.parametrize(("name", "steepness"), [("1/k", -1.0), ("1/k²", -2.0)])
def test_powers_are_straight_on_two_log_axes(name: str, steepness: float) -> None:
    assert slope(name) == pytest.approx(steepness)


def test_linear_is_straight_where_only_the_axis_upwards_is_logarithmic() -> None:
    line = guide_slopes(CURVES)[2]
    steps = np.diff(np.log(line["y"])) / np.diff(line["x"])
    assert steps == pytest.approx(np.full(len(steps), steps[0]))


def test_they_stay_within_the_curves_and_bear_their_names_at_their_ends() -> None:
    for line in guide_slopes(CURVES):
        assert (line["x"][0], line["y"][0]) == (1.0, 1.0)
        assert max(line["x"]) <= 100.0
        assert min(line["y"]) >= 1e-6 * (1 - 1e-6)
        assert (line["text"][-1], set(line["text"][:-1])) == (line["name"], {""})


def test_where_nothing_is_spanned_there_are_none() -> None:
    assert guide_slopes([]) == []
    assert guide_slopes([([0.0], [1.0])]) == []
    assert guide_slopes([([1.0, 2.0], [1.0, 1.0])]) == []
