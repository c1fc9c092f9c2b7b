"""Methods side by side: each row is the fit the command line makes, within its budget, and nothing ends the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import AtRatio, Fitting, OnValidation
from core.analysis.path import path_points, regularization_path
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, MethodBench
from core.analysis.tuning.tuning import best_on_validation
from core.data import Fold, RankingData
from core.methods import get_method
from tests.oracles import lists_of, ranking_problem
from tests.says import assert_says

RATIO = 0.1


def fold(train: RankingData | None = None) -> FoldJudge:
    given = (ranking_problem(1), ranking_problem(2), ranking_problem(3)) if train is None else (train, train, train)
    return FoldJudge(Fold("Fold1", *given), "standard")


def plan(method_id: str, budget: float = 60.0) -> BenchPlan:
    method = get_method(method_id)
    return BenchPlan(method_id, method_id, method.solvers[0].id, method.settings(), method.stop, budget)


def rows(judge: FoldJudge, how: AtRatio | OnValidation, *plans: BenchPlan) -> list[BenchRow]:
    return MethodBench(plans, {}, judge, how).finish()


def test_at_one_ratio_each_row_is_the_methods_own_fit() -> None:
    judge = fold()
    ids = ("l1", "log", "infinite-push-l1", "fsmrank")
    for row, method_id in zip(rows(judge, AtRatio(RATIO), *map(plan, ids)), ids, strict=True):
        method = get_method(method_id)
        training = method.training(judge.fold.train)
        fit = method.fit(training, RATIO * training.lam_max)
        assert row.fit is not None
        np.testing.assert_array_equal(row.fit.weights, fit.weights)
        assert (row.method, row.fit.lam, row.passes) == (method_id, fit.lam, fit.result.passes)
        assert row.judgement == judge.judgement(fit.weights)
        assert row.sparsity == judge.sparsity_ratio(fit.weights)
        assert len(row.fit.result.trace) == 1
        assert (row.fitted, row.wanted) == (1, 1)


@pytest.mark.parametrize("method_id", ["l1", "log", "rwfs-l0"])
def test_on_validation_each_row_is_the_best_of_the_methods_own_path(method_id: str) -> None:
    judge = fold()
    (row,) = rows(judge, OnValidation("NDCG@10"), plan(method_id))
    method = get_method(method_id)
    training = method.training(judge.fold.train)
    path = list(regularization_path(method, training, method.grid(training), judge))
    best = best_on_validation(path, "ndcg@10")
    assert row.fit is not None
    assert row.fit.lam == best.fit.lam
    assert row.judgement == best.judgement
    assert (row.fitted, row.wanted) == (len(path), len(path))
    alone = sum(point.fit.result.passes for point in path)
    assert row.passes > alone if method.path_start == "l1" else row.passes == alone


def test_on_validation_the_number_of_features_is_chosen_with_c_unless_it_is_given() -> None:
    judge, method = fold(), get_method("fs-rank")
    free, fixed = replace(plan("fs-rank"), parameters={}), replace(plan("fs-rank"), key="2", parameters={"k": 5.0})
    chosen, given = rows(judge, OnValidation("MAP"), free, fixed)
    training = method.training(judge.fold.train)
    points = list(
        path_points(Fitting(method, training, judge, {}, None, method.stop).tuning_fits(method.grid(training)), judge)
    )
    best = best_on_validation(points)
    assert chosen.fit is not None
    assert given.fit is not None
    assert (chosen.fit.lam, chosen.fit.parameters) == (best.fit.lam, best.fit.parameters)
    assert chosen.judgement == best.judgement
    assert (chosen.fitted, chosen.wanted) == (len(points), len(points))
    assert chosen.passes == pytest.approx(sum(point.fit.result.passes for point in points))
    assert len(chosen.tried["k"]) > 1
    assert (given.fit.parameters, given.wanted, given.tried) == ({"k": 5.0}, len(method.grid(training)), {})
    (at_one_ratio,) = rows(judge, AtRatio(RATIO), free)
    assert at_one_ratio.fit is not None
    assert (at_one_ratio.fit.parameters, at_one_ratio.tried) == (method.settings(), {})


def test_a_budget_counts_all_values_tried_together() -> None:
    ample = rows(fold(), OnValidation("MAP"), replace(plan("gas-e"), parameters={}))[0]
    tight = rows(fold(), OnValidation("MAP"), replace(plan("gas-e", 0.2 * ample.seconds), parameters={}))[0]
    assert 0 < tight.fitted < ample.fitted == ample.wanted == tight.wanted
    assert tight.seconds < 0.7 * ample.seconds


def test_a_budget_ends_a_method_with_what_it_has_reached() -> None:
    judge = fold()
    fit, grid = rows(judge, AtRatio(RATIO), plan("tgrank", 0.0))[0], rows(judge, OnValidation("MAP"), plan("l1", 0.0))
    assert fit.fit is not None
    assert (fit.fit.result.stop, fit.fitted) == ("time limit", 0)
    assert grid[0].fitted < grid[0].wanted
    tight, ample = (rows(judge, OnValidation("MAP"), plan("tgrank", budget))[0] for budget in (0.05, 60.0))
    assert tight.seconds < 0.5 * ample.seconds
    assert tight.fitted < ample.fitted == ample.wanted


def test_what_cannot_be_fitted_says_why_and_the_others_go_on() -> None:
    nobody_wins = lists_of([[1, 0], [1, 0]], np.array([[1.0], [0.0], [0.0], [1.0]]))  # the two lists contradict
    judge = fold(nobody_wins)
    first, second = rows(judge, AtRatio(RATIO), plan("infinite-push-l1"), plan("l1"))
    assert_says(first.refusal, "empty model", "optimal", "every λ")
    assert "no feature differs" in second.refusal
    assert not first.ranks
    assert np.isnan(first.value("test", "MAP"))


def test_a_solver_that_refuses_is_a_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.liblinear.MOST_ENTRIES", 10)
    first, second = rows(fold(), AtRatio(RATIO), plan("liblinear-l1"), plan("l1"))
    assert "use method l1" in first.refusal
    assert second.ranks


def test_an_empty_model_is_a_model_that_ranks_nothing() -> None:
    (row,) = rows(fold(), AtRatio(1.5), plan("l1"))
    assert row.fit is not None
    assert not row.ranks
    assert np.isnan(row.value("test", "MAP"))


def test_what_is_known_is_not_worked_out_again_and_progress_counts_methods() -> None:
    judge, known = fold(), {"l1": BenchRow("l1", refusal="from before")}
    bench = MethodBench([plan("l1"), plan("log", 7.0), plan("mcp", 5.0)], known, judge, AtRatio(RATIO))
    assert (bench.share, bench.seconds_left) == (pytest.approx(1 / 3), None)
    bench.advance()
    assert (bench.share, bench.seconds_left) == (pytest.approx(1 / 3), 12.0)
    while "log" not in known:
        bench.advance()
    assert bench.share == pytest.approx(2 / 3)
    assert 0.0 < bench.seconds_left < 5.0
    assert [row.method for row in bench.finish()] == ["l1", "log", "mcp"]
    assert known["l1"].refusal == "from before"
    assert (bench.done, bench.share, bench.seconds_left) == (True, 1.0, 0.0)
