"""Several starts: one minimum where the problem is convex, several where it is not.

What other starts would have given, against a multi-start of its own on explicit pairs.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from core.analysis.features.rules import read_rules
from core.analysis.fitting import AtRatio, Fitting
from core.analysis.penalties.several_starts import (
    StartsRun,
    StartsSpread,
    distinct_minima,
    random_starts,
    starts_run,
    starts_words,
    weight_scale,
)
from core.analysis.penalties.two_features import redundant_pair, two_feature_training
from core.data import Fold
from core.methods import get_method
from core.metrics import evaluate_ranking
from tests.oracles import RankSvm, ranking_problem
from tests.says import assert_says

LOW, HIGH = [-0.5, -0.5], [1.0, 1.0]


TRAINING = two_feature_training(redundant_pair(), (0, 1))


def run_of(method_id: str, ratio: float, n: int = 25) -> StartsRun:
    return StartsRun(get_method(method_id), TRAINING, TRAINING.lam_at(ratio), random_starts(n, LOW, HIGH), {})


@pytest.mark.parametrize("method_id", ["l1", "l2"])
def test_a_convex_problem_has_one_minimum_with_a_gap(method_id) -> None:
    run = run_of(method_id, 0.05)
    (only,) = distinct_minima(run.finish(), run.problem)
    assert only.starts == tuple(range(25))
    assert only.fit.result.certificate.kind == "duality gap"
    assert only.fit.result.certificate.relative <= 1e-7


def test_the_log_penalty_has_two_between_redundant_features() -> None:
    run = run_of("log", 0.05)
    first, second = distinct_minima(run.finish(), run.problem)
    assert first.fit.selected.tolist() == [0]
    assert second.fit.selected.tolist() == [1]
    assert first.fit.result.objective < second.fit.result.objective
    assert sorted(first.starts + second.starts) == list(range(25))


def test_a_start_ends_in_the_minimum_it_is_counted_under() -> None:
    run = run_of("log", 0.05, n=8)
    for minimum in distinct_minima(run.finish(), run.problem):
        for k in minimum.starts:
            alone = get_method("log").fit(TRAINING, TRAINING.lam_at(0.05), start=run.starts[k])
            assert alone.selected.tolist() == minimum.fit.selected.tolist()


def test_a_minimum_that_is_not_unique_is_still_one() -> None:
    """A column and its negative: l1 may share the weight between them in any way; a finished model keeps one."""
    data = ranking_problem(n_queries=6, n_features=3)
    doubled = data.with_features(np.hstack([data.features, -data.features]), [f"f{j}" for j in range(6)])
    training = get_method("l1").training(doubled)
    starts = random_starts(12, -np.ones(6), np.ones(6))
    run = StartsRun(get_method("l1"), training, training.lam_at(0.05), starts, {})
    ends = run.finish()
    assert_allclose([end.weights for end in ends], [ends[0].weights] * len(ends), atol=1e-6)
    kept = ends[0].weights
    shared = replace(ends[0], result=replace(ends[0].result, weights=np.hstack([kept[:3], -kept[:3]]) / 2))
    assert np.abs(shared.weights - kept).max() > 1e-2
    assert len(distinct_minima([*ends, shared], run.problem)) == 1


def test_equal_objectives_with_a_ridge_between_are_two_minima() -> None:
    """Two equal columns under log: all weight on the one, or on the other."""
    data = ranking_problem(n_queries=6, n_features=1)
    twins = data.with_features(np.hstack([data.features, -data.features]), ["a", "b"])
    training = get_method("log").training(twins)
    run = StartsRun(get_method("log"), training, training.lam_at(0.05), np.array([[0.9, 0.1], [0.1, 0.9]]), {})
    ends = run.finish()
    assert ends[0].result.objective == pytest.approx(ends[1].result.objective, rel=1e-9)
    assert len(distinct_minima(ends, run.problem)) == 2


def test_the_first_start_is_zero_and_the_others_fill_the_box() -> None:
    drawn = random_starts(500, LOW, HIGH, seed=4)
    assert not drawn[0].any()
    assert drawn.min() >= -0.5
    assert drawn.max() <= 1.0
    assert drawn[:, 0].min() < -0.4


def test_starts_are_as_large_as_the_model_and_of_size_one_beside_an_empty_model() -> None:
    fit, empty = (get_method("l1").fit(TRAINING, TRAINING.lam_at(ratio)) for ratio in (0.1, 1.0))
    assert weight_scale(fit) == np.abs(fit.weights).max()
    assert weight_scale(empty) == 1.0


FloatArray = NDArray[np.float64]
EPSILON, N, RATIO = 0.1, 12, 0.1


@pytest.fixture(scope="module")
def how() -> Fitting:
    return Fitting.on(Fold("pair", redundant_pair(), None, redundant_pair(seed=4)), get_method("log"), {}, "standard")


def objective(svm: RankSvm, lam: float, w: FloatArray) -> float:
    return svm.loss(w) + lam * float(np.log1p(np.abs(w) / EPSILON).sum())


def descend(svm: RankSvm, lam: float, w: FloatArray) -> FloatArray:
    """Reweighted soft thresholding on the pairs, from a start to its end."""
    step = len(svm.differences) / (2.0 * np.linalg.norm(svm.differences, 2) ** 2)
    for _ in range(3000):
        moved = w - step * svm.gradient(w)
        w = np.sign(moved) * np.maximum(np.abs(moved) - step * lam / (EPSILON + np.abs(w)), 0.0)
    return w


@pytest.fixture(scope="module")
def spread(how: Fitting) -> StartsSpread:
    run = starts_run(how, how.run(how.lam(AtRatio(RATIO))).finish(), N)
    run.finish()
    return StartsSpread.of(run.minima(), how.judge)


def test_the_minima_are_those_of_a_multi_start_on_explicit_pairs(how: Fitting, spread: StartsSpread) -> None:
    svm, lam = RankSvm.of(how.judge.fold.train), how.training.lam_at(RATIO)
    starts = np.random.default_rng(5).uniform(-1.0, 1.0, size=(N, 2))
    theirs = {round(objective(svm, lam, descend(svm, lam, w)), 5) for w in starts}
    ours = {round(objective(svm, lam, minimum.fit.weights), 5) for minimum in spread.minima}
    assert ours == theirs
    assert len(spread.minima) == len(ours) > 1
    assert spread.n == N


def test_the_model_is_one_of_them_and_its_height_above_the_lowest_is_told(how: Fitting, spread: StartsSpread) -> None:
    model = how.run(how.lam(AtRatio(RATIO))).finish()
    svm = RankSvm.of(how.judge.fold.train)
    own = spread.minima[spread.model].fit
    assert own.weights == pytest.approx(model.weights, abs=1e-5)
    heights = [objective(svm, model.lam, minimum.fit.weights) for minimum in spread.minima]
    assert spread.above == pytest.approx(heights[spread.model] / min(heights) - 1.0, abs=1e-9)
    assert spread.above > 0.01  # the plain start does not lead to the lowest here
    record = spread.record()
    assert record["distinct"] == len(heights)
    assert_says(starts_words(record), f"{N} starts", f"{len(heights)} different minima", f"{100 * spread.above:.2g} %")
    test = how.judge.fold.test
    assert test is not None
    for minimum, told in zip(spread.minima, record["minima"], strict=True):
        assert told["MAP"] == evaluate_ranking(test, test.features @ minimum.fit.weights, "standard")["MAP"]
        assert told["nonzero"] == np.count_nonzero(minimum.fit.weights)


def test_the_first_start_is_the_model_wherever_that_is(how: Fitting, spread: StartsSpread) -> None:
    for minimum in spread.minima:
        [end] = starts_run(how, minimum.fit, 1).finish()
        assert end.weights == pytest.approx(minimum.fit.weights, abs=1e-6)


def test_starts_keep_to_the_rules_for_features() -> None:
    """What is off is in no minimum, and a sign holds in all of them."""
    fold = Fold("rules", ranking_problem(3, n_queries=8, n_features=6), None, None)
    rules, problem = read_rules({"off": "2", "helps": "1,3", "hurts": "4"}, 6)
    assert not problem
    how = Fitting.on(fold, rules.applied(get_method("log")), {}, "standard")
    run = starts_run(how, how.run(how.lam(AtRatio(0.05))).finish(), 8)
    for weights in [*run.starts, *(end.weights for end in run.finish())]:
        assert weights[1] == 0.0
        assert min(weights[0], weights[2], -weights[3]) >= 0.0
    assert all(np.isfinite(minimum.fit.result.objective) for minimum in run.minima())
    assert len(np.unique(run.starts, axis=0)) == 8


def test_what_has_one_answer_whatever_the_start_is_refused(how: Fitting) -> None:
    convex = Fitting.on(how.judge.fold, get_method("l1"), {}, "standard")
    with pytest.raises(ValueError, match="l1 gives the same model from every start"):
        starts_run(convex, convex.run(convex.lam(AtRatio(RATIO))).finish(), 3)
    run = starts_run(how, how.run(how.lam(AtRatio(1.0))).finish(), 3)  # the empty model has starts of size 1
    assert np.abs(run.starts).max() > 0.5
