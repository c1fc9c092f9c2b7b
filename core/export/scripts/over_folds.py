"""Scripts of the trade-off over all folds, and of the features that methods remove on folds and datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.export.scripts.description import DataDescription, MethodDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import Code, call, listed, opened, plain_script, script


def removed_by_fold_script(
    data: DataDescription, methods: Sequence[MethodDescription], *, measure: str, points: int
) -> str:
    """Write the script of the features that methods remove on each fold."""
    imports, rules = _rules(methods)
    how = {"measure": measure, "points": points, **rules}
    drawn = call("pictures.removed_by_fold", Code("dataset"), _parameters(methods), **how)
    return script(
        f"Features that {titles(methods)} remove on each fold", data, imports, [f"picture = {drawn}"], "spider"
    )


def removed_by_dataset_script(
    datasets: Sequence[DataDescription], methods: Sequence[str], *, measure: str, points: int, most_folds: int
) -> str:
    """Write the script of the features that methods remove on each dataset."""
    drawn = call(
        "pictures.removed_by_dataset",
        Code("datasets"),
        list(methods),
        measure=measure,
        points=points,
        most_folds=most_folds,
    )
    body = [f"datasets = {listed([opened(data) for data in datasets])}", f"picture = {drawn}"]
    names = ", ".join(data.name for data in datasets)
    subject = f"Features that {titles([MethodDescription(one, {}) for one in methods])} remove on {names}"
    return plain_script(subject, body, "spider", datasets=datasets)


def _parameters(methods: Sequence[MethodDescription]) -> dict[str, object]:
    return {method.id: method.options.get("parameters", {}) for method in methods}


def _rules(methods: Sequence[MethodDescription]) -> tuple[list[str], dict[str, object]]:
    """What has to be imported for the rules, and the option; nothing where there are none."""
    under: Mapping[str, object] = next((method.options for method in methods if method.rules is not None), {})
    given = {name: value for name, value in under.items() if name != "parameters"}
    return (["FeatureRules"], {"rules": call("FeatureRules", **given)}) if given else ([], {})
