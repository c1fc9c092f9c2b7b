"""A stored cell has the model and the trace of the fit that it was, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.analysis.evaluation import Judgement
from core.analysis.fit_records import fit_record
from core.analysis.path import path_fits
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.learner import trace_points
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.store.store import RunStore
from core.methods import get_method


@pytest.mark.parametrize("label", ["l1", "log", "rsrank", "rwfs-l0", "fsmrank:refit:ridge=0.01", "best-subset:k=3"])
def test_what_comes_back_from_the_store_is_the_fit_of_the_path(folder: Path, tmp_path: Path, label: str) -> None:
    """rsrank ends at its limit of steps: fitted anew, without the path before it, it would be another model."""
    source = DatasetSource(str(folder))
    cell = plan_protocol([source], [MethodChoice.parse(label)], points=3).cells[0]
    fold = source.open().fold(1)
    with RunStore(tmp_path) as store:
        store.put(cell, cell_result(cell, fold))
        kept = store.result(cell)
    method = get_method(cell.choice.method)
    lams = list(dict.fromkeys(point["lambda"] for point in kept.record["grid"]))  # once, whatever else was chosen
    settings = method.settings(kept.record["parameters"])
    fits = path_fits(method, method.training(fold.train), lams, parameters=settings)  # type: ignore[arg-type]
    there = next(fit for fit in fits if fit.lam == kept.record["lambda"])
    assert kept.weights.tobytes() == there.weights.tobytes()
    timeless = [[replace(p, seconds=0.0) for p in trace] for trace in (trace_points(kept.trace), there.result.trace)]
    assert timeless[0] == timeless[1]
    same = ("method", "solver", "parameters", "lambda", "C", "lambda_max", "objective", "certificate", "stop", "passes",
            "features", "nonzero", "steps", "first_stage")  # fmt: skip
    found = fit_record(there, Judgement(), "letor4")
    assert {name: kept.record.get(name) for name in same} == {name: found.get(name) for name in same}
    assert ("first_stage" in kept.record) == ("refit" in label)
