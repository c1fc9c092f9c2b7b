"""What a method learns for a cell: the whole way of the chosen model, without a look at the test part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import Fold
from core.experiments.run.learners.learner import Question, trace_points
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.plan import DatasetSource
from core.methods import get_method


@pytest.fixture
def fold(folder: Path) -> Fold:
    return DatasetSource(str(folder)).open().fold(1)


@pytest.fixture(params=["l1", "log", "fsmrank"])
def method_id(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def question(method_id: str, points: int = 4) -> Question:
    return Question(get_method(method_id).settings(), points, "MAP", "letor4")


def test_the_test_part_is_not_looked_at(method_id: str, fold: Fold) -> None:
    with_it, without = (get_learner(method_id).learn(f, question(method_id)) for f in (fold, replace(fold, test=None)))
    assert with_it.weights.tobytes() == without.weights.tobytes()


def test_the_trace_is_all_of_the_way_to_the_chosen_model(method_id: str, fold: Fold) -> None:
    learned = get_learner(method_id).learn(fold, question(method_id))
    trace, record = trace_points(learned.trace), learned.record
    assert (trace[0].step, trace[-1].step) == (0, record["steps"])
    assert len(trace) > 1
    last = trace[-1]
    assert (last.objective, last.seconds, last.passes) == (record["objective"], record["seconds"], record["passes"])
    assert last.nonzero == np.count_nonzero(learned.weights) == record["nonzero"]
    chosen = [point for point in record["grid"] if point["lambda"] == record["lambda"]]
    assert [(point["steps"], point["objective"]) for point in chosen] == [(record["steps"], record["objective"])]


def test_of_models_that_rank_alike_the_sparsest_is_taken(fold: Fold) -> None:
    """On a validation part of one level every model has the same value."""
    assert fold.vali is not None
    level = replace(fold, vali=replace(fold.vali, relevance=np.zeros_like(fold.vali.relevance)))
    learned = get_learner("l1").learn(level, question("l1"))
    assert learned.record["lambda"] == max(point["lambda"] for point in learned.record["grid"])
    assert not learned.weights.any()
