"""Fewest features, best ranking: which models are worth having, and what the next feature would bring.

What sparse models are compared with has one definition: validation picks the C of the model of all features.
The best single feature is chosen on the training part and measured on all.
Who suffers: the changes of all queries add up to the difference that pages quote, and the worst stand first.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tradeoff.tradeoff import (
    DENSE,
    MEASURES,
    TradeoffRow,
    best_single_features,
    best_within,
    budget,
    dense_reference,
    pareto_front,
    tradeoff_points,
)
from core.data import Fold
from core.methods import get_method
from core.metrics import evaluate_ranking
from tests.oracles import one_relevant_at, ranking_problem

FOLD = Fold("Fold1", ranking_problem(0), ranking_problem(9), ranking_problem(4))
JUDGE = FoldJudge(FOLD, "standard")


def model(kept: int, vali: float, *, test: float = 0.0, method: str = "l1", c: float = 1.0) -> TradeoffRow:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("train", 1.0), ("vali", vali), ("test", test))}
    return TradeoffRow(method, kept, kept / 20, values, 0.01, c, 0.1, tuple(range(kept)))


values = st.integers(0, 6).map(lambda v: v / 6)
models = st.builds(model, st.integers(1, 8), values, test=values, c=st.sampled_from([0.5, 1.0, 2.0]))


@given(st.lists(models, max_size=12))
def test_the_front_is_what_no_model_with_as_few_features_beats(points: list[TradeoffRow]) -> None:
    front = pareto_front(points, "MAP")

    def beaten(point: TradeoffRow) -> bool:
        better = [p for p in points if p.kept <= point.kept and p.judged("MAP") > point.judged("MAP")]
        sparser = [p for p in points if p.kept < point.kept and p.judged("MAP") >= point.judged("MAP")]
        return bool(better or sparser)

    undominated = {(p.kept, p.judged("MAP")) for p in points if not beaten(p)}
    assert [(p.kept, p.judged("MAP")) for p in front] == sorted(undominated)


@given(st.lists(models, max_size=12), st.integers(0, 9))
def test_within_a_limit_validation_picks_and_of_equals_the_sparsest_and_then_the_smallest_c(
    points: list[TradeoffRow], limit: int
) -> None:
    allowed = [p for p in points if p.kept <= limit]
    expected = min(allowed, key=lambda p: (-p.value("vali", "MAP"), p.kept, p.c), default=None)
    found = best_within(points, limit, "MAP")
    assert (found and (found.value("vali", "MAP"), found.kept, found.c)) == (
        expected and (expected.value("vali", "MAP"), expected.kept, expected.c)
    )


def test_without_a_validation_part_the_training_part_chooses() -> None:
    assert choosing_part(["train", "test"]) == "train"
    assert choosing_part(["train", "vali", "test"]) == "vali"


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


@pytest.mark.parametrize(
    ("qualities", "limit", "places"),
    [
        ({2: 0.5, 3: 0.6, 6: 0.8}, 2, (2, 3, 3, 6)),
        ({2: 0.5, 3: 0.5, 6: 0.8}, 2, (2, 2, 6, 6)),
        ({2: 0.5, 6: 0.8, 9: 0.7}, 9, (6, 6, None, 6)),
        ({3: 0.5}, 2, None),
        ({}, 2, None),
    ],
    ids=["the next brings more", "the next brings nothing", "above what is useful", "below the sparsest", "no model"],
)
def test_a_budget_names_the_best_within_it_the_best_with_one_more_the_next_better_and_the_best(
    qualities: dict[int, float], limit: int, places: tuple[int | None, ...] | None
) -> None:
    found = budget([model(kept, vali) for kept, vali in reversed(qualities.items())], limit, "MAP")
    parts = found and (found.chosen, found.one_more, found.next_better, found.best)
    assert (parts and tuple(part and part.kept for part in parts)) == places


def test_points_are_the_models_of_a_path_but_for_the_empty_one() -> None:
    method = get_method("log")
    training = method.training(FOLD.train)
    path = list(regularization_path(method, training, lambda_grid(training.lam_max, 6, 1e-3), JUDGE))
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


def test_single_features_come_in_the_order_of_the_measures() -> None:
    for measure, point in zip(MEASURES, best_single_features(JUDGE.fold, JUDGE.convention), strict=True):
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


def test_validation_picks_the_model_of_all_features_and_of_equals_the_smallest_c() -> None:
    values = ((0.5, 0.9, 1.0), (0.7, 0.6, 2.0), (0.6, 0.8, 3.0), (0.3, 1.0, 3.0), (0.1 + 0.2, 1.0, 2.0))
    path = [model(20, vali, test=test, method=DENSE, c=c) for vali, test, c in values]
    assert dense_reference(path, "MAP") == path[1]
    assert dense_reference(path[3:], "MAP") == path[4]


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
