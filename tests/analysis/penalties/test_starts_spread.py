"""What other starts would have given, against a multi-start of its own on explicit pairs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.analysis.features.rules import read_rules
from core.analysis.fitting import AtRatio, Fitting, fitted
from core.analysis.penalties.starts_spread import StartsSpread, starts_run
from core.analysis.penalties.starts_words import starts_words
from core.analysis.penalties.two_features import redundant_pair
from core.data import Fold
from core.methods import get_method
from core.metrics import evaluate_ranking
from tests.oracles import RankSvm, ranking_problem
from tests.says import assert_says

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
    run = starts_run(how, fitted(how, AtRatio(RATIO)).fit, N)
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
    model = fitted(how, AtRatio(RATIO)).fit
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
    run = starts_run(how, fitted(how, AtRatio(0.05)).fit, 8)
    for weights in [*run.starts, *(end.weights for end in run.finish())]:
        assert weights[1] == 0.0
        assert min(weights[0], weights[2], -weights[3]) >= 0.0
    assert all(np.isfinite(minimum.fit.result.objective) for minimum in run.minima())
    assert len(np.unique(run.starts, axis=0)) == 8


def test_what_has_one_answer_whatever_the_start_is_refused(how: Fitting) -> None:
    convex = Fitting.on(how.judge.fold, get_method("l1"), {}, "standard")
    with pytest.raises(ValueError, match="l1 gives the same model from every start"):
        starts_run(convex, fitted(convex, AtRatio(RATIO)).fit, 3)
    run = starts_run(how, fitted(how, AtRatio(1.0)).fit, 3)  # the empty model has starts of size 1
    assert np.abs(run.starts).max() > 0.5
