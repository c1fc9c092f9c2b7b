"""From results to the papers' tables."""

from __future__ import annotations

from statistics import mean, stdev

import numpy as np
import pytest

from core.experiments.beside_published import beside_published, published_elsewhere
from core.experiments.comparison import against_best, against_reference
from core.experiments.plan import Plan
from core.experiments.protocol import CellResult
from core.experiments.report import choose_reference
from core.experiments.signed_rank import holm
from core.experiments.statistics import one_sided_t_test
from core.experiments.summary import MethodLine, summarise

N_QUERIES = 20


def made_up(map_: float, nonzero: int, seed: int) -> CellResult:
    """A result with 8 features, of which one is zero everywhere, and MAP about as given."""
    rng = np.random.default_rng(seed)
    weights = np.zeros(8)
    weights[:nonzero] = 1.0
    queries = np.clip(map_ + 0.05 * rng.normal(size=N_QUERIES), 0.0, 1.0)
    record = {
        "metrics": {"test": {"MAP": float(queries.mean())} | {f"NDCG@{k}": map_ / 2.0 for k in range(1, 11)}},
        "sparsity_ratio": nonzero / 7,
        "nonzero": nonzero,
        "times": {"grid": 2.0},
        "lambda": 0.1,
        "C": 1.0,
        "certificate": {},
        "stop": "converged",
    }
    return CellResult(record, weights, {"MAP": queries, "NDCG@10": queries / 2.0})


@pytest.fixture
def lines(plan: Plan) -> tuple[MethodLine, ...]:
    """l1 a little and log much below l2, which keeps seven features."""
    settings = {"l1": (0.49, 3), "log": (0.40, 2), "l2": (0.50, 7)}
    results = {
        cell: made_up(*settings[cell.choice.method], seed=10 * cell.fold + len(cell.choice.method))
        for cell in plan.cells
    }
    return summarise(plan, results)


def test_a_line_has_means_and_every_fold(lines: tuple[MethodLine, ...]) -> None:
    l1 = lines[0].record()
    assert (l1["method"], l1["complete"], l1["sparsity_ratio"], l1["nonzero"]) == ("l1", True, pytest.approx(3 / 7), 3)
    maps = [fold["MAP"] for fold in l1["folds"]]
    assert [fold["fold"] for fold in l1["folds"]] == [1, 2, 3]
    assert l1["MAP"] == pytest.approx(mean(maps))
    assert l1["spread"]["MAP"] == pytest.approx(stdev(maps))


def test_a_line_with_a_fold_missing_is_said_to_be_incomplete(plan: Plan) -> None:
    some = {cell: made_up(0.5, 3, 0) for cell in plan.cells if cell.fold != 2}
    assert [line.complete for line in summarise(plan, some)] == [False] * 3
    assert against_best(summarise(plan, some)) == []


def test_features_are_counted_over_folds(lines: tuple[MethodLine, ...]) -> None:
    assert lines[0].selected() == {1: 3, 2: 3, 3: 3}
    assert lines[0].share_of_features.mean == pytest.approx(3 / 8)


def test_the_reference_is_compared_with_all_others_over_the_queries_of_all_folds(
    lines: tuple[MethodLine, ...],
) -> None:
    found = [one for one in against_reference(lines, "l2") if one.measure == "MAP"]
    assert [(one.method, one.found.n_queries) for one in found] == [("l1", 60), ("log", 60)]
    log = found[1]
    assert log.found.decrease_percent == pytest.approx(20.0, abs=3.0)
    assert log.found.t_test_p == one_sided_t_test(lines[2].per_query("MAP"), lines[1].per_query("MAP"))
    assert log.significantly_worse
    assert [one.t_test_holm for one in found] == holm([one.found.t_test_p for one in found])
    assert [one.randomization_holm for one in found] == holm([one.found.randomization_p for one in found])


def test_the_papers_tables_compare_with_the_best(lines: tuple[MethodLine, ...]) -> None:
    assert {(one.measure, one.reference) for one in against_best(lines)} == {("MAP", "l2"), ("NDCG@10", "l2")}


def test_a_reference_is_chosen_where_none_is_named(plan: Plan) -> None:
    assert choose_reference(plan, None) == "l2"
    assert choose_reference(plan, "log") == "log"
    with pytest.raises(ValueError, match="the reference scad is not among the methods l1, log, l2"):
        choose_reference(plan, "scad")


def as_mq2008(line: MethodLine) -> MethodLine:
    return MethodLine("MQ2008", line.choice, line.convention, line.n_folds, line.results)


def test_published_numbers_stand_beside_ours(lines: tuple[MethodLine, ...]) -> None:
    found = beside_published([as_mq2008(line) for line in lines])
    (sparsity,) = [row for row in found if (row.method, row.measure) == ("l1", "sparsity ratio")]
    assert (sparsity.published, sparsity.ours) == (0.39, pytest.approx(3 / 7))
    assert sparsity.difference == pytest.approx(3 / 7 - 0.39)
    assert not sparsity.within_spread  # every fold has the same
    share = next(row for row in found if row.measure == "share of features")
    assert (share.system, share.published, share.ours) == ("RankSVM-Primal", 0.8697, pytest.approx(7 / 8))
    dense = next(row for row in found if (row.method, row.measure) == ("l2", "MAP"))
    assert (dense.published, dense.within_spread) == (0.4744, abs(dense.difference) <= dense.spread)


def test_other_datasets_have_nothing_beside_them(lines: tuple[MethodLine, ...]) -> None:
    assert beside_published(lines) == []
    assert {number.system for number in published_elsewhere(["MQ2008"])} >= {"ListNet", "RankBoost", "AdaRank-NDCG"}
