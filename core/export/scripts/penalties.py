"""Scripts of the Penalties page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.export.scripts.description import DataDescription
from core.export.scripts.writing import Code, call, plain_script, script
from core.methods import get_method


@dataclass(frozen=True)
class PairDescription:
    """Two features; without data, those that are made up.

    Attributes
    ----------
    data : DataDescription or None
    features : pair of int
        Counted from 1.
    """

    data: DataDescription | None = None
    features: tuple[int, int] = (1, 2)


def penalty_curves_script(
    studied: str, show: str, parameters: Mapping[str, Mapping[str, float]], *, step: float, together: bool
) -> str:
    """Write the script of the penalties' curves; ``show`` is price, pull or prox."""
    given = {method: dict(values) for method, values in parameters.items() if values}
    drawn = call("pictures.penalty_curves", studied, show=show, parameters=given, step=step, together=together)
    names = {"price": "penalty_curves", "pull": "penalty_slopes", "prox": "prox"}
    return plain_script(f"Penalties: the {show} of a weight", [f"picture = {drawn}"], names[show])


def pair_script(
    picture: str, name: str, method: str, parameters: Mapping[str, float], pair: PairDescription, **options: object
) -> str:
    """Write the script of a picture of two features; ``picture`` is its function, ``name`` that of its files."""
    title = get_method(method).title
    given = {"parameters": dict(parameters)} if parameters else {}
    if pair.data is None:
        drawn = call(f"pictures.{picture}", method, **options, **given)
        return plain_script(f"{title} on two made-up features", [f"picture = {drawn}"], name)
    two = call("pictures.FeaturePair", Code("fold.train"), Code(repr(pair.features)))
    drawn = call(f"pictures.{picture}", method, **options, **given, pair=two)
    return script(f"{title} on two features", pair.data, [], [f"picture = {drawn}"], name)
