"""Radius against lambda as drawn: the curve, the paper's radii on it, and where the chosen model stands."""

from __future__ import annotations

import pytest

from core.analysis.radii import RadiusPoint
from core.figures.fit.radii import radii_figure, radii_sentence
from tests.says import assert_says

POINTS = [
    RadiusPoint(0.5, 0.1, 0.1, 1.0, published=False),
    RadiusPoint(5.0, 0.01, 0.01, 10.0, published=False),
    RadiusPoint(1.0, 0.05, 0.05, 2.0, published=True),
    RadiusPoint(8.0, 1e-6, 1e-6, 1e5, published=True, holds=False),
]


def test_marks_are_the_papers_radii_that_hold_the_model_back() -> None:
    line, marks, chosen = radii_figure(POINTS, 2.0, 0.03).data
    assert (list(line.x), list(line.y)) == ([0.1, 0.01], [0.5, 5.0])
    assert (list(marks.x), list(marks.y), list(marks.text)) == ([0.05], [1.0], ["r = 1"])
    assert (list(chosen.x), list(chosen.y)) == ([0.03], [2.0])


def test_lambda_falls_and_the_chosen_one_has_a_line() -> None:
    figure = radii_figure(POINTS, 2.0, 0.03)
    assert (figure.layout.xaxis.type, figure.layout.xaxis.autorange) == ("log", "reversed")
    assert [shape.x0 for shape in figure.layout.shapes] == [pytest.approx(0.03)]


def test_the_sentence_names_radius_and_c_and_where_balls_end() -> None:
    assert_says(radii_sentence(POINTS, 2.0, 4.0), "C = 4", "‖w‖₁ ≤ 2", "r = 8", "no ball")
    within = radii_sentence(POINTS[:3], 2.0, 4.0)
    assert_says(within, "C = 4", "‖w‖₁ ≤ 2")
    assert "8" not in within
