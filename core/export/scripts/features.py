"""The script of a model under rules for features, beside the one without."""

from __future__ import annotations

from collections.abc import Mapping

from core.export.scripts.description import DataDescription, ModelDescription
from core.export.scripts.writing import Code, call, fitted, script
from core.methods import get_method


def what_if_script(
    data: DataDescription, before: ModelDescription, after: ModelDescription, *, costs: Mapping[int, float], most: int
) -> str:
    """Write the script of a model under rules for features, beside the one without; ``costs`` by number from 1."""
    priced = {"costs": dict(costs)} if costs else {}
    drawn = call("pictures.what_if", Code("before"), Code("after"), **priced, most=most)
    return script(
        f"Weights of {get_method(after.method.id).title} under rules for features, and without them",
        data,
        ["fit"],
        [f"before = {fitted(before)}", f"after = {fitted(after)}", f"picture = {drawn}"],
        "what_if",
        [after.note],
    )
