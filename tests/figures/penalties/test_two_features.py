"""What is drawn of two features: the objective, the ball, the starts and where they end."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.analysis.penalties.several_starts import StartsRun, distinct_minima, random_starts
from core.analysis.penalties.two_features import loss_map, redundant_pair, two_feature_training
from core.figures.penalties.two_features import add_ball, add_starts, letters, loss_plane, objective_plane
from core.methods import get_method
from core.penalties import L1, Log
from tests.oracles import RankSvm

NAMES = ("copy A", "copy B")


@pytest.fixture(scope="module")
def training():
    return two_feature_training(redundant_pair(), (0, 1))


@pytest.fixture(scope="module")
def terrain(training):
    return loss_map(training, points=15)


def named(figure, name):
    (trace,) = [t for t in figure.data if t.name == name]
    return trace


def test_the_level_lines_are_those_of_the_objective_over_explicit_pairs(training, terrain) -> None:
    pairs, penalty, lam = RankSvm.of(training.data), Log(), 0.1
    lines = named(objective_plane(terrain, penalty, lam, NAMES, "log"), "objective")
    for row, column in [(0, 0), (3, 8), (14, 2)]:
        w = np.array([lines.x[column], lines.y[row]])
        assert lines.customdata[row][column] == pytest.approx(pairs.loss(w) + lam * penalty.value(w))
    values, depth = np.asarray(lines.customdata), np.asarray(lines.z)
    assert_allclose(depth**2, values - values.min(), atol=1e-12)


def test_one_unit_is_as_long_on_both_axes(terrain) -> None:
    figure = loss_plane(terrain, NAMES)
    assert figure.layout.yaxis.scaleanchor == "x"
    assert "copy A" in figure.layout.xaxis.title.text
    assert "copy B" in figure.layout.yaxis.title.text


def test_the_ball_of_l1_goes_through_the_minimiser(terrain) -> None:
    figure = loss_plane(terrain, NAMES)
    add_ball(figure, L1(), np.array([0.3, -0.1]), 2.0, "l1")
    ball = named(figure, "penalty's ball")
    assert_allclose(np.abs(ball.x) + np.abs(ball.y), 0.4, rtol=1e-9)


def test_the_empty_model_has_no_ball(terrain) -> None:
    figure = loss_plane(terrain, NAMES)
    add_ball(figure, L1(), np.zeros(2), 2.0, "l1")
    assert [trace.name for trace in figure.data] == ["loss"]


def test_every_start_is_joined_to_the_minimum_that_it_reached(training, terrain) -> None:
    starts = random_starts(9, [-0.2, -0.2], [0.7, 0.7], seed=1)
    run = StartsRun(get_method("log"), training, training.lam_at(0.05), starts, {})
    minima = distinct_minima(run.finish(), run.problem)
    figure = loss_plane(terrain, NAMES)
    add_starts(figure, starts, minima, "log")
    ends = dict.fromkeys(range(9))
    for letter, minimum in zip(letters(len(minima)), minima, strict=True):
        way = named(figure, f"ways to {letter}")
        for begin in range(0, len(way.x), 3):
            (start,) = np.flatnonzero((starts == [way.x[begin], way.y[begin]]).all(axis=1))
            ends[int(start)] = (way.x[begin + 1], way.y[begin + 1])
            assert ends[int(start)] == tuple(minimum.fit.weights)
    assert None not in ends.values()
    texts = [trace.text[0] for trace in figure.data if trace.name.startswith("minimum")]
    assert texts == [f"<b>{k}: {len(m.starts)} of 9</b>" for k, m in zip("ABC", minima, strict=False)]


def test_minima_beyond_the_alphabet_have_names_of_their_own() -> None:
    assert letters(28)[24:] == ["Y", "Z", "A2", "B2"]
