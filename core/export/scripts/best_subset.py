"""The scripts of the best possible sets: the certified line, and the sets that come near it."""

from __future__ import annotations

from collections.abc import Sequence

from core.export.scripts.description import DataDescription, MethodDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import CONVENTION, Code, call, fitted_path, listed, script

UNPROVEN = (
    "If a size is not proven in time, the script uses the best set found by then, which may differ between machines."
)


def best_subset_script(
    data: DataDescription, methods: Sequence[MethodDescription], *, ridge: float, most: int, show: str
) -> str:
    """Write the script of the certified line, or of how far methods are from it.

    Parameters
    ----------
    methods : sequence of MethodDescription
        Whose paths are compared with it.
    ridge : float
        The share of lambda_max that is the lambda of all models.
    most : int
        The largest number of features.
    show : {"line", "how far"}
    """
    drawn = call(
        "pictures.best_subsets",
        Code("fold"),
        ridge=ridge,
        most=most,
        paths=Code("paths"),
        show=show,
        convention=CONVENTION,
    )
    return script(
        f"Objectives of the best subsets and of {titles(methods)}" if methods else "Objectives of the best subsets",
        data,
        ["fit_path"] if methods else [],
        [f"paths = {listed([fitted_path(method) for method in methods])}", f"picture = {drawn}"],
        "certified" if show == "line" else "excess",
        [UNPROVEN],
    )


def alternatives_script(data: DataDescription, *, ridge: float, k: int, within: float, part: str, measure: str) -> str:
    """Write the script of all sets of at most k features whose objective is within a share of the lowest one."""
    drawn = call(
        "pictures.near_optimal_sets",
        Code("fold"),
        ridge=ridge,
        k=k,
        within=within,
        part=part,
        measure=measure,
        convention=CONVENTION,
    )
    return script(
        f"Sets of at most {k} features within {100 * within:g} % of the lowest objective",
        data,
        [],
        [f"picture = {drawn}"],
        "alternatives",
    )
