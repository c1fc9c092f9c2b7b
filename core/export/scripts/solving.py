"""The script of the Lab."""

from __future__ import annotations

from collections.abc import Sequence

from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.writing import Code, call, fitted, fitted_path, listed, script
from core.methods import get_method


def lab_script(
    data: DataDescription,
    methods: Sequence[MethodDescription],
    model: ModelDescription,
    *,
    measure: str,
    part: str,
    ratio: float,
) -> str:
    """Write the script of the four views of the Lab; the first method is the model's."""
    views = {
        "lab_path": call("pictures.paths", Code("paths"), measure=measure, measures=[measure], ratio=float(ratio)),
        "lab_tradeoff": call("pictures.tradeoff", Code("paths"), measure=measure, part=part),
        "lab_features": call("pictures.features", Code("[model]"), part=part),
    }
    return script(
        f"The Lab's four views of {titles(methods)}",
        data,
        ["fit", "fit_path"],
        [
            f"paths = {listed([fitted_path(method) for method in methods])}",
            f"model = {fitted(model)}",
            *(f"{drawn}.save({name!r})".replace("'", '"') for name, drawn in views.items()),
            f"picture = {call('pictures.convergence', Code('model'), quantity='certificate')}",
        ],
        "lab_convergence",
        ["The other three views are written as well: lab_path, lab_tradeoff and lab_features.", model.note],
    )


def titles(methods: Sequence[MethodDescription]) -> str:
    """Write the titles of methods, with commas."""
    return ", ".join(get_method(method.id).title for method in methods)
