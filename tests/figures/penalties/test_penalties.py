"""The drawn penalties are the penalties.

What the declared pictures of penalties say and refuse; tests/figures/test_picture.py has what follows for all.
What is drawn of two features: the objective, the ball, the starts and where they end.
"""

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from core.analysis.penalties.penalty_shape import reweighting_rounds
from core.analysis.penalties.several_starts import StartsRun, distinct_minima, random_starts
from core.analysis.penalties.two_features import RATIOS, loss_map, redundant_pair, two_feature_training
from core.api import pictures
from core.figures.penalties.penalties import (
    PenaltyCurve,
    agreeing_at_one,
    curves_figure,
    majoriser_figure,
    prox_figure,
    slopes_figure,
)
from core.figures.penalties.two_features import add_ball, add_starts, letters, loss_plane, objective_plane
from core.methods import get_method
from core.penalties import L1, Log, Lp
from tests.figures.samples.sample import named
from tests.oracles import RankSvm
from tests.says import assert_says

CURVES = list(pictures.penalty_curves().found.curves.values())


def line(figure: go.Figure, name: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the line of that name."""
    trace = named(figure, name)
    return np.asarray(trace.x, dtype=float), np.asarray(trace.y, dtype=float)


@pytest.mark.parametrize("curve", CURVES, ids=lambda c: c.title)
def test_price_slope_and_prox_are_drawn_as_the_penalty_has_them(curve) -> None:
    """What these are: tests/penalties. The parameters are those that pictures begin with."""
    assert all(getattr(curve.penalty, one.name) == one.shown for one in curve.penalty.parameters)
    for figure, of in (
        (curves_figure(CURVES), lambda w: curve.penalty.curve(np.abs(w))),
        (slopes_figure(CURVES), curve.penalty.weights),
        (prox_figure(CURVES, 0.3), lambda v: curve.penalty.prox(v, 0.3)),
    ):
        x, y = line(figure, curve.title)
        shown = np.isfinite(y)
        assert shown.sum() > 400
        assert_allclose(y[shown], of(x)[shown], atol=1e-12)


def test_scaled_curves_agree_at_one_and_so_do_their_slopes_and_prox() -> None:
    scaled = [agreeing_at_one(curve) for curve in CURVES]
    figure = curves_figure(scaled)
    for curve in scaled:
        w, g = line(figure, curve.title)
        assert np.interp(1.0, w, g) == pytest.approx(1.0, abs=2e-3)
    log = next(c for c in scaled if c.method == "log")
    t, slope = line(slopes_figure(scaled), log.title)
    assert slope[t > 1.0][0] == pytest.approx(Log().weights(t[t > 1.0][:1]).item() / np.log(11.0))
    v, u = line(prox_figure(scaled, 0.5), log.title)
    assert u[-1] == pytest.approx(Log().prox(v[-1:], 0.5 / np.log(11.0)).item())


def test_an_infinite_slope_is_said_and_not_drawn_and_the_studied_penalty_is_drawn_last_and_boldest() -> None:
    figure = slopes_figure(CURVES)
    assert any("at w = 0: ℓ0.5 ∞" in note.text for note in figure.layout.annotations)
    t, slope = line(figure, "ℓ0.5")
    top = figure.layout.yaxis.range[1]
    assert np.isnan(slope[0])
    assert np.nanmax(slope) <= top
    assert t[np.isfinite(slope)][0] < 0.01
    places = {note.text.strip(): note.y for note in figure.layout.annotations}
    leaders = [(*one.x[:1], *one.y) for one in figure.data if one.name is None]
    assert leaders == [(3.0, line(figure, c.title)[1][-1], places[c.title]) for c in CURVES], "names lie apart"
    *others, studied = [one for one in curves_figure(CURVES, studied="mcp").data if one.name]
    assert studied.name == "MCP"
    assert studied.line.width > max(trace.line.width for trace in others)
    assert len(curves_figure([]).data) == 0


def test_a_leap_of_the_prox_is_a_gap_in_its_line() -> None:
    v, u = line(prox_figure(CURVES, 2.0), "MCP")  # leaps from 0 to 1 at |v| = 1
    gaps = v[np.isnan(u)]
    assert_allclose(gaps, [-1.0, 1.0], atol=0.01)


def test_tangents_touch_where_the_weights_are() -> None:
    curve = PenaltyCurve("log", "log", Log())
    figure = majoriser_figure(curve, [("w1", 0.4), ("w2", 0.0)], reach=1.0)
    for name, touch, slope in (("w1", 0.4, 2.0), ("w2", 0.0, 10.0)):
        x, y = line(figure, f"tangent at {name}")
        assert_allclose(np.diff(y) / np.diff(x), slope, rtol=1e-6)
        assert np.all(y >= Log().curve(x) - 1e-12)
        assert_allclose(line(figure, f"touches at {name}"), [[touch], Log().curve(np.array([touch]))])
    wall = majoriser_figure(PenaltyCurve("l0.5", "ℓ0.5", Lp()), [("w1", 0.0)], reach=1.0)
    x, y = line(wall, "tangent at w1")
    assert x.tolist() == [0.0, 0.0], "of an infinite slope"
    assert y[1] > Lp().curve(np.ones(1)).item()


def test_a_notebooks_titles_are_computed_from_the_numbers() -> None:
    for picture, facts in (
        (pictures.penalty_curves("log"), ("log", "small weights", "10", "0.91 at 1")),
        (pictures.penalty_curves("log", look="pull", parameters={"log": {"epsilon": 0.5}}), ("log", "2", "0.67 at 1")),
        (pictures.penalty_curves("l1", look="prox", step=0.7), ("ℓ1", "up to |v| = 0.7", "v = 3", "2.3")),
        (pictures.penalty_curves("log", look="prox", step=0.3), ("v = 3 becomes 2.9",)),
        (pictures.two_features("log", ratio=0.05), ("log", "2 minima", "lowest", "copy A only")),
        (pictures.reweighting("log", ratio=0.05, number=4), ("Round 4", "copy B", "becomes 0")),
        (pictures.starts("l1", ratio=0.1, n=4), ("ℓ1", "all 4 starts", "same minimum")),
        (pictures.starts("log", ratio=0.1, n=20), ("log", "20 starts", "3 different minima", "7, 4, 9")),
    ):
        assert_says(picture.words(picture.found).title, *facts)
    said = pictures.starts("log", ratio=0.1, n=2)
    assert_says(said.words(said.found).subtitle, "two redundant features", "preference pairs", "λ = 0.1 λ_max")


def test_tangents_touch_the_penalty_at_the_weights_before_the_round() -> None:
    training = two_feature_training(redundant_pair(), (0, 1))
    before = reweighting_rounds(training, Log(), training.lam_at(0.05))[2].before
    figure = pictures.reweighting("log", ratio=0.05, number=3, look="tangents").figure
    drawn = {trace.name: trace for trace in figure.data}
    for k, weight in enumerate(np.abs(before), 1):
        assert drawn[f"touches at w{k}"].x[0] == pytest.approx(weight)
        assert f"tangent at w{k}" in drawn


def test_the_objective_is_that_of_the_lambda_whose_minima_are_drawn() -> None:
    asked, followed = (
        pictures.two_features("log", ratio=ratio, ground="objective").figure.data[0].z for ratio in (0.055, 0.05)
    )
    assert 0.055 not in RATIOS
    np.testing.assert_array_equal(asked, followed)


NAMES = ("copy A", "copy B")


TRAINING = two_feature_training(redundant_pair(), (0, 1))
TERRAIN = loss_map(TRAINING, points=15)


def test_the_level_lines_are_those_of_the_objective_over_explicit_pairs() -> None:
    pairs, penalty, lam = RankSvm.of(TRAINING.data), Log(), 0.1
    lines = named(objective_plane(TERRAIN, penalty, lam, NAMES, "log"), "objective")
    for row, column in [(0, 0), (3, 8), (14, 2)]:
        w = np.array([lines.x[column], lines.y[row]])
        assert lines.customdata[row][column] == pytest.approx(pairs.loss(w) + lam * penalty.value(w))
    values, depth = np.asarray(lines.customdata), np.asarray(lines.z)
    assert_allclose(depth**2, values - values.min(), atol=1e-12)


def test_the_ball_of_l1_goes_through_the_minimiser() -> None:
    figure = loss_plane(TERRAIN, NAMES)
    add_ball(figure, L1(), np.array([0.3, -0.1]), 2.0, "l1")
    ball = named(figure, "penalty's ball")
    assert_allclose(np.abs(ball.x) + np.abs(ball.y), 0.4, rtol=1e-9)
    assert figure.layout.yaxis.scaleanchor == "x", "one unit is as long on both axes"
    assert "copy A" in figure.layout.xaxis.title.text
    assert "copy B" in figure.layout.yaxis.title.text
    empty = loss_plane(TERRAIN, NAMES)
    add_ball(empty, L1(), np.zeros(2), 2.0, "l1")
    assert [trace.name for trace in empty.data] == ["loss"], "the empty model has none"


def test_every_start_is_joined_to_the_minimum_that_it_reached() -> None:
    starts = random_starts(9, [-0.2, -0.2], [0.7, 0.7], seed=1)
    run = StartsRun(get_method("log"), TRAINING, TRAINING.lam_at(0.05), starts, {})
    minima = distinct_minima(run.finish(), run.problem)
    figure = loss_plane(TERRAIN, NAMES)
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
    assert letters(28)[24:] == ["Y", "Z", "A2", "B2"]
