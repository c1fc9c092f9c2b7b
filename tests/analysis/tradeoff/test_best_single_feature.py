"""The best single feature is chosen on the training part and measured on all."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.features.single_feature import single_feature_scores
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.data import Fold, RankingData
from core.metrics import evaluate_ranking
from tests.oracles import one_relevant_at, ranking_problem


def negated(data: RankingData) -> RankingData:
    return RankingData(
        features=-data.features,
        relevance=data.relevance,
        query_offsets=data.query_offsets,
        query_ids=data.query_ids,
        feature_names=data.feature_names,
    )


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_best_of_the_table_of_single_features(seed: int) -> None:
    train, test = ranking_problem(seed), ranking_problem(seed + 10)
    best = best_single_feature(Fold("1", train, None, test), "standard", "NDCG@10")
    table = single_feature_scores(train, "standard")
    assert best.values["train"] == max(max(row.ndcg_at_10, row.reversed_ndcg_at_10) for row in table)
    scores = (-1 if best.reverse else 1) * test.features[:, best.index - 1]
    assert best.values["test"] == evaluate_ranking(test, scores, "standard")["NDCG@10"]
    assert set(best.values) == {"train", "test"}


def test_turned_features_are_found_by_ascending_value() -> None:
    data = ranking_problem(0)
    plain = best_single_feature(Fold("1", data), "letor4", "MAP")
    turned = best_single_feature(Fold("1", negated(data)), "letor4", "MAP")
    assert (turned.index, turned.reverse) == (plain.index, not plain.reverse)
    assert turned.values == plain.values


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize("ranks", [((1, 6, 8), (8, 6, 1)), ((8, 6, 1), (1, 6, 8))])
def test_among_features_whose_values_differ_by_rounding_only_it_is_the_first(
    measure: str, ranks: tuple[tuple[int, ...], ...]
) -> None:
    data = one_relevant_at(*ranks, n_documents=12)  # so long that no feature is better by its rising values
    best = best_single_feature(Fold("1", data), "standard", measure)
    assert (best.index, best.reverse) == (1, False)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize("ranks", [(1, 6, 8, 8, 3, 1), (8, 3, 1, 1, 6, 8)])
def test_a_feature_that_ranks_as_well_up_as_down_is_descending(measure: str, ranks: tuple[int, ...]) -> None:
    assert not best_single_feature(Fold("1", one_relevant_at(ranks)), "standard", measure).reverse


def test_among_constant_features_it_is_the_first() -> None:
    data = ranking_problem(0)
    flat = RankingData(
        features=np.zeros_like(data.features),
        relevance=data.relevance,
        query_offsets=data.query_offsets,
        query_ids=data.query_ids,
        feature_names=data.feature_names,
    )
    best = best_single_feature(Fold("1", flat), "standard", "MAP")
    assert (best.index, best.reverse) == (1, False)
