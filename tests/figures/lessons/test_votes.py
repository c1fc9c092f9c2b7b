"""The votes of a class in a sentence, a table and a picture, with the result beside them."""

from __future__ import annotations

from typing import Any

import pytest

from core.figures.lessons.votes import BINS, MOST_ORDERS, Votes, votes_figure, votes_rows, votes_sentence
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
