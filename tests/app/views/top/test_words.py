"""What the Top page says of models that rank nothing, and of a validation part that chooses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.tuning.tuning import told_by_validation
from core.data import Fold
from core.figures.top.words import along_title, headline, lists_title
from core.methods import get_method
from tests.oracles import ranking_problem
from tests.says import assert_says

TITLES = {"l1": "RankSVM ℓ1", "push": "infinite push ℓ1"}
SOME, NOTHING = np.array([0.5, 0.0, 1.0]), np.zeros(3)


def path(fold: Fold) -> Sequence[PathPoint]:
    method = get_method("l1")
    training = method.training(fold.train)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, 5), FoldJudge(fold, "standard")))


def test_of_a_model_that_was_cut_off_nothing_is_claimed() -> None:
    method = get_method("l1")
    fold = Fold("1", ranking_problem(0))
    training = method.training(fold.train)
    stop = replace(method.stop, max_seconds=0.0)
    judge = FoldJudge(fold, "standard")
    cut, whole = (
        PathPoint.of(fit, judge.judgement(fit.weights))
        for fit in (method.fit(training, training.lam_max / 10, stop=at) for at in (stop, method.stop))
    )
    said = headline("RankSVM ℓ1", cut, "train", one_list=False)
    assert_says(said, "RankSVM ℓ1", "this C", "stopped early")
    assert " ranks " not in said
    assert "positives" not in said
    assert " ranks " in headline("RankSVM ℓ1", whole, "train", one_list=False)


def test_lists_are_counted_of_models_that_have_an_order_only() -> None:
    both = {"l1": SOME, "push": NOTHING}
    said = lists_title(both, TITLES)
    assert_says(said, "RankSVM ℓ1", "first document", "relevant", "2 of 3 lists", "infinite push ℓ1", "0")
    assert "no " not in said
    said = lists_title(both, TITLES, ["push"])
    assert_says(said, "RankSVM ℓ1", "first document", "relevant", "2 of 3 lists", "infinite push ℓ1", "no feature")
    said = lists_title({"push": NOTHING, "l1": SOME}, TITLES, ["push"])
    no_order = ("infinite push ℓ1", "no feature", "no document", "first")
    assert_says(said, *no_order, "RankSVM ℓ1", "relevant", "2 of 3 lists")
    said = lists_title({"push": NOTHING, "l1": NOTHING}, TITLES, ["push", "l1"])
    assert_says(said, *no_order)
    assert "RankSVM" not in said
    assert "lists" not in said


def test_where_validation_is_the_same_at_every_c_no_model_is_named_best() -> None:
    train, vali = ranking_problem(0), ranking_problem(1)
    said = along_title({"l1": path(Fold("1", train, vali, train))}, TITLES)
    assert_says(said, "Test Top", "best on validation", "RankSVM ℓ1")
    assert "unknown" not in said
    points = path(Fold("1", train, vali, train))
    assert told_by_validation(points, "Top") is not None
    same = [points[0], points[0]]
    assert told_by_validation(same, "Top") is None
    assert told_by_validation(path(Fold("1", train)), "Top") is None
    said = along_title({"l1": same}, TITLES)
    assert_says(said, "Test Top", "RankSVM ℓ1", "unknown", "validation Top", "0.0000", "every C", "cannot choose")
