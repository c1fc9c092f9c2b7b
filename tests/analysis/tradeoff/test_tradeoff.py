"""Fewest features, best ranking: which models are worth having, and what the next feature would bring.

What sparse models are compared with has one definition: validation picks the C of the model of all features.

The best single feature is chosen on the training part and measured on all.
Who suffers: the changes of all queries add up to the difference that pages quote, and the worst stand first.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FoldJudge
from core.analysis.features.single_feature import single_feature_scores
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tradeoff.tradeoff import (
    DENSE,
    MEASURES,
    TradeoffPoint,
    best_single_features,
    best_within,
    budget,
    dense_reference,
    pareto_front,
    query_changes,
    tradeoff_points,
)
from core.data import Fold
from core.experiments.results.difference import model_difference
from core.methods import get_method
from core.metrics import evaluate_ranking
from tests.oracles import one_relevant_at, ranking_problem

FOLD = Fold("Fold1", ranking_problem(0), ranking_problem(9), ranking_problem(4))


def model(kept: int, vali: float, *, test: float = 0.0, method: str = "l1", c: float = 1.0) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("train", 1.0), ("vali", vali), ("test", test))}
    return TradeoffPoint(method, kept, kept / 20, values, 0.01, c, 0.1, tuple(range(kept)))


models = st.builds(model, st.integers(1, 8), st.integers(0, 6).map(lambda v: v / 6), c=st.sampled_from([0.5, 1.0, 2.0]))


@given(st.lists(models, max_size=12))
def test_the_front_is_what_no_model_with_as_few_features_beats(points: list[TradeoffPoint]) -> None:
    front = pareto_front(points, "MAP")

    def beaten(point: TradeoffPoint) -> bool:
        better = [p for p in points if p.kept <= point.kept and p.judged("MAP") > point.judged("MAP")]
        sparser = [p for p in points if p.kept < point.kept and p.judged("MAP") >= point.judged("MAP")]
        return bool(better or sparser)

    undominated = {(p.kept, p.judged("MAP")) for p in points if not beaten(p)}
    assert [(p.kept, p.judged("MAP")) for p in front] == sorted(undominated)


@given(st.lists(models, max_size=12), st.integers(0, 9))
def test_the_best_within_a_limit_is_the_best_of_those_that_keep_it(points: list[TradeoffPoint], limit: int) -> None:
    found = best_within(points, limit, "MAP")
    allowed = [p for p in points if p.kept <= limit]
    if found is None:
        assert not allowed
    else:
        assert found in allowed
        assert found.judged("MAP") == max(p.judged("MAP") for p in allowed)


def test_a_model_is_chosen_on_validation_whatever_it_does_on_test() -> None:
    good, lucky = model(3, 0.7, test=0.1), model(3, 0.6, test=0.9)
    assert best_within([lucky, good], 5, "MAP") is good
    assert choosing_part(["train", "test"]) == "train"
    assert choosing_part(["train", "vali", "test"]) == "vali"


def test_among_equals_the_sparsest_then_the_smallest_c_is_chosen() -> None:
    wasteful, large, small = model(4, 0.7), model(3, 0.7, c=2.0), model(3, 0.7, c=0.5)
    assert best_within([wasteful, large, small], 9, "MAP") is small


@pytest.mark.parametrize("rounding", [5.6e-17, -5.6e-17])
def test_values_that_differ_by_rounding_only_are_equal(rounding: float) -> None:
    few, many = model(2, 0.2), model(9, 0.2 + rounding)
    assert few.judged("MAP") != many.judged("MAP")
    assert pareto_front([many, few], "MAP") == (few,)
    assert best_within([many, few], 9, "MAP") is few
    found = budget([many, few], 2, "MAP")
    assert found is not None
    assert (found.chosen, found.one_more, found.next_better, found.best) == (few, few, None, few)
    small, large = model(2, 0.2, c=0.5), model(2, 0.2 + rounding, c=2.0)
    assert pareto_front([large, small], "MAP") == (small,)


def test_a_budget_says_what_the_next_feature_brings() -> None:
    two, three, six = model(2, 0.5), model(3, 0.6), model(6, 0.8)
    found = budget([six, two, three], 2, "MAP")
    assert found is not None
    assert (found.chosen, found.one_more, found.next_better, found.best) == (two, three, three, six)


def test_where_the_next_feature_brings_nothing_the_budget_names_the_number_that_does() -> None:
    two, idle, six = model(2, 0.5), model(3, 0.5), model(6, 0.8)
    found = budget([two, idle, six], 2, "MAP")
    assert found is not None
    assert (found.chosen, found.one_more, found.next_better) == (two, two, six)


def test_a_limit_above_what_is_useful_buys_the_best() -> None:
    points = [model(2, 0.5), model(6, 0.8), model(9, 0.7)]
    found = budget(points, 9, "MAP")
    assert found is not None
    assert found.chosen is found.best is found.one_more is points[1]
    assert found.next_better is None


def test_a_limit_below_the_sparsest_model_buys_nothing() -> None:
    assert budget([model(3, 0.5)], 2, "MAP") is None
    assert budget([], 2, "MAP") is None


@pytest.fixture(scope="module")
def judge() -> FoldJudge:
    return FoldJudge(FOLD, "standard")


def test_points_are_the_models_of_a_path_but_for_the_empty_one(judge: FoldJudge) -> None:
    method = get_method("log")
    training = method.training(FOLD.train)
    path = list(regularization_path(method, training, lambda_grid(training.lam_max, 6, 1e-3), judge))
    usable = np.array([True] * (FOLD.train.n_features - 3) + [False] * 3)
    points = tradeoff_points(path, usable)
    kept = [entry for entry in path if entry.fit.weights.any()]
    assert len(points) == len(kept) < len(path)
    for point, entry in zip(points, kept, strict=True):
        fit = entry.fit
        assert (point.method, point.c, point.seconds) == ("log", fit.c, fit.result.seconds)
        assert point.ratio == pytest.approx(fit.lam / training.lam_max)
        assert point.kept == len(point.selected) == np.count_nonzero(fit.weights)
        assert point.sparsity == np.count_nonzero(fit.weights[usable]) / usable.sum()
        sizes = [abs(fit.weights[j]) for j in point.selected]
        assert sizes == sorted(sizes, reverse=True)
        for part, data in FOLD.parts().items():
            measured = evaluate_ranking(data, data.features @ fit.weights, "standard")
            assert {m: point.value(part, m) for m in MEASURES} == {m: measured[m] for m in MEASURES}


def test_single_features_come_in_the_order_of_the_measures(judge: FoldJudge) -> None:
    for measure, point in zip(MEASURES, best_single_features(judge), strict=True):
        (column,) = point.selected
        alone = [
            evaluate_ranking(FOLD.train, sign * FOLD.train.features[:, j], "standard")[measure]
            for j in range(FOLD.train.n_features)
            for sign in (1, -1)
        ]
        assert point.value("train", measure) == max(alone)
        assert point.kept == 1
        assert math.isnan(point.c)
        test = FOLD.parts()["test"]
        worth = [evaluate_ranking(test, sign * test.features[:, column], "standard")[measure] for sign in (1, -1)]
        assert point.value("test", measure) in worth


def pick(vali: float, test: float, c: float) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint(DENSE, 20, 1.0, values, 0.01, c, 1.0 / c, tuple(range(20)))


def test_validation_picks_it_and_test_has_no_say() -> None:
    path = [pick(0.5, 0.9, 1.0), pick(0.7, 0.6, 2.0), pick(0.6, 0.8, 3.0)]
    assert dense_reference(path, "MAP") == path[1]


def test_among_equals_the_smallest_c_is_taken() -> None:
    path = [pick(0.3, 0.1, 3.0), pick(0.1 + 0.2, 0.2, 2.0)]
    assert dense_reference(path, "MAP") == path[1]


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
    plain, turned = (
        best_single_feature(Fold("1", replace(data, features=features)), "letor4", "MAP")
        for features in (data.features, -data.features)
    )
    assert (turned.index, turned.reverse, turned.values) == (plain.index, not plain.reverse, plain.values)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize(
    ("ranks", "n_documents"),  # of the second kind as well up as down; of the first so long that none is better rising
    [([(1, 6, 8), (8, 6, 1)], 12), ([(8, 6, 1), (1, 6, 8)], 12), ([(1, 6, 8, 8, 3, 1)], 8), ([(8, 3, 1, 1, 6, 8)], 8)],
)
def test_of_values_that_differ_by_rounding_only_the_first_feature_wins_and_the_descending_one(
    measure: str, ranks: list[tuple[int, ...]], n_documents: int
) -> None:
    best = best_single_feature(Fold("1", one_relevant_at(*ranks, n_documents=n_documents)), "standard", measure)
    assert (best.index, best.reverse) == (1, False)


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
