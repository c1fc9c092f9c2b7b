"""An elimination is drawn as the stages of its trace."""

from __future__ import annotations

import pytest

from core.figures.fit.elimination import Stage, elimination_figure, elimination_sentence, stages
from core.figures.look.style import METHOD_STYLES
from core.solvers import Certificate, TracePoint
from tests.says import assert_says

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
    stairs, marks, rounds, last = elimination_figure(TRACE, "rwfs-l0").data
    assert (list(stairs.x), list(stairs.y)) == ([1, 2, 3, 5], [8, 8, 3, 3])
    assert list(marks.text) == ["8", "3"]
    assert (list(rounds.x), list(rounds.y)) == ([1, 2, 3, 4], [0.5, 0.4, 0.45, 0.6])
    assert (list(last.x), list(last.y)) == ([4, 5], [0.6, 0.5])
    assert last.line.color == stairs.line.color == METHOD_STYLES["rwfs-l0"].colour
    assert {trace.xaxis for trace in (stairs, marks)} != {trace.xaxis for trace in (rounds, last)}


def test_nothing_is_an_empty_picture() -> None:
    assert all(not trace.x for trace in elimination_figure([], "rwfs-l0").data)
