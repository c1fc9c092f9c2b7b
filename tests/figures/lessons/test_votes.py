"""The votes of a class in a sentence, a table and a picture, with the result beside them; and a single guess."""

from typing import Any

import pytest

from core.figures.lessons.guess import (
    BINS,
    FOUND,
    GUESSED,
    MOST_ORDERS,
    Votes,
    gap_figure,
    gap_rows,
    gap_sentence,
    votes_figure,
    votes_rows,
    votes_sentence,
)
from core.lessons.lesson import Choice, Curve, Number, Order, Prediction
from tests.says import assert_says

CHOICE = Choice("Which?", ("none", "<b>some</b>", "all"), ("none", "some", "all"))
NUMBER = Number("How many?", 1.0, 1000.0, 1.2, "features", log=True)
ORDER = Order("Which first?", ("l1", "log", "mcp"), ("a", "b", "c"), "fewest", "most")
CURVE = Curve("Draw it", "features", (1.0, 2.0, 4.0), "NDCG", 0.0, 1.0, x_log=True)
CASES: list[tuple[Prediction, list[Votes], Any]] = [
    (CHOICE, [{0: 3, 1: 7}, {0: 9, 1: 2}], 0),
    (NUMBER, [{10.0: 2, 100.0: 5}, {20.0: 8}], 2000.0),
    (ORDER, [{(0, 1, 2): 3, (2, 1, 0): 5}], [1, 0, 2]),
    (CURVE, [{(0.1, 0.3, 0.5): 2, (0.2, 0.6, 0.7): 1}], [(1.0, 0.4), (4.0, 0.6)]),
]


@pytest.mark.parametrize(("predict", "votes", "value"), CASES)
def test_all_votes_are_in_the_table_and_the_picture(predict: Prediction, votes: list[Votes], value: Any) -> None:
    for known in (None, value):
        rows = votes_rows(predict, votes, known)
        for name, one in zip(("first vote", "second vote"), votes, strict=False):
            assert sum(row[name] for row in rows) == sum(one.values())
        figure = votes_figure(predict, votes, known)
        bars = [sum(bar.y if predict is NUMBER else bar.x) for bar in figure.data if bar.type == "bar"]
        assert bars == ([] if predict is CURVE else [sum(one.values()) for one in votes])
        assert ("the result" in str(figure)) == (known is not None and predict in (NUMBER, CURVE))
        assert votes_figure(predict, [{}], known).layout.height  # without votes
        assert "no votes" in votes_sentence(predict, [{}], known)


def test_the_result_is_told_only_where_it_is_given() -> None:
    votes = [{0: 3, 1: 7}, {0: 9, 1: 2}]
    assert_says(votes_sentence(CHOICE, votes), "First vote: 10 votes, most (7)", "Second vote: 11 votes, most (9)")
    assert "result" not in votes_sentence(CHOICE, votes)
    assert_says(votes_sentence(CHOICE, votes, 0), "3 of 10", "9 of 11")
    assert "result" not in votes_rows(CHOICE, votes)[0]
    assert [row["result"] for row in votes_rows(CHOICE, votes, 0)] == ["✓", "", ""]
    assert_says(votes_sentence(NUMBER, [{10.0: 2, 100.0: 5}], 18.0), "7 votes", "100 features")
    assert_says(votes_sentence(CHOICE, [{0: 2, 2: 2, 1: 1}]), "5 votes, 2 each for", "none", "all")


def test_the_second_vote_is_not_told_from_the_first_by_colour_alone() -> None:
    first, second = votes_figure(CHOICE, CASES[0][1]).data
    assert first.marker.pattern.shape != second.marker.pattern.shape


def test_an_order_that_nobody_voted_for_has_a_row_as_the_result() -> None:
    many = {(k, k + 1, k + 2): 9 - k for k in range(8)}
    order = Order("Which?", tuple(f"m{k}" for k in range(12)), tuple("abcdefghijkl"), "a", "b")
    names = votes_figure(order, [many], [11, 10, 9]).layout.yaxis.ticktext
    assert len(names) == MOST_ORDERS + 1
    assert names[-1] == "✓ m11, m10, m9"


def test_names_are_text_and_a_scale_has_few_bars() -> None:
    assert "<b>" not in str(votes_figure(CHOICE, [{1: 1}]).layout.yaxis.ticktext)
    bars = votes_figure(Number("How many?", 0.0, 500.0, 1.0), [{500.0: 2, 0.0: 1}]).data[0]
    assert len(bars.x) == BINS
    assert (bars.y[0], bars.y[-1]) == (1, 2)


SCALE = Number("How many?", 0.0, 60.0, 1.0, "features")
ITEMS = Order("Which first?", ("Newton", "FISTA", "subgradient"), ("a", "b", "c"), "few", "many")
LINE = Curve("How?", "λ", (0.1, 1.0), "kept", 0.0, 60.0, x_log=True)


def test_guess_and_result_stand_at_their_numbers() -> None:
    figure = gap_figure(SCALE, 12.0, 31.0)
    assert figure is not None
    marks = {trace.name: trace.x[0] for trace in figure.data if trace.name}
    assert marks == {GUESSED: 12.0, FOUND: 31.0}
    assert "12 features" in gap_sentence(SCALE, 12.0, 31.0)
    assert "31 features" in gap_sentence(SCALE, 12.0, 31.0)


@pytest.mark.parametrize("far", [0.0, 500.0])
def test_a_result_beyond_the_scale_is_in_the_picture(far: float) -> None:
    figure = gap_figure(Number("?", 1.0, 60.0, 1.0), 12.0, far)
    assert figure is not None
    low, high = figure.layout.xaxis.range
    assert low < far < high


def test_an_order_has_a_level_line_where_the_guess_was_right() -> None:
    figure = gap_figure(ITEMS, (0, 2, 1), (0, 1, 2))
    assert figure is not None
    assert {trace.name: tuple(trace.y) for trace in figure.data} == {
        "Newton": (1, 1),
        "FISTA": (3, 2),
        "subgradient": (2, 3),
    }
    assert gap_rows(ITEMS, (0, 2, 1), (0, 1, 2))[1] == {"item": "FISTA", GUESSED: 3, FOUND: 2}


def test_a_curve_is_drawn_over_the_true_one() -> None:
    figure = gap_figure(LINE, (40.0, 3.0), ((0.1, 30.0), (0.5, 9.0), (1.0, 0.0)))
    assert figure is not None
    assert {trace.name: tuple(trace.y) for trace in figure.data} == {GUESSED: (40.0, 3.0), FOUND: (30.0, 9.0, 0.0)}
    assert figure.layout.showlegend
    assert len(gap_rows(LINE, (40.0, 3.0), ((0.1, 30.0),))) == 3


def test_without_a_guess_there_is_the_result_alone() -> None:
    for predict, value in ((SCALE, 3.0), (ITEMS, (2, 1, 0)), (LINE, ((0.1, 2.0), (1.0, 1.0)))):
        figure = gap_figure(predict, None, value)
        assert figure is not None
        assert GUESSED not in {trace.name for trace in figure.data}
        assert gap_rows(predict, None, value)
    assert gap_figure(Choice("?", ("yes", "no"), ("a", "b")), 0, 1) is None
