"""Over folds: each chooses for itself, and only then is anything averaged."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise

import pytest

from core.analysis.tradeoff.fold_tradeoff import Spread, by_limit, by_ratio, marked_limits
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint


def model(kept: int, vali: float, test: float, ratio: float = 0.1) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint("l1", kept, kept / 10, values, 0.02 * kept, 1 / ratio, ratio, tuple(range(kept)))


FOLDS = (
    (model(2, 0.5, 0.40), model(4, 0.6, 0.50)),
    (model(1, 0.3, 0.30), model(5, 0.9, 0.70)),
)


def test_a_spread_is_mean_standard_error_and_extremes() -> None:
    values = [0.2, 0.5, 0.6, 0.9]
    spread = Spread.of(values)
    assert spread.mean == pytest.approx(statistics.mean(values))
    assert spread.error == pytest.approx(statistics.stdev(values) / math.sqrt(4))
    assert (spread.low, spread.high) == (0.2, 0.9)


def test_one_fold_has_no_error() -> None:
    one = Spread.of([0.4])
    assert one == Spread(0.4, None, 0.4, 0.4)
    assert (one.words, one.reach) == ("0.4000", 0.0)
    assert Spread.of([0.4, 0.6]).words == "0.5000 ± 0.1000"


def test_at_a_limit_every_fold_takes_its_best_model_on_validation_and_reports_test() -> None:
    four, nine = by_limit(FOLDS, (4, 9), "test", "MAP")
    assert (four.at, four.kept.mean, four.value.mean) == (4.0, 2.5, pytest.approx((0.50 + 0.30) / 2))
    assert (nine.kept.low, nine.kept.high, nine.value.mean) == (4.0, 5.0, pytest.approx(0.6))
    assert nine.sparsity.mean == pytest.approx(0.45)
    assert nine.seconds.mean == pytest.approx(0.09)


def test_a_limit_that_a_fold_cannot_keep_is_left_out() -> None:
    assert [summary.at for summary in by_limit(FOLDS, (1, 2, 3), "test", "MAP")] == [2.0, 3.0]
    assert by_limit((), (1, 2), "test", "MAP") == ()


def test_differences_to_a_baseline_leave_out_how_hard_a_fold_is() -> None:
    (plain,) = by_limit(FOLDS, (9,), "test", "MAP")
    (paired,) = by_limit(FOLDS, (9,), "test", "MAP", baselines=[0.45, 0.65])
    assert plain.value.error > 0.09
    assert (paired.value.mean, paired.value.error) == (pytest.approx(0.05), pytest.approx(0.0, abs=1e-12))


def test_at_a_ratio_models_of_the_same_lambda_are_averaged_largest_first() -> None:
    folds = (
        (model(2, 0.5, 0.4, 0.1), model(4, 0.6, 0.5, 0.01)),
        (model(1, 0.3, 0.3, 0.3), model(3, 0.3, 0.6, 0.1 * (1 + 1e-12)), model(5, 0.9, 0.7, 0.01)),
    )
    large, small = by_ratio(folds, "test", "MAP")
    assert (large.at, large.kept.mean, large.value.mean) == (0.1, 2.5, pytest.approx(0.5))
    assert (small.at, small.kept.mean, small.value.mean) == (0.01, 4.5, pytest.approx(0.6))
    assert by_ratio((), "test", "MAP") == ()


@pytest.mark.parametrize("most", [1, 2, 7, 60, 700])
def test_marks_begin_with_one_feature_end_with_the_most_and_thin_out(most: int) -> None:
    limits = marked_limits(most)
    gaps = [after - before for before, after in pairwise(limits)]
    assert (limits[0], limits[-1]) == (1, most)
    assert gaps[:-1] == sorted(gaps[:-1])
    assert len(limits) < 40
    assert marked_limits(0) == ()
