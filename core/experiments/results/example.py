"""A small finished run of the protocol that comes with the program, to be shown before there is one of one's own."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.experiments.results.summary import MethodLine
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import CellResult

DATASET, METHODS, POINTS = "planted", ("l1", "log", "mcp", "l0.5", "l2"), 10
EXAMPLE_WORDS = f"C chosen by MAP on validation among {POINTS} values"
EXAMPLE = Path(__file__).with_name("example_run.json")
"""Written by ``sample_data/build_example_run.py``."""
_KEPT = ("sparsity_ratio", "nonzero", "C", "metrics")


def example_plan() -> Plan:
    """Return the plan of the run. It reads the data."""
    choices = [MethodChoice.parse(method) for method in METHODS]
    return plan_protocol([DatasetSource(DATASET)], choices, points=POINTS)


def kept_of(cell: Cell, result: CellResult) -> dict[str, Any]:
    """Return what the file keeps of a cell: its measures and how many features the model has."""
    record = {name: result.record[name] for name in _KEPT if name != "metrics"}
    measures = {name: round(value, 6) for name, value in result.record["metrics"]["test"].items()}
    return {
        "method": cell.choice.label,
        "fold": cell.fold,
        "convention": cell.convention,
        "n_features": len(result.weights),
        "record": record | {"metrics": {"test": measures}},
    }


@cache
def example_lines() -> tuple[MethodLine, ...]:
    """Return the example's lines. Their results have measures and numbers of features only; the weights are 0."""
    rows = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    lines = []
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method]
        results = {row["fold"]: CellResult(row["record"], np.zeros(row["n_features"]), {}) for row in mine}
        lines.append(MethodLine(DATASET, MethodChoice.parse(method), mine[0]["convention"], len(mine), results))
    return tuple(lines)
