"""The page How numbers are made: its calculator against the definitions."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from core.data import RankingData
from core.metrics import evaluate_ranking
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, table_of
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
    """And says in a sentence what cannot be a list."""
    relevance, scores = [0, 2, 1, 0, 1], [1.0, 1.0, 1.0, 0.5, 0.5]
    app = open_app(
        "numbers", numbers_relevance=" ".join(map(str, relevance)), numbers_scores=", ".join(map(str, scores))
    )
    assert_fine(app)
    found = table_of(app, "MeanNDCG")
    for convention in ("standard", "letor3", "letor4"):
        official = evaluate_ranking(RankingData.build(np.zeros((5, 1)), relevance, [0, 5]), scores, convention)
        orders = []
        for order in permutations(range(5)):
            data = RankingData.build(np.zeros((5, 1)), [relevance[i] for i in order], [0, 5])
            strict = [scores[i] - 0.01 * place for place, i in enumerate(order)]  # Top counts ties, whatever the order
            broken, tied = (evaluate_ranking(data, s, convention) for s in (strict, [scores[i] for i in order]))
            orders.append(broken | {"Top": tied["Top"]})
        for measure in found.columns:
            mean = np.mean([values[measure] for values in orders])
            assert found.loc[convention, measure] == pytest.approx(mean)
            if convention != "standard":
                assert found.loc[f"{convention}, file", measure] == pytest.approx(official[measure])
    assert "standard, file" not in found.index
    assert "12 orders" in " ".join(caption.value for caption in app.caption)
    for relevance, scores, facts in NO_LISTS:
        app.text_input(key="numbers_relevance").set_value(relevance)
        app.text_input(key="numbers_scores").set_value(scores).run()
        assert_fine(app)
        assert_says(" ".join(info.value for info in app.info), *facts)
