"""Frames of a path: every one certified, close together, and true to what it says.

Under rules for features the bound of a plain l1 path proves nothing: no model between two fits is offered.
"""

import json
from itertools import pairwise

import numpy as np
import pytest

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.path_frames import (
    between,
    can_follow,
    count_features,
    counts_among,
    frames_of,
    refined,
    widest_gap,
)
from core.analysis.path_run import FinerPath
from core.data import Fold
from core.methods import Training, get_method
from core.metrics import evaluate_ranking
from core.solvers import Stop
from core.values import plain, rebuilt
from tests.oracles import ranking_problem

POINTS = 6


def path(method_id: str, points: int = POINTS) -> tuple[list[PathPoint], Training, FoldJudge]:
    fold = core.Fold("1", train=ranking_problem(1), vali=ranking_problem(2), test=ranking_problem(3))
    found = core.fit_path(fold, method_id, points=points, smallest_ratio=1e-2)
    return list(found.points), get_method(method_id).training(fold.train), FoldJudge(fold, "standard")


def test_an_l1_path_has_certified_frames_between_its_models() -> None:
    points, training, judge = path("l1")
    frames = list(frames_of(points, judge, finer=4))
    assert len(frames) == 4 * (POINTS - 1) + 1
    assert np.allclose(np.diff(np.log([frame.lam for frame in frames])), np.log(1e-2) / (len(frames) - 1))
    assert [frame.c for frame in frames] == pytest.approx([training.c_of(frame.lam) for frame in frames])
    for k, frame in enumerate(frames):
        left, right = points[k // 4].fit, points[min(k // 4 + 1, POINTS - 1)].fit
        assert 0.0 <= frame.certificate.relative <= max(widest_gap(left, right), 1e-9)
        assert frame.most == np.count_nonzero(frame.weights)
        scores = judge.fold.parts()["test"].features @ frame.weights
        said = evaluate_ranking(judge.fold.parts()["test"], scores, "standard")
        assert frame.judgement.metrics["test"]["MAP"] == pytest.approx(said["MAP"])


def test_the_fitted_models_are_frames_themselves() -> None:
    points, _, judge = path("l1")
    frames = list(frames_of(points, judge, finer=3))[::3]
    assert [frame.weights is point.fit.weights for frame, point in zip(frames, points, strict=True)] == [True] * POINTS


def test_a_path_that_nothing_is_known_between_has_its_models_only() -> None:
    points, training, judge = path("log")
    frames = list(frames_of(points, judge))
    assert len(frames) == POINTS
    assert refined(points, training, judge) == points


def test_models_are_added_until_nothing_between_is_farther_than_asked() -> None:
    points, training, judge = path("l1")
    assert max(widest_gap(a.fit, b.fit) for a, b in pairwise(points)) > 1e-2
    more = refined(points, training, judge, widest=1e-2)
    assert max(widest_gap(a.fit, b.fit) for a, b in pairwise(more)) <= 1e-2
    assert set(map(id, points)) < set(map(id, more))
    lams = [point.fit.lam for point in more]
    assert lams == sorted(lams, reverse=True)
    assert len(refined(points, training, judge, widest=1e-9, most=5)) == POINTS + 5


def test_an_empty_path_has_no_frames() -> None:
    _, _, judge = path("l1")
    assert list(frames_of([], judge)) == []


def test_between_two_models_the_size_is_a_range_that_holds_the_size_of_the_optimum() -> None:
    """What a person reads while the hand is between two models, letting go must not correct."""
    points, training, judge = path("l1")
    ranges = 0
    for frame in frames_of(points, judge):
        fewest, _, most = frame.size.partition("–")
        kept = get_method("l1").fit(training, frame.lam, stop=Stop(tol=1e-10)).result.nonzero
        assert int(fewest) <= kept <= int(most or fewest), frame.size
        ranges += bool(most)
    assert ranges > 0


def test_between_two_models_a_place_by_size_lies_between_theirs_and_nearer_to_the_fits_than_their_union() -> None:
    """The union of two models' features is more than either has, and than what a fit between them has."""
    points, training, judge = path("l1")
    off, union_off = [], []
    for k, frame in enumerate(frames_of(points, judge, finer=4)):
        sizes = [points[j].fit.result.nonzero for j in (k // 4, min(-(-k // 4), POINTS - 1))]
        place = frame.placed(count_features)
        assert min(sizes) <= place <= max(sizes)
        kept = get_method("l1").fit(training, frame.lam, stop=Stop(tol=1e-10)).result.nonzero
        off.append(abs(place - kept))
        union_off.append(abs(frame.most - kept))
    assert sum(off) < 0.8 * sum(union_off)


def test_between_two_models_the_number_of_some_features_is_a_range() -> None:
    points, training, judge = path("l1")
    frames = list(frames_of(points, judge, finer=4))
    columns = list(range(0, training.data.n_features, 2))
    told = counts_among(frames, columns)
    for k, frame in enumerate(frames):
        ends = [points[j].fit.weights[columns] != 0.0 for j in (k // 4, min(-(-k // 4), POINTS - 1))]
        low, high = int((ends[0] & ends[1]).sum()), int((ends[0] | ends[1]).sum())
        assert told[frame.c] == (str(low) if low == high else f"{low}–{high}")
    assert any("–" in words for words in told.values())
    assert counts_among([], columns) == {}


DATA = ranking_problem(3)
RULES = {
    "costs": Rules.of(15, costs=np.linspace(0.2, 3.0, 15)),
    "signs": Rules.of(15, helps=[0, 1]),
    "exempt": Rules.of(15, forced=[0]),
}


def path_under(rules: Rules | None, method_id: str = "l1") -> tuple[list[PathPoint], Training, FoldJudge]:
    judge = FoldJudge(Fold("1", train=DATA, vali=ranking_problem(2)), "standard")
    plain = get_method(method_id)
    training = plain.training(DATA)
    method = plain if rules is None else rules.applied(plain)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, 8, 1e-2), judge)), training, judge


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_path_under_rules_has_its_fitted_models_only(rules: Rules) -> None:
    points, training, judge = path_under(rules)
    assert not any(can_follow(point.fit) for point in points)
    assert refined(points, training, judge, widest=1e-6) == points
    frames = list(frames_of(points, judge))
    assert all(frame.weights is point.fit.weights for frame, point in zip(frames, points, strict=True))
    with pytest.raises(ValueError, match="rules for features"):
        between(points[2].fit, points[3].fit, float(np.sqrt(points[2].fit.lam * points[3].fit.lam)))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_model_of_the_plain_method_is_filled_into_a_path_under_rules(rules: Rules) -> None:
    points, training, judge = path_under(rules, "log")
    finer = FinerPath(points, training, judge)
    assert finer.total == 0
    assert list(finer.whole) == points
    assert FinerPath(path_under(None, "log")[0], training, judge).total > 0


def test_a_record_of_a_model_says_whether_there_were_rules() -> None:
    for rules in (None, RULES["costs"]):
        point = path_under(rules)[0][2]
        again = rebuilt(PathPoint, json.loads(json.dumps(plain(point))))
        assert again.fit.under_rules is (rules is not None)
        assert can_follow(again.fit) is (rules is None)
