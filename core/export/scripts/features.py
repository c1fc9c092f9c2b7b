"""Scripts of the Features page: what is kept beside what each feature can do alone, entry order, stability."""

from __future__ import annotations

from collections.abc import Mapping

from core.export.scripts.description import DataDescription, ModelDescription
from core.export.scripts.writing import CONVENTION, Code, call, fitted, script
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


def stability_script(
    data: DataDescription,
    model: ModelDescription,
    *,
    samples: int,
    sampling: str,
    seed: int,
    points: int,
    threshold: float,
) -> str:
    """Write the script of how often features are kept."""
    drawn = call(
        "pictures.stability",
        Code("fold"),
        model.method.id,
        C=float(model.c),
        dataset=Code("dataset"),
        samples=samples,
        sampling=sampling,
        seed=seed,
        points=points,
        threshold=threshold,
        **({} if model.tol is None else {"tol": model.tol}),
        **model.method.options,
        convention=CONVENTION,
    )
    return script(
        f"Stability of the features that {get_method(model.method.id).title} keeps",
        data,
        [],
        [f"picture = {drawn}"],
        "stability",
        [model.note],
    )
