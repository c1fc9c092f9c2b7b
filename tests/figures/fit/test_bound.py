"""The bound beneath a search's objective never falls, stays beneath it, and is drawn for a search only."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures.fit.convergence import Curve, convergence_figure
from core.methods import get_method
from tests.oracles import ranking_problem

DATA = ranking_problem(6, n_queries=8, n_features=9)


def drawn(method: str, y: str = "objective") -> go.Figure:
    chosen = get_method(method)
    training = chosen.training(DATA)
    result = chosen.fit(training, training.lam_at(0.01)).result
    figure = convergence_figure([Curve(method, method, result.trace)], y=y, log_y=y != "objective")
    return go.Figure(figure.to_dict())


def test_it_rises_to_the_objective_at_the_end() -> None:
    figure = drawn("best-subset")
    traces = {(trace.name or "").partition(":")[0]: trace for trace in figure.data}
    bound = np.array(traces["lower bound"].y, dtype=float)
    above = np.array(traces["objective above it"].y, dtype=float)
    assert len(bound) > 1
    assert np.all(np.diff(bound) >= 0.0)
    assert np.all(bound <= above * (1.0 + 1e-12))
    assert bound[0] > 0.0
    assert bound[-1] == pytest.approx(above[-1], rel=2e-5)
    low, high = figure.layout.yaxis.range
    assert low < bound[0] < above[0] < high < 1.0, "the empty model leaves the room to what is between"


@pytest.mark.parametrize(("method", "y"), [("l1", "objective"), ("best-subset", "certificate")])
def test_other_curves_have_none(method: str, y: str) -> None:
    assert not any(trace.name and trace.name.startswith("lower bound") for trace in drawn(method, y).data)
