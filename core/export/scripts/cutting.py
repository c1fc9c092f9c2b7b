"""Scripts of models cut down to their largest weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import CONVENTION, Code, call, fitted, fitted_path, listed, script


def truncation_script(
    data: DataDescription,
    methods: Sequence[MethodDescription],
    model: ModelDescription | None,
    *,
    measure: str,
    part: str,
    limit: int,
) -> str:
    """Write the script of one fold; ``model`` is cut down beside the best ones of the methods' paths."""
    body = [f"paths = {listed([fitted_path(method) for method in methods])}"]
    options: dict[str, object] = {}
    if model is not None:
        body.append(f"model = {fitted(model)}")
        options["model"] = Code("model")
    drawn = call("pictures.truncation", Code("paths"), **options, measure=measure, part=part, limit=limit)
    return script(
        f"Largest weights of {titles(methods)}",
        data,
        ["fit_path", *(["fit"] if model is not None else [])],
        [*body, f"picture = {drawn}"],
        "truncation",
        [model.note if model is not None else ""],
    )


def truncation_over_folds_script(
    data: DataDescription,
    methods: Sequence[MethodDescription],
    given: Mapping[str, Mapping[str, float]],
    *,
    sizes: Sequence[int] | None,
    **how: object,
) -> str:
    """Write the script of means over folds.

    ``given`` are the parameters by method that are not tried; ``how`` are further options of
    `core.api.pictures.truncation_over_folds`.
    """
    few = {} if sizes is None else {"sizes": list(sizes)}
    drawn = call("pictures.truncation_over_folds", Code("dataset"), dict(given), **how, **few, convention=CONVENTION)
    subject = f"Largest weights over all folds, of {titles(methods)}"
    return script(subject, data, [], [f"picture = {drawn}"], "truncation_folds")
