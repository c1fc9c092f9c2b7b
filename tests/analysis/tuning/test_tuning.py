"""C, and what its paper chooses with it, is chosen by the validation part alone; the sparser model wins a tie.

Methods side by side: each row is the fit the command line makes, within its budget, and nothing ends the rest.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import core
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.fitting import AtRatio, Fitting, OnValidation
from core.analysis.path import PathPoint, path_points, regularization_path
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, MethodBench
from core.analysis.tuning.tuning import Tuned, best_on_validation, chosen_among, settings_to_try, values_tried
from core.data import DataError, Fold, RankingData
from core.methods import METHODS, get_method
from core.metrics import JudgedLists, Measure, evaluate_ranking
from tests.oracles import lists_of, ranking_problem
from tests.says import assert_says

TRAIN, VALI = ranking_problem(0), ranking_problem(0).take_queries(range(5))
FIT = METHODS[0].fit(METHODS[0].training(TRAIN), 0.1)


def point(lam: float, vali: float, others: float = 0.0) -> PathPoint:
    metrics = {part: {"MAP": others, "NDCG@10": 1.0 - vali} for part in ("train", "test")}
    return PathPoint(replace(FIT, lam=lam), Judgement({**metrics, "vali": {"MAP": vali, "NDCG@10": 1.0 - vali}}))


def test_the_best_validation_value_of_the_measure_wins_whatever_train_and_test_say() -> None:
    points = [point(0.3, 0.1, 0.9), point(0.2, 0.5, 0.0), point(0.1, 0.4, 1.0)]
    assert best_on_validation(points) is best_on_validation(points, "MAP") is points[1]
    assert best_on_validation(points, "ndcg@10") is best_on_validation(points, "NDCG@10") is points[0]


def test_without_a_validation_part_there_is_nothing_to_choose_by() -> None:
    with pytest.raises(DataError, match=r"no validation part.*\bC\b"):
        best_on_validation(core.fit_path(Fold("1", TRAIN, None, VALI), points=3).points)


def test_a_measure_that_was_not_taken_is_refused_in_a_sentence() -> None:
    """NDCG@50 is a measure, but the points were judged up to rank 10."""
    with pytest.raises(ValueError, match="NDCG@50"):
        best_on_validation([point(0.1, 0.5)], "ndcg@50")


@pytest.mark.parametrize("measure", ["RR", "ERR", "R@1", "R@3", "P@2"])
def test_whatever_chooses_judges_ties_by_the_mean_over_all_orders(measure: str) -> None:
    """The file begins with its relevant documents: the empty model would win by its order."""
    features = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    models = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    data = lists_of([[1, 2, 0, 1, 0]], features)
    judge = FoldJudge(Fold("1", data, data), "standard")
    fits = [replace(FIT, lam=1.0 / k, result=replace(FIT.result, weights=w)) for k, w in enumerate(models, 1)]
    tuned = Tuned.of(fits, judge, measure, "best", {})
    worth = np.round(
        [JudgedLists(data, "standard").rank(features @ w).mean(Measure.parse(measure)) for w in models], 12
    )
    assert worth[0] < worth.max()
    assert tuned.fit.weights.tolist() == models[np.argmax(worth)].tolist()
    assert tuned.values == pytest.approx(worth)
    assert tuned.judgement(tuned.chosen).metrics["vali"][measure] == pytest.approx(worth.max())


def test_fs_rank_tries_the_numbers_of_its_paper_and_none_above_what_there_is() -> None:
    assert values_tried(get_method("fs-rank"), {}, 46) == {"k": (5.0, 10.0, 15.0, 20.0, 25.0)}
    assert values_tried(get_method("fs-rank"), {}, 12) == {"k": (5.0, 10.0, 12.0)}
    assert values_tried(get_method("l1"), {}, 46) == {}


def test_what_is_given_is_not_tried_even_where_it_is_the_default() -> None:
    gas_e = get_method("gas-e")
    assert set(values_tried(gas_e, {}, 46)) == {"t", "c"}
    assert set(values_tried(gas_e, {"t": gas_e.settings()["t"]}, 46)) == {"c"}
    assert settings_to_try(gas_e, {"t": 7.0, "c": 0.5}, 46) == (gas_e.settings({"t": 7.0, "c": 0.5}),)


def test_every_combination_is_tried_once_and_the_defaults_first() -> None:
    gas_e = get_method("gas-e")
    tried = values_tried(gas_e, {"importance": 1.0}, 46)
    settings = settings_to_try(gas_e, {"importance": 1.0}, 46)
    assert settings[0] == gas_e.settings({"importance": "NDCG@10"})
    assert sorted((s["t"], s["c"]) for s in settings) == sorted(product(tried["t"], tried["c"]))
    assert {s["importance"] for s in settings} == {1.0}


def test_with_k_the_best_is_the_best_of_all_k_and_all_lambda() -> None:
    method, vali = get_method("fs-rank"), ranking_problem(5)
    training = method.training(TRAIN)
    lams = training.lam_max * np.array([1.0, 0.1, 0.01])
    judge = FoldJudge(Fold("1", TRAIN, vali), "standard")
    points = list(path_points(Fitting(method, training, judge, {}, None, method.stop).tuning_fits(lams), judge))
    best = best_on_validation(points)
    tried = values_tried(method, {}, TRAIN.n_features)
    values = {}
    for k, lam in product(tried["k"], lams):
        weights = method.fit(training, float(lam), parameters={"k": k}).weights
        values[k, float(lam)] = evaluate_ranking(vali, vali.features @ weights, "standard")["MAP"]
    assert len(points) == len(values) == 3 * len(tried["k"])
    assert len(tried["k"]) > 1
    assert best.metrics["vali"]["MAP"] == pytest.approx(max(values.values()), abs=1e-9)
    assert values[best.fit.parameters["k"], best.fit.lam] == pytest.approx(max(values.values()), abs=1e-9)
    assert chosen_among(tried, best.fit.parameters) == {
        "tried": {"k": list(tried["k"])},
        "chosen": {"k": best.fit.parameters["k"]},
    }


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
    (free,) = rows(judge, AtRatio(RATIO), replace(plan("fs-rank"), parameters={}))
    assert free.fit is not None
    assert (free.fit.parameters, free.tried) == (get_method("fs-rank").settings(), {})


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
    (empty,) = rows(fold(), AtRatio(1.5), plan("l1"))
    assert empty.fit is not None, "an empty model is a model"
    for row in (first, empty):
        assert not row.ranks
        assert np.isnan(row.value("test", "MAP"))


def test_a_solver_that_refuses_is_a_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.liblinear.MOST_ENTRIES", 10)
    first, second = rows(fold(), AtRatio(RATIO), plan("liblinear-l1"), plan("l1"))
    assert "use method l1" in first.refusal
    assert second.ranks


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
