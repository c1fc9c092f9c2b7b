"""A trace survives being plain columns."""

from __future__ import annotations

import numpy as np
import pytest

from core.experiments.run.learners.trace_columns import trace_columns, trace_points
from core.methods import get_method
from tests.oracles import ranking_problem


@pytest.mark.parametrize(("method_id", "solver"), [("l1", "fista"), ("log", "reweighted-l1"), ("fenchelrank", None)])
def test_a_trace_comes_back_as_it_was(method_id: str, solver: str | None) -> None:
    method = get_method(method_id)
    training = method.training(ranking_problem(3))
    trace = method.fit(training, training.lam_at(0.05), solver=solver).result.trace
    columns = trace_columns(trace)
    assert {values.shape for values in columns.values()} == {(len(trace),)}
    assert not any(values.dtype == object for values in columns.values())
    assert trace_points(columns) == trace
    assert len(trace) > 3


def test_columns_of_something_else_and_none_at_all_are_no_trace() -> None:
    assert trace_points({}) == ()
    assert trace_points({"step": np.arange(3), "vali": np.ones(3)}) == ()
    assert trace_points(trace_columns(())) == ()
