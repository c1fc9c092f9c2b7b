"""Paths by size, at one lambda, and the features that matter on several of them.

A path over k proves every model, and says at every moment between what and what its objective is.
What stands above the top negative, counted document by document.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint
from core.analysis.path_over_k import PathOverK, bound_of
from core.analysis.path_views import by_size, importance, most_important, nearest_point
from core.analysis.top_strips import (
    SHARE_BINS,
    counts_by_share,
    lists_with_a_top,
    reach,
    shares_over_lists,
    top_strips,
)
from core.data import Fold
from core.losses import InfinitePush
from core.methods import METHODS, Method, get_method
from core.solvers import Stop
from tests.oracles import lists_of, ranking_problem
from tests.work_contract import finished

TRAINING = METHODS[0].training(ranking_problem(0))
FIT = METHODS[0].fit(TRAINING, 0.1)


def point(lam: float, *weights: float) -> PathPoint:
    w = np.array(weights)
    return PathPoint(replace(FIT, lam=lam, result=replace(FIT.result, weights=w)))


def test_of_models_with_equally_many_features_the_least_shrunk_stands_for_the_size() -> None:
    path = [point(0.8, 0, 0), point(0.4, 1, 0), point(0.2, 2, 1), point(0.1, 0, 3)]
    assert by_size(path) == [path[0], path[3], path[2]]
    assert by_size(path[::-1]) == by_size(path)


def test_the_nearest_model_is_nearest_in_log_lambda() -> None:
    path = [point(1.0, 0), point(0.1, 1), point(0.01, 2)]
    assert nearest_point(path, 0.4) is path[0]  # 0.1 is nearer on a linear scale
    assert nearest_point(path, 0.3) is path[1]
    assert nearest_point(path, 1e-9) is path[2]


def test_every_path_has_the_same_say_in_what_is_important() -> None:
    shrunk = [point(1.0, 0, 0, 0), point(0.5, 0.01, 0, 0)]
    large = [point(1.0, 0, 0, 0), point(0.5, 0, -100, 50)]
    assert importance([shrunk, large]) == pytest.approx([1.0, 1.0, 0.5])
    assert importance([shrunk, large, shrunk]) == pytest.approx([2.0, 1.0, 0.5])


def test_only_features_that_enter_are_important_and_early_ones_come_first() -> None:
    path = [point(1.0, 0, 0, 0), point(0.5, 0, 0, -1), point(0.2, 0, 1, -1)]
    assert most_important([path], 8) == [2, 1]
    assert most_important([path], 1) == [2]
    assert most_important([path[:1]], 8) == []


DATA = ranking_problem(4, n_queries=12, n_features=10)
METHOD = get_method("best-subset")
JUDGE_OVER_K = FoldJudge(Fold("Fold1", DATA), "standard")
TRAINING_OVER_K = METHOD.training(DATA)
LAM = TRAINING_OVER_K.lam_at(0.003)
SIZES = range(1, 7)


def over_k(method: Method = METHOD, sizes: Sequence[int] = SIZES, stop: Stop = METHOD.stop) -> PathOverK:
    return PathOverK(Fitting(method, TRAINING_OVER_K, JUDGE_OVER_K, {}, None, stop), LAM, sizes)


def optimum(k: int) -> float:
    return METHOD.fit(TRAINING_OVER_K, LAM, parameters={"k": float(k)}).result.objective


def test_every_model_is_the_best_of_its_size_and_every_band_holds_it() -> None:
    path = over_k()
    best = [optimum(k) for k in SIZES]
    seen = 0
    lowest = np.full(len(SIZES), -np.inf)
    while not path.done:
        path.advance()
        bounds = [bound_of(point.fit) for point in path.points]
        reached = [point.fit.result.objective for point in path.points]
        assert len(reached) >= seen
        seen = len(reached)
        for bound, objective, known in zip(bounds, reached, best, strict=False):
            assert bound is not None
            assert bound <= known * (1.0 + 1e-5)
            assert objective >= known * (1.0 - 1e-5)
        assert np.all(np.diff(reached) <= 0.0)
        assert np.all(np.diff(np.array(bounds, dtype=float)) <= 1e-15)
        assert np.all(np.array(bounds, dtype=float) >= lowest[:seen] - 1e-12)
        lowest[:seen] = np.array(bounds, dtype=float)
    assert [point.fit.parameters["k"] for point in path.points] == list(SIZES)
    assert [point.fit.result.objective for point in path.points] == pytest.approx(best, rel=1e-5)
    assert {point.fit.result.stop for point in path.points} == {"converged"}
    assert path.share == 1.0


def test_a_band_stands_over_every_k_before_the_first_search() -> None:
    path = over_k()
    for _ in SIZES:
        path.advance()
    assert len(path.points) == len(SIZES)
    assert {point.fit.result.stop for point in path.points} <= {"stopped", "converged"}
    for point in path.points:
        assert point.fit.result.certificate.relative < 0.6
        assert point.fit.result.nonzero <= point.fit.parameters["k"]


def test_searches_that_a_limit_has_ended_go_on() -> None:
    path = finished(over_k(stop=Stop(tol=1e-5, max_steps=2)))
    assert "step limit" in {point.fit.result.stop for point in path.points}
    while any(point.fit.result.stop == "step limit" for point in path.points):
        path.extend()
        assert not path.done
        finished(path)
    objectives = [point.fit.result.objective for point in path.points]
    assert objectives == pytest.approx([optimum(k) for k in SIZES], rel=1e-5)


def test_it_measures_each_model_and_keeps_to_rules() -> None:
    under = Rules.of(10, off=[0], forced=[3], helps=[5]).applied(METHOD)
    path = finished(over_k(under, (1, 3)))
    for point in path.points:
        assert point.fit.weights[0] == 0.0
        assert point.fit.weights[5] >= 0.0
        assert point.fit.result.nonzero <= point.fit.parameters["k"] + 1
        assert point.metrics["train"] == JUDGE_OVER_K.metrics(point.fit.weights)["train"]


def test_selections_by_hand_have_a_path_over_k_too_and_others_say_that_they_have_none() -> None:
    path = finished(over_k(get_method("forward"), (1, 2, 4)))
    assert [point.fit.result.nonzero for point in path.points] == [1, 2, 4]
    assert path.points[0].fit.result.objective >= optimum(1) * (1.0 - 1e-5)
    with pytest.raises(ValueError, match="no number of features k"):
        over_k(get_method("l1"), (1, 2))
    with pytest.raises(ValueError, match="rising"):
        over_k(sizes=(2, 2))


RELEVANCE = [0, 2, 0, 1, 1, 0]
SCORES = [1.0, 5.0, 3.0, 3.0, -1.0, 2.0]


def test_heights_are_counted_from_the_top_negative_highest_first() -> None:
    strips = top_strips(RELEVANCE, SCORES)
    assert strips.positives.tolist() == [2.0, 0.0, -4.0]
    assert strips.negatives.tolist() == [0.0, -1.0, -2.0]
    assert strips.positive_rows.tolist() == [1, 3, 4]
    assert strips.negative_rows.tolist() == [2, 5, 0]
    assert strips.on_top == 1, "a positive that ties with the top negative is not above it"
    assert top_strips([1, 0, 0], [1.0, 1.0, 0.0]).beaten == 1, "one that ties with the lowest positive is as high"


@pytest.mark.parametrize(("share", "n", "k"), [(0.0, 9, 1), (0.05, 9, 1), (0.25, 9, 3), (0.07, 100, 7), (1.0, 9, 9)])
def test_the_boundary_is_the_last_negative_that_the_top_share_counts(share: float, n: int, k: int) -> None:
    strips = top_strips([1] + n * [0], np.arange(n + 1.0), share)
    assert strips.top_negatives == k
    assert strips.boundary == -(k - 1)


def test_the_loss_sees_no_negative_below_the_boundary() -> None:
    data = ranking_problem(3)
    first = slice(0, int(data.query_offsets[1]))
    rng = np.random.default_rng(1)
    scores = rng.permutation(first.stop).astype(float)
    strips = top_strips(data.relevance[first], scores, 0.4)
    loss = InfinitePush(data.relevance[first], np.array([0, first.stop]), 0.4)
    lowered = scores.copy()
    lowered[strips.negative_rows[strips.top_negatives :]] -= 1e6
    assert loss.evaluate(lowered).value == pytest.approx(loss.evaluate(scores).value, rel=1e-12)
    lowered[strips.negative_rows[strips.top_negatives - 1]] -= 0.01
    assert loss.evaluate(lowered).value < loss.evaluate(scores).value


@pytest.mark.parametrize("relevance", [[0, 0], [1, 2]])
def test_a_list_of_one_kind_has_no_top(relevance: list[int]) -> None:
    with pytest.raises(ValueError, match="positive and a negative"):
        top_strips(relevance, [1.0, 2.0])


def test_lists_of_one_kind_are_not_counted() -> None:
    data = lists_of([[0, 1], [0, 0], [2, 1], [1, 0, 1]], np.array([[0.0], [1], [0], [0], [0], [0], [2], [1], [0]]))
    assert lists_with_a_top(data).tolist() == [0, 3]
    assert shares_over_lists(data, np.ones(1)).tolist() == [1.0, 0.5]
    assert shares_over_lists(data, np.zeros(1)).tolist() == [0.0, 0.0], "equal scores put nothing on top"


def test_every_share_falls_into_the_bin_that_names_it() -> None:
    shares = np.array([0.0, 0.0, 0.01, 0.25, 0.26, 0.5, 0.75, 0.99, 1.0, 1.0])
    counts = dict(zip(SHARE_BINS, counts_by_share(shares).tolist(), strict=True))
    assert counts == {"none": 2, "up to ¼": 2, "up to ½": 2, "up to ¾": 1, "below all": 1, "all": 2}


def test_all_models_of_a_path_stay_within_reach() -> None:
    data = ranking_problem(2)
    models = list(np.random.default_rng(0).normal(size=(4, data.n_features)))
    query = int(lists_with_a_top(data)[-1])
    rows = slice(*data.query_offsets[query : query + 2])
    heights = [top_strips(data.relevance[rows], data.features[rows] @ w) for w in models]
    low, high = reach(data, query, models, lowest=0.0)
    assert high == pytest.approx(max(max(strips.positives[0], 0.0) for strips in heights))
    assert low == pytest.approx(min(min(strips.positives[-1], strips.negatives[-1]) for strips in heights))
    assert reach(data, query, models, lowest=0.5)[0] > low
