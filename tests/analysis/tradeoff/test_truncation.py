"""A truncated model keeps its largest weights as they are, and is measured as any other.

Means over folds are those of the folds' own values, worked out by hand.
Over folds: each chooses for itself, and only then is anything averaged.
"""

from itertools import pairwise
from statistics import mean, stdev

import numpy as np
import pytest

from core.analysis.tradeoff.fold_tradeoff import (
    SizeCurve,
    Spread,
    by_limit,
    is_filter,
    marked_limits,
    mean_over_folds,
    refits,
    sizes_to_cut,
    truncations,
)
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffRow
from core.methods import METHODS, get_method
from tests.oracles import ranking_problem

DATA = ranking_problem(0, n_features=5)
WEIGHTS = np.array([0.2, -3.0, 0.0, 1.0, -0.2])


def test_the_k_largest_weights_stay_as_they_are() -> None:
    assert [(k, weights.tolist()) for k, weights in truncations(WEIGHTS)] == [
        (1, [0.0, -3.0, 0.0, 0.0, 0.0]),
        (2, [0.0, -3.0, 0.0, 1.0, 0.0]),
        (3, [0.2, -3.0, 0.0, 1.0, 0.0]),
        (4, [0.2, -3.0, 0.0, 1.0, -0.2]),
    ]


def test_every_size_is_looked_at_up_to_where_there_are_many_and_the_whole_always() -> None:
    assert sizes_to_cut(46) == tuple(range(1, 47))
    assert sizes_to_cut(0) == ()
    many = sizes_to_cut(2000)
    assert many[:64] == tuple(range(1, 65))
    assert (many[-1], len(many)) == (2000, len(set(many)))
    assert len(many) < 150
    assert all(b - a <= max(1, a // 20) for a, b in pairwise(many))


@pytest.mark.parametrize("method_id", ["fs-rank", "gas-e", "fsmsvm"])
def test_a_filter_is_refitted_with_just_so_many_features_at_the_same_lambda(method_id: str) -> None:
    method = get_method(method_id)
    training = method.training(DATA)
    fit = method.fit(training, 0.05)
    assert is_filter(method)
    for (k, weights), wanted in zip(refits(fit, training, (1, 3)), (1, 3), strict=True):
        alone = method.fit(training, 0.05, parameters={method.parameters[0].name: k})
        assert np.count_nonzero(weights) == k == wanted
        np.testing.assert_array_equal(weights, alone.weights)


def test_only_filters_are_filters() -> None:
    by_hand = {"forward", "rfe", "elimination", "exchange"}
    assert {method.id for method in METHODS if is_filter(method)} == {"fs-rank", "gas-e", "fsmsvm"} | by_hand


def curve(**values: float) -> SizeCurve:
    return SizeCurve({int(name[1:]): {"test": {"MAP": value}} for name, value in values.items()})


FOLDS = (curve(k1=0.2, k2=0.5, k3=0.4), curve(k1=0.1, k2=0.3), curve(k1=0.6, k3=0.9))


def test_a_model_cut_down_to_more_weights_than_it_has_is_whole() -> None:
    assert [found.size for found in mean_over_folds(FOLDS, "test", "MAP")] == [1, 2, 3]
    by_hand = {1: (0.2, 0.1, 0.6), 2: (0.5, 0.3, 0.6), 3: (0.4, 0.3, 0.9)}
    for found in mean_over_folds(FOLDS, "test", "MAP"):
        values = by_hand[found.size]
        assert found.value.mean == pytest.approx(mean(values))
        assert found.value.error == pytest.approx(stdev(values) / 3**0.5)
        assert (found.value.low, found.value.high, found.n_folds) == (min(values), max(values), 3)


def test_no_mean_is_taken_over_fewer_folds_than_there_are() -> None:
    assert [found.size for found in mean_over_folds([*FOLDS, curve(k3=0.5)], "test", "MAP")] == [3]
    assert mean_over_folds([], "test", "MAP") == ()


def model(kept: int, vali: float, test: float, ratio: float = 0.1) -> TradeoffRow:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffRow("l1", kept, kept / 10, values, 0.02 * kept, 1 / ratio, ratio, tuple(range(kept)))


ALL_FOLDS = (
    (model(2, 0.5, 0.40), model(4, 0.6, 0.50)),
    (model(1, 0.3, 0.30), model(5, 0.9, 0.70)),
)


def test_one_fold_has_no_error() -> None:
    one = Spread.of([0.4])
    assert one == Spread(0.4, None, 0.4, 0.4)
    assert (one.words, one.reach) == ("0.4000", 0.0)
    assert Spread.of([0.4, 0.6]).words == "0.5000 ± 0.1000"


def test_at_a_limit_every_fold_takes_its_best_model_on_validation_and_reports_test() -> None:
    four, nine = by_limit(ALL_FOLDS, (4, 9), "test", "MAP")
    assert (four.at, four.kept.mean, four.value.mean) == (4.0, 2.5, pytest.approx((0.50 + 0.30) / 2))
    assert (nine.kept.low, nine.kept.high, nine.value.mean) == (4.0, 5.0, pytest.approx(0.6))
    assert nine.sparsity.mean == pytest.approx(0.45)
    assert nine.seconds.mean == pytest.approx(0.09)


def test_a_limit_that_a_fold_cannot_keep_is_left_out() -> None:
    assert [summary.at for summary in by_limit(ALL_FOLDS, (1, 2, 3), "test", "MAP")] == [2.0, 3.0]
    assert by_limit((), (1, 2), "test", "MAP") == ()


def test_differences_to_a_baseline_leave_out_how_hard_a_fold_is() -> None:
    (plain,) = by_limit(ALL_FOLDS, (9,), "test", "MAP")
    (paired,) = by_limit(ALL_FOLDS, (9,), "test", "MAP", baselines=[0.45, 0.65])
    assert plain.value.error > 0.09
    assert (paired.value.mean, paired.value.error) == (pytest.approx(0.05), pytest.approx(0.0, abs=1e-12))


@pytest.mark.parametrize("most", [1, 2, 7, 60, 700])
def test_marks_begin_with_one_feature_end_with_the_most_and_thin_out(most: int) -> None:
    limits = marked_limits(most)
    gaps = [after - before for before, after in pairwise(limits)]
    assert (limits[0], limits[-1]) == (1, most)
    assert gaps[:-1] == sorted(gaps[:-1])
    assert len(limits) < 40
    assert marked_limits(0) == ()
