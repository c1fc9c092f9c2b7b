"""The command line, the notebook and the protocol give the same model of the same fit, to the last bit."""

from __future__ import annotations

from typing import Any

import pytest

from core import fit, open_dataset
from core.data import Dataset
from core.experiments.run.cells import Cell, MethodChoice, fold_fingerprints
from core.experiments.run.protocol import cell_result
from core.experiments.run.versions import protocol_version
from tests.cases import sweep
from tests.cli.conftest import Ask

WHOLE_GRID = 50
OF_A_FIT = (
    *("method", "solver", "parameters", "lambda", "C", "lambda_max", "lambda_ratio", "objective", "certificate"),
    *("stop", "steps", "passes", "nonzero", "features", "metrics", "expected_over_ties", "convention"),
)

CASES = [
    ("planted", "l1", {}, "MAP", "best"),
    ("planted", "log", {"epsilon": 0.2}, "NDCG@10", "one-se"),
    ("planted", "fs-rank", {}, "MAP", "best"),
    ("planted", "l1", {"refit": "yes"}, "MAP", "average"),
    ("python-docs", "mcp", {}, "RR", "best"),
    ("planted", "fenchelrank", {}, "P@5", "best"),
    ("planted", "infinite-push-l1", {}, "Top", "best"),
]


@pytest.mark.parametrize(("name", "method", "parameters", "measure", "rule"), sweep(CASES, always=4))
def test_a_tuned_model_is_the_same_for_all_three(
    name: str, method: str, parameters: dict[str, Any], measure: str, rule: Any, ask: Ask
) -> None:
    dataset = open_dataset(name)
    options = [word for pair in parameters.items() for word in ("--set", "{}={}".format(*pair))]
    printed = ask("fit", name, "--method", method, "--tune", measure.lower(), "--choose", rule, *options)
    model = fit(
        dataset.fold(1), method, tune=measure, choose=rule, parameters=parameters, convention=dataset.convention
    )
    cell = told_by_a_cell(dataset, method, parameters, measure, rule)
    assert printed["nonzero"] > 0
    assert of_a_fit(printed) == of_a_fit(model.record()) == of_a_fit(cell)
    notebook = model.record()["tuned"]
    assert without_seconds(printed["tuned"]) == without_seconds(notebook)
    assert printed["tuned"]["vali"] == next(p["vali"] for p in cell["grid"] if is_chosen(p, cell))
    assert len(cell["grid"]) % printed["tuned"]["points"] == 0
    assert printed["tuned"].get("tried") == cell.get("tried")
    assert printed["tuned"]["choice"]["resamples"] == cell["choice"]["resamples"]
    if rule == "best":
        assert printed["tuned"]["vali"] == max(point["vali"] for point in cell["grid"])


@pytest.mark.parametrize(("name", "method"), [("planted", "mcp"), ("python-docs", "fsmrank"), ("planted", "gas-e")])
def test_a_model_at_a_ratio_is_the_same_in_a_terminal_and_a_notebook(name: str, method: str, ask: Ask) -> None:
    dataset = open_dataset(name)
    printed = ask("fit", name, "--method", method, "--lambda-ratio", 0.03)
    model = fit(dataset.fold(1), method, lambda_ratio=0.03, convention=dataset.convention)
    assert of_a_fit(printed) == of_a_fit(model.record())
    assert len(printed["trace"]) == len(model.record()["trace"]) > 1


def told_by_a_cell(
    dataset: Dataset, method: str, parameters: dict[str, Any], measure: str, rule: Any
) -> dict[str, Any]:
    fold = dataset.fold(1)
    choice = MethodChoice.parse(":".join([method, *("{}={}".format(*pair) for pair in parameters.items())]))
    parts = fold_fingerprints(fold, dataset.name)
    how = (WHOLE_GRID, measure, dataset.convention, protocol_version(), rule)
    return cell_result(Cell(dataset.name, 1, parts, choice, choice.settings, *how), fold).record


def of_a_fit(record: dict[str, Any]) -> dict[str, Any]:
    """All numbers of a model but seconds."""
    return {name: record[name] for name in OF_A_FIT}


def without_seconds(tuned: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tuned.items() if name != "seconds"}


def is_chosen(point: dict[str, Any], cell: dict[str, Any]) -> bool:
    chosen = cell.get("chosen", {})
    return (point["lambda"], point["parameters"]) == (cell["lambda"], chosen)
