"""What a model changes for every query against another one."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.queries.changes import main_mover, moving_features, query_changes
from core.analysis.queries.side_by_side import ideal_scores
from core.data import Fold, RankingData


@pytest.fixture
def data() -> RankingData:
    rng = np.random.default_rng(3)
    return RankingData.build(rng.normal(size=(60, 4)), rng.integers(0, 3, 60), [0, 7, 20, 21, 45, 60])


def test_the_values_are_those_of_the_judge(data: RankingData) -> None:
    w, v = np.array([1.0, 0, -1, 0.5]), np.array([0.0, 0, 0, 1])
    judge = FoldJudge(Fold("f", data), "letor4")
    for measure in ("MAP", "NDCG@10"):
        found = query_changes(data, data.features @ w, data.features @ v, "letor4", measure)
        assert found.a == pytest.approx(judge.per_query(w, "train", measure))
        assert found.b == pytest.approx(judge.per_query(v, "train", measure))
        assert np.all(np.diff(found.delta[found.order]) >= 0)
        assert sum(found.counts) == data.n_queries


def test_against_the_ideal_order_nothing_gains(data: RankingData) -> None:
    found = query_changes(data, data.features[:, 0], ideal_scores(data), "standard", "MAP")
    assert found.counts[1] == 0


@pytest.mark.parametrize("query", range(5))
@pytest.mark.parametrize("ideal", [False, True])
def test_moving_features_are_those_of_all_pairs(data: RankingData, query: int, ideal: bool) -> None:
    """Brute force over explicit pairs."""
    w, v = np.array([1.0, 0, -1, 0.5]), np.array([0.3, 0, 0, 1])
    rows = slice(*data.query_offsets[query : query + 2])
    x, relevance = data.features[rows], data.relevance[rows]
    a = w / (x @ w).std() if len(x) > 1 else np.zeros(4)
    b = np.zeros(4) if ideal or len(x) == 1 else v / (x @ v).std()
    scores_b = relevance if ideal else x @ b
    moved, pairs = np.zeros(4), 0
    for i in range(len(x)):
        for k in range(len(x)):
            if relevance[i] > relevance[k] and (x[i] @ a > x[k] @ a) != (scores_b[i] > scores_b[k]):
                moved += (a - b) * (x[i] - x[k])
                pairs += 1
    found = moving_features(data, query, w, None if ideal else v)
    assert found[1] == pairs
    assert found[0] == pytest.approx(moved)
    assert np.allclose(moving_features(data, query, 100 * w, None if ideal else v)[0], moved), "only the order counts"


def test_the_mover_goes_the_way_of_the_query() -> None:
    moved = np.array([-2.0, 0.0, 1.0])
    assert main_mover(moved, -0.1) == 0
    assert main_mover(moved, 0.1) == 2
    assert main_mover(moved, 0.0) is None
    assert main_mover(np.zeros(3), -0.1) is None
