"""The script of several methods side by side."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.fitting import AtRatio
from core.analysis.tuning.method_bench import BenchPlan, HowToSetC
from core.export.scripts.description import DataDescription
from core.export.scripts.writing import CONVENTION, Code, call, listed, script
from core.methods import get_method


def methods_script(
    data: DataDescription, plans: Sequence[BenchPlan], how: HowToSetC, *, measure: str, measures: Sequence[str]
) -> str:
    """Write the script of the methods that are planned."""
    drawn = call(
        "pictures.methods",
        Code("fold"),
        Code("methods"),
        measure=measure,
        measures=list(measures),
        **({"ratio": float(how.ratio)} if isinstance(how, AtRatio) else {}),
        seconds=max(plan.budget for plan in plans),
        convention=CONVENTION,
    )
    return script(
        f"{len(plans)} methods side by side by {measure}",
        data,
        [],
        [f"methods = {listed([_method(plan) for plan in plans])}", f"picture = {drawn}"],
        "methods",
        ["Seconds are those of this machine; a method that runs out of time may get further here, or less far."],
    )


def _method(plan: BenchPlan) -> Code:
    method = get_method(plan.method)
    solver = {} if plan.solver == method.solver(None).id else {"solver": plan.solver}
    given = {"parameters": dict(plan.parameters)} if plan.parameters else {}
    tol = {} if plan.stop.tol == method.stop.tol else {"tol": plan.stop.tol}
    return call("pictures.BenchMethod", plan.method, **solver, **given, **tol)
