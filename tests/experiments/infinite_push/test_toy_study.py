"""The toy study: repeatable, paired, and averaged over the trials that all methods have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import wilcoxon

from core.data.toy import toy_problem
from core.experiments.infinite_push.feature_retrieval import FeatureRetrieval
from core.experiments.infinite_push.toy_study import (
    METHODS,
    REFERENCE,
    ToyCell,
    ToyOutcome,
    ToyPoint,
    ToyStudy,
    in_paper_order,
    toy_outcome,
    toy_points,
)
from core.experiments.run.cell_run import CellRun

SMALL = ToyStudy((40,), (5,), 2, ("infinite-push-l1", "l1"))


def outcome(method: str, trial: int, top: float, n_train: int = 40) -> ToyOutcome:
    return ToyOutcome(ToyCell(n_train, 5, trial, method), top, 3, FeatureRetrieval(0.5, 1.0), 0.1, 0.01)


def untimed(outcomes: list[ToyOutcome]) -> list[ToyOutcome]:
    return [replace(found, seconds=0.0) for found in outcomes]


def point(points: list[ToyPoint], method: str) -> ToyPoint:
    (found,) = [p for p in points if p.method == method]
    return found


def test_the_same_seeds_give_the_same_table_stopped_or_not() -> None:
    known: dict[ToyCell, ToyOutcome] = {}
    CellRun(SMALL.cells, toy_outcome, known).advance()
    continued = CellRun(SMALL.cells, toy_outcome, known).finish()
    assert untimed(continued) == untimed(CellRun(SMALL.cells, toy_outcome, {}).finish())
    assert len({found.top for found in continued}) > 1


def test_an_outcome_is_of_its_cell() -> None:
    found = toy_outcome(ToyCell(100, 20, 0, "infinite-push-l2"), {})
    assert found.kept == 30
    assert found.retrieval == FeatureRetrieval(10 / 30, 1.0)
    positives = int((toy_problem(n_features=30, seed=0).test.relevance > 0).sum())
    assert found.top * positives == pytest.approx(round(found.top * positives))


def test_trials_come_one_after_the_other_with_every_method() -> None:
    cells = ToyStudy((40, 100), (20,), 2).cells
    assert [cell.trial for cell in cells] == [0] * 8 + [1] * 8
    assert [cell.method for cell in cells[:4]] == list(METHODS)


def test_averages_and_p_values_are_of_the_trials_that_all_methods_have() -> None:
    ours, theirs = [0.5, 0.4, 0.6, 0.9], [0.3, 0.1, 0.5]
    points = toy_points([*(outcome(REFERENCE, t, top) for t, top in enumerate(ours)),
                         *(outcome("l1", t, top) for t, top in enumerate(theirs))])  # fmt: skip
    assert point(points, REFERENCE).top.mean == pytest.approx(0.5)
    assert point(points, REFERENCE).top.error == pytest.approx(np.std(ours[:3], ddof=1) / np.sqrt(3))
    assert (point(points, "l1").n_trials, point(points, REFERENCE).p_value) == (3, None)
    assert point(points, "l1").p_value == wilcoxon(ours[:3], theirs).pvalue
    assert point(points, "l1").f_measure.mean == pytest.approx(2 / 3)


def test_a_size_without_a_complete_trial_is_not_drawn() -> None:
    points = toy_points([outcome(REFERENCE, 0, 0.5), outcome("l1", 0, 0.2), outcome(REFERENCE, 0, 0.7, n_train=100)])
    assert {p.n_train for p in points} == {40}
    assert toy_points([]) == []


@pytest.mark.parametrize(("tops", "held"), [((0.5, 0.4, 0.1, 0.3), True), ((0.5, 0.6, 0.1, 0.3), False),
                                            ((0.5, 0.2, 0.1, 0.3), False)])  # fmt: skip
def test_the_papers_order_is_l1_push_above_elimination_above_ranksvm(tops: tuple[float, ...], held: bool) -> None:
    points = toy_points([outcome(method, 0, top) for method, top in zip(METHODS, tops, strict=True)])
    assert in_paper_order(points) is held


@pytest.mark.more
def test_the_sparse_push_is_above_the_dense_one_and_ranksvm_among_many_noisy_features() -> None:
    study = ToyStudy((200,), (100,), 6, (REFERENCE, "infinite-push-l2", "l1"))
    top = {p.method: p.top.mean for p in toy_points(CellRun(study.cells, toy_outcome, {}).finish())}
    assert top[REFERENCE] > top["infinite-push-l2"] + 0.2
    assert top[REFERENCE] > top["l1"]
