"""The top of a list as drawn: every document once, where it scores, and the count that stands beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.path import PathPoint
from core.analysis.top_strips import SHARE_BINS, top_strips
from core.figures.look.style import method_style
from core.figures.path.axes import metric_range
from core.figures.top.along import top_along_figure
from core.figures.top.strips import MOST_DOTS, shares_figure, strips_figure
from core.methods import get_method
from tests.oracles import ranking_problem

METHOD = "infinite-push-l1"
NAMES = [f"document {k}" for k in range(6)]
STRIPS = top_strips([0, 1, 0, 1, 1, 0], [1.0, 5.0, 3.0, 4.0, -1.0, 2.0])


def named(figure: go.Figure, name: str) -> Any:
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return trace


def words(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_every_document_is_drawn_once_at_its_height() -> None:
    figure = strips_figure(STRIPS, METHOD, NAMES, (-5.0, 3.0))
    go.Figure(figure.to_dict())  # raises at a property that there is none of
    assert named(figure, "positive, above").x.tolist() == [2.0, 1.0]
    assert named(figure, "positive, below").x.tolist() == [-4.0]
    assert named(figure, "top negative").x.tolist() == [0.0]
    assert named(figure, "negative").x.tolist() == [-1.0, -2.0]
    assert sorted(text for trace in figure.data for text in trace.text) == NAMES
    assert "<b>2 of 3 positives above</b>" in words(figure)
    assert named(figure, "positive, above").marker.color == method_style(METHOD).colour


def test_a_document_keeps_its_height_in_the_strip_when_the_model_changes() -> None:
    def lift(scores: list[float]) -> dict[str, float]:
        figure = strips_figure(top_strips([1, 0, 0, 1, 0], scores), METHOD, NAMES, (-9.0, 9.0))
        traces = [named(figure, name) for name in ("positive, above", "positive, below")]
        return {text: y for trace in traces for text, y in zip(trace.text, trace.y, strict=True)}

    assert lift([9.0, 1, 2, 8, 3]) == lift([1.0, 5, 2, 9, 3])


def test_the_top_share_is_drawn_where_there_is_one() -> None:
    shared = replace(STRIPS, top_negatives=2)
    figure = strips_figure(shared, METHOD, NAMES, (-5.0, 3.0), top_share=0.5)
    assert named(figure, "negative in the top share").x.tolist() == [-1.0]
    assert named(figure, "negative").x.tolist() == [-2.0]
    assert {shape.name: shape.x0 for shape in figure.layout.shapes} == {
        "top negative": 0.0,
        "margin": 1.0,
        "top share": -1,
    }
    assert "top share κ = 0.5: 2 of 3" in words(figure)
    alone = strips_figure(STRIPS, METHOD, NAMES, (-5.0, 3.0))
    assert "top share" not in {shape.name for shape in alone.layout.shapes}


def test_of_long_lists_those_nearest_to_the_top_are_all_drawn() -> None:
    n = 10 * MOST_DOTS
    strips = top_strips([1] + n * [0], np.arange(n + 1.0))
    drawn = named(strips_figure(strips, METHOD, [str(k) for k in range(n + 1)], (-n, 1.0)), "negative").x
    assert len(drawn) == MOST_DOTS
    assert drawn[: MOST_DOTS // 2].tolist() == list(range(-1, -MOST_DOTS // 2 - 1, -1))
    assert drawn[-1] == strips.negatives[-1]


def test_the_top_negative_is_in_the_picture_even_where_all_scores_are_equal() -> None:
    strips = top_strips([1, 0], [0.0, 0.0])
    left, right = strips_figure(strips, METHOD, NAMES, (0.0, 0.0)).layout.xaxis.range
    assert left < 0.0 < right


def test_lists_are_counted_method_beside_method() -> None:
    counts = {METHOD: [3, 0, 1, 0, 0, 2], "l1": [4, 0, 0, 0, 0, 2]}
    figure = shares_figure(counts, {METHOD: "push", "l1": "RankSVM"})
    assert {bar.name: list(bar.x) for bar in figure.data} == {"push": counts[METHOD], "RankSVM": counts["l1"]}
    assert all([share for share, _ in bar.customdata] == list(SHARE_BINS) for bar in figure.data)
    assert list(figure.layout.yaxis.ticktext) == list(SHARE_BINS)
    assert named(figure, "push").marker.color != named(figure, "RankSVM").marker.color


def point(method: str, lam: float, kept: int, top: float) -> PathPoint:
    data = ranking_problem(0)
    fit = get_method("l1").fit(get_method("l1").training(data), 0.1)
    weights = np.where(np.arange(data.n_features) < kept, 1.0, 0.0)
    fit = replace(fit, method=method, lam=lam, lam_max=1.0, result=replace(fit.result, weights=weights))
    return PathPoint(fit, {"train": {"Top": top + 0.1}, "test": {"Top": top}})


def test_a_line_for_every_method_and_part_over_lambda() -> None:
    paths = {METHOD: [point(METHOD, 1.0, 0, 0.0), point(METHOD, 0.5, 2, 0.4), point(METHOD, 0.2, 2, 0.6)],
             "l1": [point("l1", 1.0, 0, 0.0), point("l1", 0.1, 1, 0.2)]}  # fmt: skip
    titles = {METHOD: "push", "l1": "RankSVM"}
    figure = top_along_figure(paths, titles, chosen=paths[METHOD][1])
    assert {trace.name for trace in figure.data} == {"push, train", "push, test", "RankSVM, train", "RankSVM, test"}
    assert list(named(figure, "push, test").x) == [1.0, 0.5, 0.2]
    assert list(named(figure, "push, test").y) == [0.0, 0.4, 0.6]
    assert figure.layout.shapes[0].x0 == 0.5


def test_a_measure_that_never_changes_gets_an_axis_around_it() -> None:
    flat = [PathPoint(point(METHOD, 0.5, 1, 0.0).fit, {"test": {"NDCG@10": 1.0}})]
    assert metric_range([flat], "NDCG@10", []) == pytest.approx([0.95, 1.05])
