"""A small example of every declared picture, and for each of its fields another value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import core
from core.api import pictures
from core.export.scripts.picture import Described
from core.figures.picture import Picture


@dataclass(frozen=True)
class Sample:
    """How an example is made, other values of its fields, and how a script fits the models among them."""

    picture: Callable[[], Picture[Any]]
    changed: Callable[[], Mapping[str, Any]]
    described: Mapping[str, Described | Sequence[Described]] = field(default_factory=dict)

    @property
    def others(self) -> Mapping[str, Any]:
        return self.changed()


@cache
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


SAMPLES: dict[str, Sample] = {
    "relevance_levels": Sample(lambda: pictures.relevance_levels(fold().train), lambda: {"data": fold().test}),
    "feature_values": Sample(
        lambda: pictures.feature_values(fold().train, 3),
        lambda: {"data": fold().vali, "feature": 4, "shape": "histogram"},
    ),
    "similarity": Sample(
        lambda: pictures.similarity(fold().train),
        lambda: {"data": fold().test, "kind": "kendall", "threshold": 0.6, "every_name": False},
    ),
    "single_features": Sample(
        lambda: pictures.single_features(fold().train, convention="standard"),
        lambda: {"data": fold().test, "measure": "MAP", "convention": "letor4", "most": 5},
    ),
}
