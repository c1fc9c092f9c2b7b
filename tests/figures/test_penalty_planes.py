"""The notebook's pictures of two features mark what the page marks."""

from __future__ import annotations

from core.api import pictures


def test_a_round_of_reweighting_marks_its_answer_and_the_ball_of_its_prices() -> None:
    drawn = pictures.reweighting("log", ratio=0.1, number=2)
    assert "round 2, F = " in drawn.figure.to_json()
    assert len(drawn.figure.data) == len(pictures.two_features("l1", ratio=0.1).figure.data)  # plane, ball, way, point


def test_the_lowest_minimum_is_called_so() -> None:
    assert "the lowest minimum, F = " in pictures.two_features("l1", ratio=0.1).figure.to_json()
