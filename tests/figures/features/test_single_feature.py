"""The dot plot of single features draws the numbers it is given, in their order, against chance."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from core.analysis.features.random_ranking import Band, DrawnValues
from core.analysis.features.single_feature import SingleFeatureScore
from core.figures.features.single_feature import single_feature_figure

BAND = Band(expected=0.3, low=0.25, high=0.35)
WEIGHTS = DrawnValues(mean=0.45, low=0.4, high=0.5)
SCORES = [
    SingleFeatureScore(1, "length", 0.2, 0.25, 0.5, 0.4, 0.2, 0.25),
    SingleFeatureScore(2, "BM25", 0.6, 0.55, 0.1, 0.15, 0.6, 0.55),
    SingleFeatureScore(3, "TF", 0.4, 0.57, 0.2, 0.12, 0.4, 0.57),
    SingleFeatureScore(4, "nothing", 0.9, 0.9, 0.9, 0.9, 0.9, 0.9),
]


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(trace for trace in figure.data if trace.name == name)


@pytest.mark.parametrize(
    ("measure", "order", "values"),
    [("NDCG@10", ["4", "2", "3", "1"], (0.9, 0.6, 0.4, 0.2)), ("MAP", ["4", "3", "2", "1"], (0.9, 0.57, 0.55, 0.25))],
)
def test_dots_are_sorted_by_the_measure_best_on_top(measure, order, values):
    figure = single_feature_figure(SCORES, measure, BAND, WEIGHTS, constant={4})
    dots = trace(figure, "larger is better")
    assert list(dots.y) == order
    assert tuple(dots.x) == values
    assert list(figure.layout.yaxis.categoryarray) == order
    bottom, top = figure.layout.yaxis.range
    assert bottom > top, "the first row is on top"


def test_a_feature_better_in_reverse_has_a_second_mark_and_no_other_has():
    marks = trace(single_feature_figure(SCORES, "NDCG@10", BAND, WEIGHTS, constant={4}), "smaller is better")
    assert (list(marks.y), list(marks.x)) == (["1"], [0.5])


def test_a_constant_feature_is_hollow_and_never_the_best():
    figure = single_feature_figure(SCORES, "NDCG@10", BAND, WEIGHTS, constant={4})
    assert list(trace(figure, "larger is better").marker.symbol) == ["circle-open", "circle", "circle", "circle"]
    assert [note.text.strip() for note in figure.layout.annotations] == [
        "random order 0.3000",
        "random weights 0.4500",
        "best 0.6000",
    ]


def test_the_best_may_be_a_feature_turned_round():
    figure = single_feature_figure(SCORES[:1], "NDCG@10", BAND, WEIGHTS)
    assert [note.text.strip() for note in figure.layout.annotations] == [
        "random order 0.3000",
        "random weights 0.4500",
        "best 0.5000",
    ]


def test_the_band_and_the_lines_stand_where_both_kinds_of_chance_and_the_best_are():
    figure = single_feature_figure(SCORES, "NDCG@10", BAND, WEIGHTS, constant={4})
    assert [(shape.type, shape.x0, shape.x1) for shape in figure.layout.shapes] == [
        ("rect", 0.25, 0.35), ("line", 0.3, 0.3), ("line", 0.45, 0.45), ("line", 0.6, 0.6),
    ]  # fmt: skip


def test_only_the_best_are_drawn_where_there_are_too_many():
    figure = single_feature_figure(SCORES, "NDCG@10", BAND, WEIGHTS, most=2)
    assert list(trace(figure, "larger is better").y) == ["4", "2"]


def test_long_names_are_short_on_the_axis_and_whole_on_hover():
    name = "inverse document frequency of the whole document"
    long = [SingleFeatureScore(1, name, 0.2, 0.2, 0.1, 0.1, 0.2, 0.2)]
    figure = single_feature_figure(long, "MAP", BAND, WEIGHTS)
    assert figure.layout.yaxis.ticktext == ("inverse document…",)
    assert trace(figure, "larger is better").customdata[0][0] == name
