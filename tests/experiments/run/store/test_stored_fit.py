"""A stored cell gives back the fit that it was, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.fit_records import fit_record
from core.analysis.path import path_fits
from core.data import DataError, Fold
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import CellResult, cell_result
from core.experiments.run.store.store import RunStore
from core.experiments.run.store.stored_fit import stored_fit
from core.methods import get_method


def worked_out(folder: Path, label: str, points: int = 2) -> tuple[CellResult, Fold]:
    """The first cell of a method's plan, and its fold."""
    source = DatasetSource(str(folder))
    cell = plan_protocol([source], [MethodChoice.parse(label)], points=points).cells[0]
    fold = source.open().fold(1)
    return cell_result(cell, fold), fold


@pytest.mark.parametrize("label", ["l1", "log", "rsrank", "rwfs-l0", "fsmrank:refit:ridge=0.01", "best-subset:k=3"])
def test_what_comes_back_from_the_store_is_the_fit_of_the_path(folder: Path, tmp_path: Path, label: str) -> None:
    """rsrank ends at its limit of steps: fitted anew, without the path before it, it would be another model."""
    source = DatasetSource(str(folder))
    cell = plan_protocol([source], [MethodChoice.parse(label)], points=3).cells[0]
    fold = source.open().fold(1)
    with RunStore(tmp_path) as store:
        store.put(cell, cell_result(cell, fold))
        kept = store.result(cell)
    assert kept is not None
    found = stored_fit(kept, fold.train.feature_names)

    method = get_method(cell.choice.method)
    training = method.training(fold.train)
    lams = list(dict.fromkeys(point["lambda"] for point in kept.record["grid"]))  # once, whatever else was chosen
    settings = method.settings(kept.record["parameters"])
    fits = list(path_fits(method, training, lams, parameters=settings))  # type: ignore[arg-type]
    there = next(fit for fit in fits if fit.lam == found.lam)
    assert found.weights.tobytes() == there.weights.tobytes()
    timeless = [[replace(point, seconds=0.0) for point in fit.result.trace] for fit in (found, there)]
    assert timeless[0] == timeless[1]
    same = ("method", "solver", "parameters", "lambda", "C", "lambda_max", "objective", "certificate", "stop", "passes",
            "features", "nonzero", "steps", "first_stage")  # fmt: skip
    records = [fit_record(fit, Judgement(), "letor4") for fit in (found, there)]
    assert {name: records[0].get(name) for name in same} == {name: records[1].get(name) for name in same}
    assert found.result.first_stage == there.result.first_stage
    assert ("first_stage" in records[0]) == ("refit" in label)


@pytest.mark.parametrize("label", ["log:refit:ridge=0.01", "fenchelrank:refit:ridge=0.01"])
def test_a_cell_keeps_how_the_model_ended_that_chose_the_features(folder: Path, label: str) -> None:
    result, fold = worked_out(folder, label, points=3)
    kept = result.record["first_stage"]
    assert kept["certificate"]["unit"] == ("L(0)" if label.startswith("fenchelrank") else "λ")
    found = stored_fit(result, fold.train.feature_names)
    assert fit_record(found, Judgement(), "letor4")["first_stage"] == kept
    assert found.result.first_stage is not None
    before = {name: value for name, value in result.record.items() if name != "first_stage"}
    assert stored_fit(replace(result, record=before), fold.train.feature_names).result.first_stage is None


def test_a_fit_that_ended_inside_a_round_has_its_own_certificate(folder: Path) -> None:
    result, fold = worked_out(folder, "log")
    inside = result.trace | {"provisional": np.ones_like(result.trace["provisional"])}
    own = {"kind": "stationarity", "value": 0.25, "relative": 0.5, "unit": "λ", "among": "of these"}
    ended = replace(result, trace=inside, record=result.record | {"certificate": own})
    found = stored_fit(ended, fold.train.feature_names).result.certificate
    assert (found.kind, found.value, found.relative, found.share_of) == ("stationarity", 0.25, 0.5, "λ")
    assert found.among == "of these"


def test_a_residual_that_is_kept_with_null_comes_back_as_one(folder: Path) -> None:
    result, fold = worked_out(folder, "log")
    assert result.record["certificate"]["among"] is None
    inside = result.trace | {"provisional": np.ones_like(result.trace["provisional"])}
    found = stored_fit(replace(result, trace=inside), fold.train.feature_names)
    assert found.result.certificate.among == ""
    assert fit_record(found, Judgement(), "letor4")["certificate"] == result.record["certificate"]


def test_what_is_no_fit_is_said_to_be_none(folder: Path) -> None:
    result, _ = worked_out(folder, "l1")
    for other in (
        replace(result, record=result.record | {"model": "trees"}),
        replace(result, record=result.record | {"lambda": 0.0}),
        replace(result, trace={}),
        replace(result, record=result.record | {"certificate": {"kind": "duality gap", "value": 0.0, "relative": 0.0}}),
    ):
        with pytest.raises(DataError, match=r"\bcell\b.*no fit\b"):
            stored_fit(other, ["a"])
