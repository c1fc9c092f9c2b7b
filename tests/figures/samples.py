"""A small example of every declared picture, and for each of its fields another value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import core
from core.api import pictures
from core.figures.picture import Picture


@dataclass(frozen=True)
class Sample:
    """How an example is made, and other values of its fields."""

    picture: Callable[[], Picture[Any]]
    changed: Callable[[], Mapping[str, Any]]

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
