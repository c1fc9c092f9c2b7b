"""One query under two scorings."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.queries.side_by_side import ideal_scores, side_by_side, single_feature_weights
from core.data import RankingData

DATA = RankingData.build(np.arange(14.0).reshape(7, 2), [9, 0, 1, 2, 0, 1, 1], [0, 1, 5, 7])


def test_places_and_moves_are_those_of_the_one_query() -> None:
    a, b = np.array([0.0, 1, 4, 3, 2, 0, 0]), np.array([0.0, 4, 1, 2, 3, 0, 0])
    found = side_by_side(DATA, 1, a, b, "standard")
    assert found.data.relevance.tolist() == [0, 1, 2, 0]
    assert found.order_a.tolist() == [1, 2, 3, 0]
    assert found.places_a.tolist() == [4, 1, 2, 3]
    assert found.places_b.tolist() == [1, 4, 3, 2]
    assert found.moves.tolist() == [-3, 3, 1, -1]
    assert found.relevant_moves == (2, 0, 0)
    assert found.measure("MAP") == pytest.approx((1.0, (1 / 3 + 2 / 4) / 2))


def test_documents_with_the_same_score_keep_the_order_of_the_file() -> None:
    found = side_by_side(DATA, 1, np.zeros(7), ideal_scores(DATA), "standard")
    assert found.places_a.tolist() == [1, 2, 3, 4]
    assert found.order_b.tolist() == [2, 1, 0, 3]
    assert found.measure("NDCG@10")[1] == 1.0


def test_a_single_feature_ranks_either_way() -> None:
    assert single_feature_weights(3, 1).tolist() == [0, 1, 0]
    assert single_feature_weights(3, 1, reverse=True).tolist() == [0, -1, 0]


@pytest.mark.parametrize("query", [-1, 3])
def test_a_query_that_is_not_there_is_refused(query: int) -> None:
    with pytest.raises(IndexError, match="3 queries"):
        side_by_side(DATA, query, np.zeros(7), np.zeros(7), "standard")
