"""The top of a list as drawn: every document once, where it scores, and the count that stands beside it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.analysis.top_strips import SHARE_BINS, top_strips
from core.data import Fold, RankingData
from core.figures.look.style import method_style
from core.figures.path.axes import metric_range
from core.figures.picture import Words
from core.figures.top.lists_picture import TopOfLists
from core.figures.top.one_list import TopOfOneList
from core.figures.top.words import MOST_DOTS
from core.models import Model
from tests.figures.samples.sample import model, named

METHOD = "infinite-push-l1"
SOME = ([0, 1, 0, 1, 1, 0], [1.0, 5.0, 3.0, 4.0, -1.0, 2.0])
STRIPS = top_strips(*SOME)


def one_list(relevance: Sequence[int], scores: Sequence[float] | np.ndarray, **parameters: float) -> TopOfOneList:
    """A picture of a model whose only feature are these scores."""
    data = RankingData.build(np.asarray(scores, dtype=float)[:, None], relevance, [0, len(relevance)])
    fit = model("l1").fit
    fit = replace(fit, method=METHOD, parameters=parameters, result=replace(fit.result, weights=np.ones(1)))
    return TopOfOneList(Model(fit, Fold("one", data), Judgement(), "standard"), part="train")


def strips_figure(picture: TopOfOneList) -> go.Figure:
    return picture.drawing(picture.found, Words(""))


def words(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_every_document_is_drawn_once_at_its_height() -> None:
    figure = strips_figure(one_list(*SOME))
    assert named(figure, "positive, above").x.tolist() == [2.0, 1.0]
    assert named(figure, "positive, below").x.tolist() == [-4.0]
    assert named(figure, "top negative").x.tolist() == [0.0]
    assert named(figure, "negative").x.tolist() == [-1.0, -2.0]
    assert sorted(text for trace in figure.data for text in trace.text) == [f"document {k}" for k in range(1, 7)]
    assert "<b>2 of 3 positives above</b>" in words(figure)
    assert named(figure, "positive, above").marker.color == method_style(METHOD).colour


def test_a_document_keeps_its_height_in_the_strip_when_the_model_changes() -> None:
    def lift(scores: list[float]) -> dict[str, float]:
        figure = strips_figure(one_list([1, 0, 0, 1, 0], scores))
        traces = [named(figure, name) for name in ("positive, above", "positive, below")]
        return {text: y for trace in traces for text, y in zip(trace.text, trace.y, strict=True)}

    assert lift([9.0, 1, 2, 8, 3]) == lift([1.0, 5, 2, 9, 3])


def test_the_top_share_is_drawn_where_there_is_one() -> None:
    shared = replace(STRIPS, top_negatives=2)
    figure = one_list(*SOME, top_share=0.5).drawing(shared, Words(""))
    assert named(figure, "negative in the top share").x.tolist() == [-1.0]
    assert named(figure, "negative").x.tolist() == [-2.0]
    assert {shape.name: shape.x0 for shape in figure.layout.shapes} == {
        "top negative": 0.0,
        "margin": 1.0,
        "top share": -1,
    }
    assert "top share κ = 0.5: 2 of 3" in words(figure)
    alone = strips_figure(one_list(*SOME))
    assert "top share" not in {shape.name for shape in alone.layout.shapes}


def test_of_long_lists_those_nearest_to_the_top_are_all_drawn() -> None:
    n = 10 * MOST_DOTS
    picture = one_list([1] + n * [0], np.arange(n + 1.0))
    drawn = named(strips_figure(picture), "negative").x
    assert len(drawn) == MOST_DOTS
    assert drawn[: MOST_DOTS // 2].tolist() == list(range(-1, -MOST_DOTS // 2 - 1, -1))
    assert drawn[-1] == picture.found.negatives[-1]
    left, right = strips_figure(one_list([1, 0], [0.0, 0.0])).layout.xaxis.range
    assert left < 0.0 < right, "the top negative is in the picture even where all scores are equal"


def test_lists_are_counted_method_beside_method() -> None:
    counts = {METHOD: [3, 0, 1, 0, 0, 2], "l1": [4, 0, 0, 0, 0, 2]}
    models = [replace(one, fit=replace(one.fit, method=method)) for one in [model("l1")] for method in counts]
    picture = TopOfLists(models)
    shares = {method: np.repeat([0.0, 0.1, 0.3, 0.6, 0.9, 1.0], row) for method, row in counts.items()}
    figure, (push, svm) = picture.drawing(shares, Words("")), picture.titles.values()
    assert {bar.name: list(bar.x) for bar in figure.data} == {push: counts[METHOD], svm: counts["l1"]}
    assert all([share for share, _ in bar.customdata] == list(SHARE_BINS) for bar in figure.data)
    assert list(figure.layout.yaxis.ticktext) == list(SHARE_BINS)
    assert named(figure, push).marker.color != named(figure, svm).marker.color


def test_an_axis_has_room_around_a_measure_that_never_changes() -> None:
    flat = [PathPoint(model("l1").fit, Judgement({"test": {"NDCG@10": 1.0}}))]
    assert metric_range([flat], "NDCG@10", []) == pytest.approx([0.95, 1.05])
