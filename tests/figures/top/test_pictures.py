"""The notebook's pictures of the top of lists are those of the Top page.

Figures 1 and 2 as drawn: every mean at its place, p-values beside those that have one, sentences from the data.
Figure 3 as drawn: what was given up is open, exponents are named, the title compares like with like.
Table 1 as drawn: ours filled, published open at its own value, significantly worse in brackets.
What is said of models that rank nothing, and of a validation part that chooses nothing.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint
from core.analysis.top_strips import lists_with_a_top
from core.analysis.tradeoff.fold_tradeoff import Spread
from core.analysis.tuning.tuning import told_by_validation
from core.api import pictures
from core.data import Fold
from core.experiments.papers.infinite_push_sets import METHODS, TopRow
from core.experiments.papers.infinite_push_time import ADMM, EXACT, TimingCurve
from core.experiments.papers.infinite_push_toy import REFERENCE, TITLES, ToyPoint
from core.experiments.papers.published_top import PublishedTop
from core.experiments.results.summary import OverFolds
from core.figures.papers.infinite_push import (
    retrieval_panels,
    retrieval_sentence,
    table_sentence,
    timing_figure,
    timing_sentence,
    top_panels,
    top_sentence,
    top_table_figure,
    toy_figure,
)
from core.figures.top.words import headline, lists_title
from core.methods import get_method
from tests.figures.samples.sample import path
from tests.oracles import ranking_problem
from tests.says import assert_says


def test_the_axis_of_lists_reaches_all_of_them_at_every_c() -> None:
    drawn = [pictures.top_of_lists([path("l1").model(number)]).figure for number in (0, 12, 49)]
    ((low, high),) = {tuple(figure.layout.xaxis.range) for figure in drawn}
    assert low == 0.0
    assert high >= len(lists_with_a_top(path("l1").fold.test))


def test_the_model_is_named_and_the_measure_along_its_path_is_drawn_beneath() -> None:
    model = path("l1").with_as_many_features(5)
    for draw in (
        lambda **how: pictures.top_of_lists([model], **how),
        lambda **how: pictures.top_of_one_list(model, **how),
    ):
        plain, whole = draw(), draw(path=path("l1"))
        assert_says(plain.words(plain.found).subtitle, "Fold1", "test", "C =")
        assert_says(whole.words(whole.found).subtitle, "solid", "chosen C", "dashed", "best on validation")
        assert "yaxis2" not in plain.figure.layout.to_plotly_json()
        assert "x2" in {trace.xaxis for trace in whole.figure.data}
        lines = {shape.name for shape in whole.figure.layout.shapes}
        assert lines >= {"chosen C", "best on validation"}
        assert whole.table.equals(plain.table)


def test_the_axis_of_one_list_has_room_for_the_models_of_its_path() -> None:
    model = path("l1").with_as_many_features(5)
    alone = pictures.top_of_one_list(model).figure.layout.xaxis.range
    among = pictures.top_of_one_list(model, path=path("l1")).figure.layout.xaxis.range
    assert among[0] <= alone[0]
    assert among[1] >= alone[1]
    assert among != alone


FAST = TimingCurve(EXACT, 20, (400, 1600, 6400), (0.01, 0.02, 0.04), (True, True, True), 0.5)
SLOW = TimingCurve(ADMM, 20, (400, 1600), (1.0, 4.0), (True, True), 1.0)


def test_fewer_noisy_features_are_solid_more_are_dotted_and_what_was_given_up_is_open() -> None:
    more = TimingCurve(ADMM, 100, (400, 1600), (2.0, 5.0), (True, False), None)
    figure = timing_figure([FAST, more])
    solid, dotted = figure.data
    assert (solid.line.dash, dotted.line.dash) == ("solid", "dot")
    assert (list(dotted.x), list(dotted.y)) == ([400, 1600], [2.0, 5.0])
    assert [symbol.endswith("-open") for symbol in dotted.marker.symbol] == [False, True]
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    exact, admm = (note.text for note in figure.layout.annotations)
    assert_says(exact, "ℓ1 infinite push, exact", "20 noisy", "pairs<sup>0.50</sup>")
    assert_says(admm, "ℓ1 infinite push, ADMM", "100 noisy")
    assert "<sup>" not in admm


def test_the_title_compares_both_solvers_on_the_largest_problem_of_both() -> None:
    said = timing_sentence([FAST, SLOW])
    assert_says(said, "1,600 pairs", "exact infinite push", "20 ms", "ADMM", "200 times")
    assert "at least" not in said
    given_up = TimingCurve(ADMM, 20, (400, 1600), (1.0, 5.0), (True, False), None)
    assert_says(timing_sentence([FAST, given_up]), "ADMM", "at least 250 times")
    assert_says(timing_sentence([FAST]), "ℓ1 infinite push, exact", "pairs", "power", "0.50")
    assert_says(timing_sentence([]), "Nothing")
    assert not timing_figure([]).data


L1, L2, RANK = METHODS


def row(method: str, top: float, p: float | None, s: str = "sonar", published: PublishedTop | None = None) -> TopRow:
    holm = None if p is None else min(2 * p, 1.0)
    tops, kept = OverFolds((top - 0.1, top, top + 0.1)), OverFolds((17.0, 20.0, 23.0))
    return TopRow(s, method, 10, tops, kept, p, holm, published)


ROWS = [row(L1, 0.6, None, published=PublishedTop(0.44, 0.2, 23.7, 6.5)), row(L2, 0.5, 0.03), row(RANK, 0.4, 0.2)]


def test_ours_and_the_published_figures_share_a_row() -> None:
    figure = top_table_figure(ROWS)
    published = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "published"]
    ours = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "sonar, ℓ1 infinite push"]
    assert published == [(0.44, 0), (23.7, 0)]
    assert ours == [(0.6, 0), (20.0, 0)]
    names = figure.layout.yaxis.ticktext
    assert [name.startswith("(") for name in names] == [False, True, False], "significantly worse is in brackets"


def test_the_title_counts_sets() -> None:
    other = [row(L1, 0.3, 0.03, "wine"), row(RANK, 0.6, None, "wine")]
    said = table_sentence([*ROWS, *other])
    assert_says(said, "ℓ1 infinite push", "best on top", "1 of 2 sets", "1", "not significantly worse")
    assert_says(table_sentence([]), "Nothing")


def point(method: str, n_train: int, n_noisy: int, top: float, f: float = 0.5) -> ToyPoint:
    def spread(x: float) -> Spread:
        return Spread(x, 0.02, x - 0.1, x + 0.1)

    p_value = None if method == REFERENCE else 0.012
    return ToyPoint(method, n_train, n_noisy, 3, spread(top), spread(0.6), spread(0.4), spread(f), spread(9), p_value)


TOPS = dict(zip(TITLES, (0.41, 0.38, 0.2, 0.33), strict=True))
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
    assert set(first.text) == {""}
    assert set(named(figure, TITLES["l1"])[0].text) == {"p = .012"}, "beside all but the reference"


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
    assert not toy_figure({}, "training examples", "top").data
    for said in (top_sentence([]), retrieval_sentence([])):
        assert_says(said, "Nothing")


SHOWN = {"l1": "RankSVM ℓ1", "push": "infinite push ℓ1"}
SOME, NOTHING = np.array([0.5, 0.0, 1.0]), np.zeros(3)


def test_of_a_model_that_was_cut_off_nothing_is_claimed() -> None:
    method = get_method("l1")
    fold = Fold("1", ranking_problem(0))
    training = method.training(fold.train)
    stop = replace(method.stop, max_seconds=0.0)
    judge = FoldJudge(fold, "standard")
    cut, whole = (
        PathPoint(fit, judge.judgement(fit.weights))
        for fit in (method.fit(training, training.lam_max / 10, stop=at) for at in (stop, method.stop))
    )
    said = headline("RankSVM ℓ1", cut, "train", one_list=False)
    assert_says(said, "RankSVM ℓ1", "this C", "stopped early")
    assert " ranks " not in said
    assert "positives" not in said
    assert " ranks " in headline("RankSVM ℓ1", whole, "train", one_list=False)


def test_lists_are_counted_of_models_that_have_an_order_only() -> None:
    both = {"l1": SOME, "push": NOTHING}
    said = lists_title(both, SHOWN)
    assert_says(said, "RankSVM ℓ1", "first document", "relevant", "2 of 3 lists", "infinite push ℓ1", "0")
    assert "no " not in said
    said = lists_title(both, SHOWN, ["push"])
    assert_says(said, "RankSVM ℓ1", "first document", "relevant", "2 of 3 lists", "infinite push ℓ1", "no feature")
    said = lists_title({"push": NOTHING, "l1": SOME}, SHOWN, ["push"])
    no_order = ("infinite push ℓ1", "no feature", "no document", "first")
    assert_says(said, *no_order, "RankSVM ℓ1", "relevant", "2 of 3 lists")
    said = lists_title({"push": NOTHING, "l1": NOTHING}, SHOWN, ["push", "l1"])
    assert_says(said, *no_order)
    assert "RankSVM" not in said
    assert "lists" not in said


def test_where_validation_is_the_same_at_every_c_no_model_is_named_best() -> None:
    train, vali = ranking_problem(0), ranking_problem(1)
    points, alone = (core.fit_path(fold, points=5).points for fold in (Fold("1", train, vali, train), Fold("1", train)))
    assert told_by_validation(points, "Top") is not None
    same = [points[0], points[0]]
    assert told_by_validation(same, "Top") is None
    assert told_by_validation(alone, "Top") is None
