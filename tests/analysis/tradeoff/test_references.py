"""What sparse models are compared with has one definition: validation picks the C of the model of all features.

The best single feature is chosen on the training part and measured on all.
Who suffers: the changes of all queries add up to the difference that pages quote, and the worst stand first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.single_feature import single_feature_scores
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tradeoff.query_changes import query_changes
from core.analysis.tradeoff.tradeoff import DENSE, MEASURES, TradeoffPoint, dense_reference
from core.data import Fold, RankingData
from core.experiments.results.difference import model_difference
from core.metrics import evaluate_ranking
from tests.oracles import one_relevant_at, ranking_problem


def model(vali: float, test: float, c: float) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint(DENSE, 20, 1.0, values, 0.01, c, 1.0 / c, tuple(range(20)))


def test_validation_picks_it_and_test_has_no_say() -> None:
    path = [model(0.5, 0.9, 1.0), model(0.7, 0.6, 2.0), model(0.6, 0.8, 3.0)]
    assert dense_reference(path, "MAP") == path[1]


def test_among_equals_the_smallest_c_is_taken() -> None:
    path = [model(0.3, 0.1, 3.0), model(0.1 + 0.2, 0.2, 2.0)]
    assert dense_reference(path, "MAP") == path[1]


def negated(data: RankingData) -> RankingData:
    return replace(data, features=-data.features)


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


FOLD = Fold("Fold1", ranking_problem(0), ranking_problem(9), ranking_problem(4))
JUDGE = FoldJudge(FOLD, "standard")
DRAW = np.random.default_rng(2)
BEFORE, AFTER = DRAW.normal(size=(2, FOLD.train.n_features))


@pytest.mark.parametrize("part", ["train", "vali", "test"])
@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_the_changes_are_those_of_the_quoted_difference_worst_first(part: str, measure: str) -> None:
    changes = query_changes(JUDGE, BEFORE, AFTER, part, measure)
    losses = [change.change for change in changes]
    assert losses == sorted(losses)
    assert np.mean(losses) == pytest.approx(model_difference(JUDGE, AFTER, BEFORE, part, measure).value)


def test_each_query_keeps_its_own_numbers() -> None:
    data = FOLD.parts()["test"]
    after = dict(zip(map(str, data.query_ids), JUDGE.per_query(AFTER, "test", "MAP"), strict=True))
    for change in query_changes(JUDGE, BEFORE, AFTER, "test", "MAP"):
        q = list(map(str, data.query_ids)).index(change.query_id)
        documents = data.relevance[data.query_offsets[q] : data.query_offsets[q + 1]]
        assert (change.n_documents, change.n_relevant) == (len(documents), int((documents >= 1).sum()))
        assert change.after == after[change.query_id]
