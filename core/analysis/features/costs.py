"""Costs of computing features, as a CSV table of two columns that people edit elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.data import DataError
from core.names.plain import from_spreadsheet, in_spreadsheet

FloatArray = NDArray[np.float64]


def read_costs(text: str, feature_names: Sequence[str]) -> FloatArray:
    """Read costs from CSV lines ``feature name,cost``; a feature that is not named costs 1.

    A first line that ends in ``cost`` is a header.

    Returns
    -------
    ndarray, shape (n_features,)

    Raises
    ------
    DataError
        If a feature is unknown or repeated, or a cost is not a number of 0 or more; the error names the line.
    """
    columns = {name: j for j, name in enumerate(feature_names)}
    costs = np.ones(len(feature_names))
    unseen = set(columns)
    for number, row in enumerate(csv.reader(io.StringIO(text.removeprefix("\ufeff"))), 1):
        if not row or (number == 1 and row[-1].strip().lower() == "cost"):
            continue
        name, cost = row[0].strip(), _cost(row)
        if name not in columns:
            name = from_spreadsheet(row[0]).strip()
        if name not in columns:
            msg = f"there is no feature named {name!r}"
            raise DataError(msg, line=number)
        if name not in unseen:
            msg = f"the feature {name!r} is listed twice"
            raise DataError(msg, line=number)
        if cost is None:
            msg = f"the feature {name!r} needs one cost after its name, a number of 0 or more"
            raise DataError(msg, line=number)
        unseen.remove(name)
        costs[columns[name]] = cost
    return costs


def write_costs(costs: FloatArray, feature_names: Sequence[str]) -> str:
    """Write the CSV text that `read_costs` reads."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["feature", "cost"])
    writer.writerows((in_spreadsheet(name), f"{cost:g}") for name, cost in zip(feature_names, costs, strict=True))
    return text.getvalue()


def _cost(row: Sequence[str]) -> float | None:
    """Return the second of exactly two cells as a cost; None if it is none."""
    try:
        value = float(row[1]) if len(row) == 2 else np.nan
    except ValueError:
        return None
    return value if np.isfinite(value) and value >= 0.0 else None
