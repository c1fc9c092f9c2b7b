"""What the examples of pictures share: the form of an example, and models of a small dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import core
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.picture import Described, Fitted, Opened
from core.figures.picture import Picture

PLANTED = DataDescription("planted", 1, "planted, Fold1", core.Reading())


@dataclass(frozen=True)
class Sample:
    """How an example is made, other values of its fields, and how a script fits the models among them."""

    picture: Callable[[], Picture[Any]]
    changed: Callable[[], Mapping[str, Any]]
    described: Mapping[str, Described | Sequence[Fitted]] = field(default_factory=dict)
    data: Opened = PLANTED
    timed: bool = False
    """Whether its words tell seconds of this machine."""

    @property
    def others(self) -> Mapping[str, Any]:
        return self.changed()


@cache
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


@cache
def path(method: str, number: int = 1) -> core.ModelPath:
    return core.fit_path(core.open_dataset("planted").fold(number), method, points=50, smallest_ratio=1e-4)


@cache
def model(method: str, ratio: float = 0.1) -> core.Model:
    return core.fit(fold(), method, lambda_ratio=ratio)


def at(fitted: core.Model) -> ModelDescription:
    return ModelDescription(MethodDescription(fitted.fit.method, {}), fitted.fit.c, fitted.fit.solver)


FITTING: dict[str, Any] = {
    "fold": core.open_dataset("planted").fold(2),
    "method": "log",
    "tol": 1e-3,
    "parameters": {"refit": 1},
    "rules": core.FeatureRules(off=[1]),
    "off": [1],
    "must": [2],
    "helps": [3],
    "hurts": [4],
    "costs": {5: 2.0},
    "convention": "letor4",
}
"""Other ways to fit ℓ1."""
