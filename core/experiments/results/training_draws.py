"""± by training queries: what a table's numbers change by when the training queries are drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from core.analysis.tuning.choice_noise import ByChoice
from core.experiments.run.protocol import TESTED, CellResult

Draws = Sequence[Sequence[CellResult]]
"""For every draw of the training queries, the results of all folds of a line."""

DIGITS = {"MAP": 4, "NDCG@10": 4, "sparsity ratio": 2, "share of features": 2, "features": 1}
"""The quantities, with their numbers of digits."""


def by_training(draws: Draws, quantity: str) -> ByChoice | None:
    """Return the mean over folds under draws of the training queries; None without at least two draws of every fold.

    Parameters
    ----------
    draws : sequence of sequence of CellResult
    quantity : {"MAP", "NDCG@10", "sparsity ratio", "share of features", "features"}
    """
    means = [float(np.mean([result.quantity(quantity) for result in folds])) for folds in draws]
    return ByChoice.of(means) if len(means) > 1 else None


def training_columns(lines: Sequence[Draws], *quantities: str) -> list[dict[str, str]]:
    """Return, for every line, a column ± training a quantity; no column where no line has draws."""
    found = [[by_training(draws, quantity) for quantity in quantities] for draws in lines]
    if not any(one is not None for row in found for one in row):
        return [{} for _ in lines]
    return [
        {
            f"{quantity} ± training": "" if one is None else f"{one.deviation:.{DIGITS[quantity]}f}"
            for quantity, one in zip(quantities, row, strict=True)
        }
        for row in found
    ]


def training_numbers(draws: Draws, quantity: str) -> dict[str, float | None]:
    """Return the spread with its Monte Carlo error, for the numbers behind a table; empty without draws."""
    found = by_training(draws, quantity)
    if found is None:
        return {}
    return {"deviation_by_training": found.deviation, "deviation_by_training_error": found.deviation_error}


def training_record(draws: Draws) -> dict[str, Any]:
    """Return what ``protocol --json`` adds to a line; empty without draws."""
    names = {"sparsity ratio": "sparsity_ratio", "features": "nonzero"}
    found = {quantity: by_training(draws, quantity) for quantity in (*TESTED, *names)}
    told = {names.get(quantity, quantity): asdict(one) for quantity, one in found.items() if one is not None}
    return {"by_training": {"draws": len(draws)} | told} if told else {}


def training_note(lines: Sequence[Draws]) -> str:
    """Explain ± training, and how exactly the draws give it; empty without draws."""
    found = [one for draws in lines for name in (*TESTED, "features") if (one := by_training(draws, name)) is not None]
    if not found:
        return ""
    numbers = sorted({len(draws) for draws in lines if len(draws) > 1})
    number = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    shares = [one.deviation_error / one.deviation for one in found if one.deviation > 0.0]
    known = f", which give it to {100.0 * max(shares):.0f} % of itself" if shares else ""
    return (
        " ± training: standard deviation of the mean when the training queries are drawn again with replacement, all "
        "models are fitted on them and one is chosen on the same validation queries. It is over "
        f"{number} draws{known}."
    )
