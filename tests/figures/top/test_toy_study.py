"""Figures 1 and 2 as drawn: every mean at its place, p-values beside those that have one, sentences from the data."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.experiments.papers.infinite_push_toy import METHODS, REFERENCE, TITLES, ToyPoint
from core.figures.papers.infinite_push import retrieval_panels, retrieval_sentence, top_panels, top_sentence, toy_figure
from tests.says import assert_says


def point(method: str, n_train: int, n_noisy: int, top: float, f: float = 0.5) -> ToyPoint:
    def spread(x: float) -> Spread:
        return Spread(x, 0.02, x - 0.1, x + 0.1)

    p_value = None if method == REFERENCE else 0.012
    return ToyPoint(method, n_train, n_noisy, 3, spread(top), spread(0.6), spread(0.4), spread(f), spread(9), p_value)


TOPS = dict(zip(METHODS, (0.41, 0.38, 0.2, 0.33), strict=True))
POINTS = [
    point(method, n_train, n_noisy, top * n_train / 200)
    for method, top in TOPS.items()
    for n_train in (200, 100)
    for n_noisy in (20, 100)
]


def named(figure: go.Figure, name: str) -> list[Any]:
    return [trace for trace in figure.data if trace.name == name]


def test_a_panel_for_every_number_of_noisy_features_with_sizes_in_order() -> None:
    figure = toy_figure(top_panels(POINTS), "training examples", "top")
    first, second = named(figure, TITLES[REFERENCE])
    assert [data[3] for data in first.customdata] == [100, 200]
    assert list(first.x) == pytest.approx([100, 200], rel=0.05)
    assert list(first.y) == pytest.approx([0.205, 0.41])
    assert (first.xaxis, second.xaxis) == ("x", "x2")
    heads = [note.text for note in figure.layout.annotations]
    assert heads[:2] == ["20 noisy features", "100 noisy features"]
    assert list(first.error_y.array) == [0.02, 0.02]


def test_p_values_stand_beside_all_but_the_reference() -> None:
    figure = toy_figure(top_panels(POINTS), "training examples", "top")
    assert set(named(figure, TITLES["l1"])[0].text) == {"p = .012"}
    assert set(named(figure, TITLES[REFERENCE])[0].text) == {""}


def test_features_found_are_three_panels() -> None:
    points = [point("l1", 100, noisy, 0.3, f=0.7) for noisy in (10, 50)]
    figure = toy_figure(retrieval_panels(points), "noisy features", "share")
    assert [list(trace.y) for trace in figure.data] == [[0.6, 0.6], [0.4, 0.4], [0.7, 0.7]]


def test_the_title_tells_the_best_and_the_last_at_the_end_of_the_axis() -> None:
    points = [p for p in POINTS if p.n_noisy == 20]
    said = top_sentence(points)
    assert_says(said, "ℓ1 infinite push", "41%", "on top", "200 examples", "20 noisy", "ℓ2 infinite push", "20%")
    finders = [point("l1", 100, 50, 0.3, f=0.9), point("infinite-push-rfe", 100, 50, 0.3, f=0.8)]
    assert_says(retrieval_sentence(finders), "50 noisy features", "ℓ1 RankSVM", "best", "F 0.90")


def test_nothing_is_still_a_picture() -> None:
    assert not toy_figure([], "training examples", "top").data
    for said in (top_sentence([]), retrieval_sentence([])):
        assert_says(said, "Nothing")
