"""Made-up runs of the protocol: a test chooses every number.

What must be the same however a run came about: all of its results but the time they took.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.experiments.results.summary import MethodLine
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, PlannedDataset
from core.experiments.run.protocol import CellResult, cell_result

N_FEATURES, N_USABLE = 10, 8
N_QUERIES = 25
SLOWNESS = {1: 1, 2: 2, 3: 6}
NAMES = {j: f"name {j}" for j in range(1, N_FEATURES + 1)}


def result(
    quality: float, kept: Sequence[int], seconds: float = 1.0, seed: int = 0, chosen_by: str = "MAP"
) -> CellResult:
    """A model that keeps these features (from 1) of 10, of which 8 can be used; NDCG@10 is half of MAP."""
    weights = np.zeros(N_FEATURES)
    weights[[j - 1 for j in kept]] = 1.0
    noise = 0.05 * np.random.default_rng(seed).normal(size=N_QUERIES)
    queries = quality + noise - noise.mean()
    record: dict[str, Any] = {
        "metrics": {"test": {"MAP": quality} | {f"NDCG@{k}": quality / 2.0 for k in range(1, 11)}},
        "sparsity_ratio": len(kept) / N_USABLE,
        "nonzero": len(kept),
        "features": [{"index": j, "name": NAMES[j], "weight": 1.0} for j in kept],
        "times": {"grid": seconds, "cell": seconds},
        "lambda": 0.1,
        "C": 1.0,
        "certificate": {},
        "stop": "converged",
        "chosen_by": chosen_by,
    }
    return CellResult(record, weights, {"MAP": queries, "NDCG@10": queries / 2.0})


def line(
    label: str, results: Mapping[int, CellResult], *, dataset: str = "MQ2008", n_folds: int | None = None
) -> MethodLine:
    """A line with these folds; complete unless it should have more."""
    return MethodLine(dataset, choice(label), "letor4", n_folds or len(results), results)


def choice(label: str) -> MethodChoice:
    """As typed; of what is no method, nothing is asked."""
    try:
        return MethodChoice.parse(label)
    except ValueError:
        return MethodChoice(label)


def run(lines: Sequence[MethodLine]) -> tuple[Plan, dict[Cell, CellResult]]:
    """The plan that these lines fill, and their results by cell."""
    choices = tuple(dict.fromkeys(line.choice for line in lines))
    datasets = {line.dataset: line for line in lines}
    cells = {
        (name, fold, one): Cell(
            dataset=name,
            fold=fold,
            fingerprints=tuple(f"{name}{fold}{part}".ljust(64, "0") for part in "tvs"),  # type: ignore[arg-type]
            choice=one,
            settings=(),
            points=4,
            measure="MAP",
            convention="letor4",
            code="0",
        )
        for name, first in datasets.items()
        for fold in range(1, first.n_folds + 1)
        for one in choices
    }
    planned = tuple(
        PlannedDataset(name, DatasetSource(name), "letor4", 1, first.n_folds) for name, first in datasets.items()
    )
    results = {cells[line.dataset, fold, line.choice]: found for line in lines for fold, found in line.results.items()}
    return Plan(datasets=planned, choices=choices, cells=tuple(cells.values()), points=4), results


def four_lines(chosen_by: str = "MAP") -> list[MethodLine]:
    """Three folds, each harder than the last: fenchelrank best, l1 close with half the features, log far below."""
    level = {1: 0.06, 2: 0.0, 3: -0.06}
    kept = {
        "l1": {1: (1, 2), 2: (1, 2), 3: (1, 3)},
        "log": {1: (1,), 2: (2,), 3: (1,)},
        "fenchelrank": {1: (1, 2, 3, 4), 2: (1, 2, 3), 3: (1, 2, 3, 4, 5)},
        "l2": {fold: tuple(range(1, N_USABLE + 1)) for fold in level},
    }
    quality = {"l1": 0.498, "log": 0.40, "fenchelrank": 0.50, "l2": 0.47}
    seconds = {"l1": 0.1, "log": 0.2, "fenchelrank": 5.0, "l2": 0.05}
    return [
        line(
            label,
            {
                fold: result(
                    quality[label] + level[fold],
                    kept[label][fold],
                    seconds[label] * SLOWNESS[fold],
                    10 * fold + k,
                    chosen_by,
                )
                for fold in level
            },
        )
        for k, label in enumerate(kept)
    ]


Table = dict[str, tuple[object, ...]]
TIMES = {"times", "seconds"}


def table(results: Mapping[Cell, CellResult]) -> Table:
    """Model, queries and trace to the last bit, and every number of the records."""
    return {
        cell.key: (
            result.weights.tobytes(),
            {name: values.tobytes() for name, values in result.per_query.items()},
            [replace(point, seconds=0.0) for point in result.trace],
            result.text,
            result.drawn.tobytes(),
            {name: values.tobytes() for name, values in result.drawn_tests.items()},
            json.dumps(timeless(result.record), sort_keys=True),
        )
        for cell, result in results.items()
    }


def timeless(record: Any) -> Any:
    """A record without what its clock said."""
    if isinstance(record, dict):
        return {name: timeless(value) for name, value in record.items() if name not in TIMES}
    return [timeless(value) for value in record] if isinstance(record, list) else record


def undisturbed(plan: Plan) -> Table:
    """The table by the plainest road: cell after cell, in this process, without a store."""
    return table({cell: cell_result(cell, plan.source(cell.dataset).open().fold(cell.fold)) for cell in plan.cells})
