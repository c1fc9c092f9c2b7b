"""The bars of a model: its non-zero weights, largest on top, each with its feature's name."""

from __future__ import annotations

import re

import numpy as np

from core.figures.fit.weights import weights_figure
from core.figures.look.style import METHOD_STYLES
from core.names.short import LONGEST

WEIGHTS = np.array([0.0, -3.0, 0.5, 0.0, 2.0])
NAMES = ["unused", "price", "age", "colour", "stars"]


def test_non_zero_weights_are_drawn_from_the_bottom_up_by_size() -> None:
    figure = weights_figure(WEIGHTS, NAMES, "mcp")
    (bars,) = figure.data
    assert list(bars.x) == [0.5, 2.0, -3.0]
    assert list(bars.y) == ["3", "5", "2"]
    assert [name.strip() for name in figure.layout.yaxis.ticktext] == ["age", "stars", "price"]
    assert bars.marker.color == METHOD_STYLES["mcp"].colour


def test_the_sign_is_told_by_more_than_the_side() -> None:
    opacity = weights_figure(WEIGHTS, NAMES, "l1").data[0].marker.opacity
    assert opacity[0] == opacity[1] > opacity[2]


def test_features_of_the_same_name_keep_bars_of_their_own() -> None:
    (bars,) = weights_figure(np.array([1.0, 2.0]), ["same", "same"], "l1").data
    assert list(bars.y) == ["1", "2"]


def test_of_many_features_the_largest_are_drawn_and_the_rest_counted() -> None:
    figure = weights_figure(np.arange(1.0, 11.0), [f"f{k}" for k in range(10)], "l1", most=4, subtitle="weights")
    assert list(figure.data[0].x) == [7.0, 8.0, 9.0, 10.0]
    assert "6 smaller ones" in figure.layout.title.text


def test_a_long_name_is_cut_on_the_axis_and_whole_on_hover() -> None:
    name = "covered terms of the module's documentation, summary left out"
    figure = weights_figure(np.array([1.0]), [name], "l1")
    (tick,) = figure.layout.yaxis.ticktext
    assert len(tick) <= LONGEST + 1
    shown = re.findall(r"\w+", tick)
    assert shown == [word for word in re.findall(r"\w+", name) if word in shown]
    assert "…" in tick
    assert figure.data[0].customdata[0][0] == name


def test_an_empty_model_is_an_empty_picture() -> None:
    (bars,) = weights_figure(np.zeros(3), ["a", "b", "c"], "l1").data
    assert len(bars.x) == 0
