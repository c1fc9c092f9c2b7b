"""How numbers are made: its calculator against the definitions."""

import pytest

from tests.app.conftest import Open
from tests.app.fitting import table_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

NO_LISTS = [
    ("0 1 x", "1 2 3", ("Relevance", "3", "'x'", "not a whole number")),
    ("0 1 1", "1 nan 3", ("Score", "2", "'nan'", "not a number")),
    ("0 1", "1 2 3", ("2 documents", "2 scores", "3")),
    ("٣ 1", "1 2", ("Relevance", "1")),
    (" ", "1", ("1", "1,000 numbers")),
]
"""Relevance and scores that cannot be a list, and what is said of them."""


def test_the_calculator_gives_the_official_value_and_the_mean_over_the_orders_of_ties(open_app: Open) -> None:
    """And says in a sentence what cannot be a list; the measures are held to their definitions in tests/metrics."""
    app = open_app("numbers", numbers_relevance="0 1 0", numbers_scores="1, 1, 0.5")
    found = table_of(app, "MeanNDCG")
    assert found["MAP"].to_dict() == pytest.approx(
        dict.fromkeys(("standard", "letor3", "letor4"), 0.75) | dict.fromkeys(("letor3, file", "letor4, file"), 0.5)
    )
    assert found.loc["standard", "NDCG@3"] < found.loc["letor4", "NDCG@3"], "their discounts at rank 2 differ"
    assert "2 orders" in " ".join(caption.value for caption in app.caption)
    for relevance, scores, facts in NO_LISTS:
        app.text_input(key="numbers_relevance").set_value(relevance)
        app.text_input(key="numbers_scores").set_value(scores).run()
        assert_says(" ".join(info.value for info in app.info), *facts)
