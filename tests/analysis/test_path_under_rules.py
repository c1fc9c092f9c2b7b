"""Under rules for features the bound of a plain l1 path proves nothing: no model between two fits is offered."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.path_frames import between, can_follow, frames_of, n_frames, refined
from core.analysis.path_run import FinerPath
from core.analysis.stored_paths import point_of, point_record
from core.data import Fold
from core.methods import Training, get_method
from tests.oracles import RankSvm, optimum, ranking_problem

DATA = ranking_problem(3)
COSTS = np.exp(2.0 * np.random.default_rng(3).normal(size=15))
RULES = {
    "costs": Rules.of(15, costs=COSTS),
    "signs": Rules.of(15, helps=[0, 1]),
    "exempt": Rules.of(15, forced=[0]),
}


def path(rules: Rules | None, method_id: str = "l1") -> tuple[list[PathPoint], Training, FoldJudge]:
    judge = FoldJudge(Fold("1", train=DATA, vali=ranking_problem(2)), "standard")
    plain = get_method(method_id)
    training = plain.training(DATA)
    method = plain if rules is None else rules.applied(plain)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, 8, 1e-2), judge)), training, judge


def test_the_bound_between_two_models_does_not_hold_with_costs() -> None:
    """Explicit pairs and another solver: what the refusal protects from."""
    points, _, _ = path(RULES["costs"])
    pairs, factors = RankSvm.of(DATA), RULES["costs"].factors
    broken = 0
    for left, right in pairwise(point.fit for point in points):
        lam = float(np.sqrt(left.lam * right.lam))
        t = (left.lam - lam) / (left.lam - right.lam)
        w = (1.0 - t) * left.weights + t * right.weights
        norms = [np.abs(fit.weights).sum() for fit in (left, right)]
        gaps = [fit.result.certificate.value for fit in (left, right)]
        said = (1 - t) * gaps[0] + t * gaps[1] + t * (1 - t) * (left.lam - right.lam) * (norms[1] - norms[0])
        above = pairs.loss(w) + lam * factors @ np.abs(w) - optimum(pairs, lam, factors)[1]
        broken += above > said + 1e-9
        with pytest.raises(ValueError, match="rules for features"):
            between(left, right, lam)
    assert broken


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_path_under_rules_has_its_fitted_models_only(rules: Rules) -> None:
    points, training, judge = path(rules)
    assert not any(can_follow(point.fit) for point in points)
    assert refined(points, training, judge, widest=1e-6) == points
    frames = list(frames_of(points, judge))
    assert all(frame.weights is point.fit.weights for frame, point in zip(frames, points, strict=True))
    assert n_frames(points) == len(points)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_model_of_the_plain_method_is_filled_into_a_path_under_rules(rules: Rules) -> None:
    points, training, judge = path(rules, "log")
    finer = FinerPath(points, training, judge)
    assert finer.total == 0
    assert list(finer.whole) == points
    assert FinerPath(path(None, "log")[0], training, judge).total > 0


def test_a_record_of_a_model_says_whether_there_were_rules() -> None:
    for rules in (None, RULES["costs"]):
        point = path(rules)[0][2]
        again = point_of(point_record(point), DATA.feature_names)
        assert again.fit.under_rules is (rules is not None)
        assert can_follow(again.fit) is (rules is None)
