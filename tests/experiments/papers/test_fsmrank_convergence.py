"""Fig. 5 of FSMRank: both solvers on one problem, and an optimum that neither goes below."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import open_dataset
from core.experiments.papers.experiment import Request
from core.experiments.papers.fsmrank_convergence import (
    FSMRANK_CONVERGENCE,
    ConvergenceOutcome,
    Course,
    convergence_outcome,
    convergence_tables,
)
from core.experiments.papers.store import PieceStore
from core.experiments.run.plan import DatasetSource
from core.figures.papers.fsmrank_convergence import convergence_sentence
from core.methods import get_method
from core.metrics.feature_scores import relevance_correlation
from core.metrics.feature_similarity import pearson_matrix
from core.solvers import Stop


@pytest.fixture(scope="module")
def outcome() -> ConvergenceOutcome:
    (cell,) = FSMRANK_CONVERGENCE.cells(Request((DatasetSource("planted"),), quick=True))
    return convergence_outcome(cell, {})


def test_the_objective_of_the_last_step_is_eq_2_worked_out_pair_by_pair(outcome: ConvergenceOutcome) -> None:
    method, train = get_method("fsmrank"), open_dataset("planted").fold(1).train
    course = outcome.courses["nesterov-nemirovski"]
    how = {"parameters": {"lambda1": outcome.lambda1}, "stop": Stop(tol=0.0, max_steps=100)}
    w = method.fit(method.training(train), outcome.lambda2, **how).weights
    scores, losses = train.features @ w, []
    for first, last in zip(train.query_offsets[:-1], train.query_offsets[1:], strict=True):
        s, level = scores[first:last], train.relevance[first:last]
        better = level[:, None] > level[None, :]
        losses.append(np.maximum(0.0, 1.0 - (s[:, None] - s[None, :])[better]) ** 2)
    used = w != 0.0
    similarity = np.abs(pearson_matrix(train.features))
    penalty = outcome.lambda2 * (np.abs(w[used]) / relevance_correlation(train)[used]).sum()
    penalty += outcome.lambda1 / 2.0 * np.abs(w) @ similarity @ np.abs(w)
    # The similarity's diagonal may have been raised a little, to make it positive semi-definite.
    assert course.objective[-1] == pytest.approx(np.concatenate(losses).mean() + penalty, rel=1e-3)
    assert course.nonzero[-1] == np.count_nonzero(w)


def test_both_begin_at_the_empty_model_and_end_above_the_optimum(outcome: ConvergenceOutcome) -> None:
    assert set(outcome.courses) == {"nesterov-nemirovski", "subgradient"}
    for course in outcome.courses.values():
        assert (course.objective[0], course.nonzero[0]) == (1.0, 0)
        assert len(course.objective) <= 101
        assert min(course.objective) >= outcome.optimum
        assert list(course.seconds) == sorted(course.seconds)
    assert 0.0 <= outcome.gap < 1e-5


def test_it_comes_back_from_the_file_as_it_was(tmp_path: Path, outcome: ConvergenceOutcome) -> None:
    PieceStore(tmp_path, FSMRANK_CONVERGENCE)[outcome.cell] = outcome
    assert PieceStore(tmp_path, FSMRANK_CONVERGENCE)[outcome.cell] == outcome


def test_the_sentence_counts_who_is_first_within_one_percent(outcome: ConvergenceOutcome) -> None:
    fast, slow = Course((0.0, 1.0), (1.0, 0.5), (0, 1)), Course((0.0, 2.0), (1.0, 0.5), (0, 1))
    never = Course((0.0, 0.5), (1.0, 0.6), (0, 1))

    def made_up(nesterov: Course, subgradient: Course) -> ConvergenceOutcome:
        courses = {"nesterov-nemirovski": nesterov, "subgradient": subgradient}
        return replace(outcome, courses=courses, optimum=0.4999)

    found = [made_up(fast, slow), made_up(fast, never), made_up(slow, fast), made_up(never, never)]
    assert convergence_sentence(found).endswith("on 2 of 4 datasets")
    summary = convergence_tables(found)[0].rows
    assert [row["seconds to 1 %"] for row in summary] == [1.0, 2.0, 1.0, None, 2.0, 1.0, None, None]
