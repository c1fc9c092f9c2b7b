"""What must be the same however a run came about: all of its results but the time they took."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult, cell_result

Table = dict[str, tuple[object, ...]]
TIMES = {"times", "seconds"}


def table(results: Mapping[Cell, CellResult]) -> Table:
    """Model, queries and trace to the last bit, and every number of the records."""
    return {
        cell.key: (
            result.weights.tobytes(),
            {name: values.tobytes() for name, values in result.per_query.items()},
            {name: values.tobytes() for name, values in result.trace.items() if name not in TIMES},
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
