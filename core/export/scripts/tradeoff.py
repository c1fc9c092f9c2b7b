"""The script of the Trade-off page."""

from __future__ import annotations

from collections.abc import Sequence

from core.export.scripts.description import DataDescription, MethodDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import Code, call, fitted_path, listed, script


def tradeoff_script(
    data: DataDescription,
    methods: Sequence[MethodDescription],
    dense: MethodDescription | None,
    *,
    measure: str,
    part: str,
    limit: int,
    against: str,
    log_across: bool,
    costs: Sequence[float] = (),
    best_subsets: tuple[float, int] | None = None,
) -> str:
    """Write the script of quality against the number of features.

    ``dense`` is the method of all features; ``best_subsets`` are lambda / lambda_max and largest size of the best
    subsets, where they are drawn.
    """
    body = [f"paths = {listed([fitted_path(method) for method in methods])}"]
    options: dict[str, object] = {"measure": measure, "part": part, "limit": limit}
    if dense is not None:
        body.append(f"dense = {fitted_path(dense)}")
        options["dense"] = Code("dense")
    options |= {"against": against, "log_across": log_across}
    if costs:
        options["costs"] = list(costs)
    if best_subsets is not None:
        options["ridge"], options["most"] = best_subsets
    return script(
        f"Trade-off between {measure} and features kept, of {titles(methods)}",
        data,
        ["fit_path"],
        [*body, f"picture = {call('pictures.tradeoff', Code('paths'), **options)}"],
        "tradeoff",
        ["The column of seconds is the time on this machine."],
    )
