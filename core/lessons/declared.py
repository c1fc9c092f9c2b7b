"""The data and the facts of a declared result, as core takes and makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.data import Convention, Fold

Fact = int | float | str | tuple[Any, ...] | Mapping[str, float]
Facts = Mapping[str, Fact]


@dataclass(frozen=True)
class LessonData:
    """The data that results are computed from: a fold, and the convention of its measures."""

    fold: Fold
    convention: Convention
