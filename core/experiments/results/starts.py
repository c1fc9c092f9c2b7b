"""What several starts gave: a table beside that of every method, of non-convex rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import TESTED

STARTS = (
    "Each chosen model's problem, fitted from the model itself and from random starts. Different minima: by fold. "
    "Above the lowest: the most, over folds, by which the objective of the model, from the plain start, lies above the "
    "lowest found. Features and measures on the test parts: means over folds of the smallest and the largest among the "
    "minima of a fold, and of that at the lowest objective. The model of the other tables is the one from the plain "
    "start, among whose like C was chosen."
)


def over_starts(line: MethodLine) -> dict[str, Any] | None:
    """Return what several starts gave over the folds; None if they were not tried on each.

    ``distinct`` minima of every fold, the most that a model lies ``above`` the lowest, and ``nonzero``, MAP and NDCG@10
    as means over folds of the smallest and the largest among the minima and of that at the lowest objective.
    """
    found: list[dict[str, Any]] = [r.record["starts"] for r in line.results.values() if "starts" in r.record]
    if not found or len(found) < len(line.results):
        return None
    minima = [one["minima"] for one in found]
    spread = {
        name: {
            "smallest": mean(min(minimum[name] for minimum in one) for one in minima),
            "largest": mean(max(minimum[name] for minimum in one) for one in minima),
            "at_lowest": mean(one[0][name] for one in minima),
        }
        for name in ("nonzero", *TESTED)
    }
    distinct = [one["distinct"] for one in found]
    return {"n": found[0]["n"], "distinct": distinct, "above": max(one["above"] for one in found), **spread}


def starts_record(line: MethodLine) -> dict[str, Any]:
    """Return what ``protocol --json`` adds to a line; empty if several starts were not tried on each fold."""
    found = over_starts(line)
    return {} if found is None else {"starts": found}


def starts_rows(lines: Sequence[MethodLine]) -> list[dict[str, Any]]:
    """Return what several starts gave as a table for people: a row for each line that has tried them."""
    return [
        {
            "dataset": line.dataset,
            "method": line.choice.label,
            "starts": str(found["n"]),
            "different minima": ", ".join(str(number) for number in found["distinct"]),
            "above the lowest": f"{100.0 * found['above']:.2g} %",
            "features": _range(found["nonzero"], 1),
            "features at the lowest": f"{found['nonzero']['at_lowest']:.1f}",
            **{
                key: value
                for name in TESTED
                for key, value in (
                    (name, _range(found[name], 4)),
                    (f"{name} at the lowest", f"{found[name]['at_lowest']:.4f}"),
                )
            },
        }
        for line in lines
        if (found := over_starts(line)) is not None
    ]


def starts_numbers(lines: Sequence[MethodLine]) -> list[dict[str, Any]]:
    """Return the same with every digit."""
    return [
        {"dataset": line.dataset, "method": line.choice.label, "starts": found["n"], "above": found["above"]}
        | {"distinct": " ".join(str(number) for number in found["distinct"])}
        | {f"{name} {end}": value for name in ("nonzero", *TESTED) for end, value in found[name].items()}
        for line in lines
        if (found := over_starts(line)) is not None
    ]


def _range(found: Mapping[str, float], digits: int) -> str:
    low, high = (f"{found[end]:.{digits}f}" for end in ("smallest", "largest"))
    return low if low == high else f"{low} to {high}"
