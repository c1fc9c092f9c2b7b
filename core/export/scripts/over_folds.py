"""The script of the trade-off over all folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.export.scripts.description import DataDescription, MethodDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import CONVENTION, Code, call, script


def over_folds_script(
    data: DataDescription, methods: Sequence[MethodDescription], *, measure: str, **how: object
) -> str:
    """Write the script; ``how`` are further options of `core.api.pictures.tradeoff_over_folds`."""
    wanted = {method.id: method.options.get("parameters", {}) for method in methods}
    rules: Mapping[str, object] = next((method.options for method in methods if method.rules is not None), {})
    given = {name: value for name, value in rules.items() if name != "parameters"}
    imports, options = [], dict(how)
    if given:
        imports = ["FeatureRules"]
        options["rules"] = call("FeatureRules", **given)
    drawn = call(
        "pictures.tradeoff_over_folds", Code("dataset"), wanted, measure=measure, **options, convention=CONVENTION
    )
    return script(
        f"Trade-off between {measure} and features kept over all folds, of {titles(methods)}",
        data,
        imports,
        [f"picture = {drawn}"],
        "tradeoff",
        ["The columns of seconds are the time on this machine."],
    )
