"""The notebook's pictures of the top of lists are those of the Top page.

Figure 3 as drawn: what was given up is open, exponents are named, the title compares like with like.
Table 1 as drawn: ours filled, published open at its own value, significantly worse in brackets.
"""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.analysis.top_strips import lists_with_a_top
from core.api import pictures
from core.data import Fold, RankingData
from core.experiments.papers.infinite_push_sets import METHODS, MeanDeviation, TopRow
from core.experiments.papers.infinite_push_time import ADMM, EXACT, TimingCurve
from core.experiments.papers.published_top import PublishedTop
from core.figures.papers.infinite_push import table_sentence, timing_figure, timing_sentence, top_table_figure
from tests.says import assert_says


@pytest.fixture(scope="module")
def path() -> core.ModelPath:
    return core.fit_path(core.open_dataset("planted").fold(1), "l1", points=20)


def lists(relevance: list[list[int]]) -> Fold:
    """Lists of documents with two features, of which the first follows relevance."""
    labels = np.concatenate([np.array(one) for one in relevance])
    features = np.column_stack([labels + 0.1 * np.arange(len(labels)), np.arange(len(labels))[::-1] % 3.0])
    offsets = np.cumsum([0, *map(len, relevance)])
    return Fold(
        "lists", RankingData.build(features, labels, offsets, query_ids=[str(k + 1) for k in range(len(relevance))])
    )


def test_the_axis_of_lists_reaches_all_of_them_at_every_c(path) -> None:
    data = path.fold.test
    ranges = {tuple(pictures.top_of_lists([path.model(number)]).figure.layout.xaxis.range) for number in (0, 5, 19)}
    ((low, high),) = ranges
    assert low == 0.0
    assert high >= len(lists_with_a_top(data))


def test_the_model_is_named_and_the_measure_along_its_path_is_drawn_beneath(path) -> None:
    model = path.with_as_many_features(5)
    for draw in (
        lambda **how: pictures.top_of_lists([model], **how),
        lambda **how: pictures.top_of_one_list(model, **how),
    ):
        plain, whole = draw(), draw(path=path)
        assert_says(plain.words(plain.found).subtitle, "Fold1", "test", "C =")
        assert_says(whole.words(whole.found).subtitle, "solid", "chosen C", "dashed", "best on validation")
        assert "yaxis2" not in plain.figure.layout.to_plotly_json()
        assert "x2" in {trace.xaxis for trace in whole.figure.data}
        lines = {shape.name for shape in whole.figure.layout.shapes}
        assert lines >= {"chosen C", "best on validation"}
        assert whole.table.equals(plain.table)


def test_the_axis_of_one_list_has_room_for_the_models_of_its_path(path) -> None:
    model = path.with_as_many_features(5)
    alone = pictures.top_of_one_list(model).figure.layout.xaxis.range
    among = pictures.top_of_one_list(model, path=path).figure.layout.xaxis.range
    assert among[0] <= alone[0]
    assert among[1] >= alone[1]
    assert among != alone


def test_the_first_list_with_positives_and_negatives_is_drawn_where_the_very_first_has_only_one_kind() -> None:
    fold = lists([[0, 0, 0], [1, 1], [1, 0, 0, 1], [0, 1]])
    model = core.fit(fold, "l1", lambda_ratio=0.1)
    picture = pictures.top_of_one_list(model, part="train")
    assert len(picture.table) == 4
    assert_says(picture.words(picture.found).subtitle, "query 3")


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


def test_a_solver_that_was_given_up_took_at_least_that_long() -> None:
    given_up = TimingCurve(ADMM, 20, (400, 1600), (1.0, 5.0), (True, False), None)
    assert_says(timing_sentence([FAST, given_up]), "ADMM", "at least 250 times")


def test_without_admm_the_title_is_the_exponent() -> None:
    assert_says(timing_sentence([FAST]), "ℓ1 infinite push, exact", "pairs", "power", "0.50")
    assert_says(timing_sentence([]), "Nothing")
    assert not timing_figure([]).data


L1, L2, RANK = METHODS


def row(method: str, top: float, p: float | None, s: str = "sonar", published: PublishedTop | None = None) -> TopRow:
    holm = None if p is None else min(2 * p, 1.0)
    return TopRow(s, method, 10, MeanDeviation(top, 0.1), MeanDeviation(20.0, 3.0), p, holm, published)


ROWS = [row(L1, 0.6, None, published=PublishedTop(0.44, 0.2, 23.7, 6.5)), row(L2, 0.5, 0.03), row(RANK, 0.4, 0.2)]


def test_ours_and_the_published_figures_share_a_row() -> None:
    figure = top_table_figure(ROWS)
    published = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "published"]
    ours = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "sonar, ℓ1 infinite push"]
    assert published == [(0.44, 0), (23.7, 0)]
    assert ours == [(0.6, 0), (20.0, 0)]


def test_significantly_worse_is_in_brackets() -> None:
    names = top_table_figure(ROWS).layout.yaxis.ticktext
    assert [name.startswith("(") for name in names] == [False, True, False]


def test_the_title_counts_sets() -> None:
    other = [row(L1, 0.3, 0.03, "wine"), row(RANK, 0.6, None, "wine")]
    said = table_sentence([*ROWS, *other])
    assert_says(said, "ℓ1 infinite push", "best on top", "1 of 2 sets", "1", "not significantly worse")
    assert_says(table_sentence([]), "Nothing")
