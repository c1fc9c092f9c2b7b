"""A guess beside the result."""

from __future__ import annotations

import pytest

from core.figures.lessons.guess import FOUND, GUESSED, gap_figure, gap_rows, gap_sentence
from core.lessons.lesson import Choice, Curve, Number, Order

NUMBER = Number("How many?", 0.0, 60.0, 1.0, "features")
ORDER = Order("Which first?", ("Newton", "FISTA", "subgradient"), ("a", "b", "c"), "few", "many")
CURVE = Curve("How?", "λ", (0.1, 1.0), "kept", 0.0, 60.0, x_log=True)


def test_guess_and_result_stand_at_their_numbers() -> None:
    figure = gap_figure(NUMBER, 12.0, 31.0)
    assert figure is not None
    marks = {trace.name: trace.x[0] for trace in figure.data if trace.name}
    assert marks == {GUESSED: 12.0, FOUND: 31.0}
    assert "12 features" in gap_sentence(NUMBER, 12.0, 31.0)
    assert "31 features" in gap_sentence(NUMBER, 12.0, 31.0)


@pytest.mark.parametrize("far", [0.0, 500.0])
def test_a_result_beyond_the_scale_is_in_the_picture(far: float) -> None:
    figure = gap_figure(Number("?", 1.0, 60.0, 1.0), 12.0, far)
    assert figure is not None
    low, high = figure.layout.xaxis.range
    assert low < far < high


def test_an_order_has_a_level_line_where_the_guess_was_right() -> None:
    figure = gap_figure(ORDER, (0, 2, 1), (0, 1, 2))
    assert figure is not None
    assert {trace.name: tuple(trace.y) for trace in figure.data} == {
        "Newton": (1, 1),
        "FISTA": (3, 2),
        "subgradient": (2, 3),
    }
    assert gap_rows(ORDER, (0, 2, 1), (0, 1, 2))[1] == {"item": "FISTA", GUESSED: 3, FOUND: 2}


def test_a_curve_is_drawn_over_the_true_one() -> None:
    figure = gap_figure(CURVE, (40.0, 3.0), ((0.1, 30.0), (0.5, 9.0), (1.0, 0.0)))
    assert figure is not None
    assert {trace.name: tuple(trace.y) for trace in figure.data} == {GUESSED: (40.0, 3.0), FOUND: (30.0, 9.0, 0.0)}
    assert figure.layout.showlegend
    assert len(gap_rows(CURVE, (40.0, 3.0), ((0.1, 30.0),))) == 3


def test_without_a_guess_there_is_the_result_alone() -> None:
    for predict, value in ((NUMBER, 3.0), (ORDER, (2, 1, 0)), (CURVE, ((0.1, 2.0), (1.0, 1.0)))):
        figure = gap_figure(predict, None, value)
        assert figure is not None
        assert GUESSED not in {trace.name for trace in figure.data}
        assert gap_rows(predict, None, value)
    assert gap_figure(Choice("?", ("yes", "no"), ("a", "b")), 0, 1) is None
