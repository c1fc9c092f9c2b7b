"""The drawn penalties are the penalties."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from core.analysis.penalties.penalty_shape import parameters_of, penalty_methods, penalty_of
from core.figures.penalties.penalties import (
    PenaltyCurve,
    agreeing_at_one,
    curves_figure,
    majoriser_figure,
    prox_figure,
    slopes_figure,
)
from core.penalties import Log, Lp

SHOWN = {m.id: {parameter.name: parameter.shown for parameter in parameters_of(m)} for m in penalty_methods()}
CURVES = [PenaltyCurve(m.id, m.title, penalty_of(m, SHOWN[m.id])) for m in penalty_methods()]
every_curve = pytest.mark.parametrize("curve", CURVES, ids=lambda c: c.title)


def line(figure: go.Figure, name: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the line of that name."""
    (trace,) = [t for t in figure.data if t.name == name]
    return np.asarray(trace.x, dtype=float), np.asarray(trace.y, dtype=float)


@every_curve
def test_a_curve_is_the_price_of_one_weight(curve) -> None:
    w, g = line(curves_figure(CURVES), curve.title)
    assert 0.0 in w
    for k in range(0, len(w), 50):
        assert g[k] == pytest.approx(curve.penalty.value(w[[k]]))


@every_curve
def test_a_slope_is_the_finite_difference_of_the_curve(curve) -> None:
    t, slope = line(slopes_figure(CURVES), curve.title)
    h = 1e-7
    inside = (t > 0.01) & np.isfinite(slope)
    difference = (curve.penalty.curve(t[inside] + h) - curve.penalty.curve(t[inside] - h)) / (2 * h)
    assert_allclose(slope[inside], difference, atol=1e-4)
    assert inside.sum() > 400


@every_curve
@pytest.mark.parametrize("step", [0.3, 2.0])
def test_the_prox_drawn_is_the_minimiser_over_a_dense_grid(curve, step) -> None:
    v, u = line(prox_figure(CURVES, step), curve.title)
    grid = np.linspace(-3.0, 3.0, 6001)
    price = step * curve.penalty.curve(np.abs(grid))
    shown = [k for k in range(0, len(v), 101) if np.isfinite(u[k])]
    assert len(shown) > 8
    for k in shown:
        best = (0.5 * (grid - v[k]) ** 2 + price).min()
        reached = 0.5 * (u[k] - v[k]) ** 2 + step * curve.penalty.value(u[[k]])
        assert reached <= best + 1e-12


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


def test_an_infinite_slope_is_said_and_not_drawn() -> None:
    figure = slopes_figure(CURVES)
    assert any("at w = 0: ℓ0.5 ∞" in note.text for note in figure.layout.annotations)
    t, slope = line(figure, "ℓ0.5")
    top = figure.layout.yaxis.range[1]
    assert np.isnan(slope[0])
    assert np.nanmax(slope) <= top
    assert t[np.isfinite(slope)][0] < 0.01


def test_a_leap_of_the_prox_is_a_gap_in_its_line() -> None:
    v, u = line(prox_figure(CURVES, 2.0), "MCP")  # leaps from 0 to 1 at |v| = 1
    gaps = v[np.isnan(u)]
    assert_allclose(gaps, [-1.0, 1.0], atol=0.01)


def test_the_studied_penalty_is_drawn_last_and_boldest() -> None:
    figure = curves_figure(CURVES, studied="mcp")
    assert figure.data[-1].name == "MCP"
    assert figure.data[-1].line.width > max(trace.line.width for trace in figure.data[:-1])


def test_no_penalties_are_an_empty_picture() -> None:
    assert len(curves_figure([]).data) == 0


def test_tangents_touch_where_the_weights_are() -> None:
    curve = PenaltyCurve("log", "log", Log())
    figure = majoriser_figure(curve, [("w1", 0.4), ("w2", 0.0)], reach=1.0)
    for name, touch, slope in (("w1", 0.4, 2.0), ("w2", 0.0, 10.0)):
        x, y = line(figure, f"tangent at {name}")
        assert_allclose(np.diff(y) / np.diff(x), slope, rtol=1e-6)
        assert np.all(y >= Log().curve(x) - 1e-12)
        assert_allclose(line(figure, f"touches at {name}"), [[touch], Log().curve(np.array([touch]))])


def test_the_tangent_of_lp_at_zero_is_drawn_as_a_wall() -> None:
    figure = majoriser_figure(PenaltyCurve("l0.5", "ℓ0.5", Lp()), [("w1", 0.0)], reach=1.0)
    x, y = line(figure, "tangent at w1")
    assert x.tolist() == [0.0, 0.0]
    assert y[1] > Lp().curve(np.ones(1)).item()
