"""Base of the pictures of paths of one fold."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, dense_reference, tradeoff_points
from core.data import Convention, Fold
from core.figures.picture import Found, Picture, check_part, option
from core.methods import get_method


@dataclass(frozen=True, eq=False)
class OfPaths(Picture[Found], ABC):
    """A picture of paths of one fold under one convention, each of another method."""

    paths: Sequence[FoldPath]

    def check(self) -> None:
        super().check()
        one_fold(self.paths)

    @property
    def fold(self) -> Fold:
        """Of all paths."""
        return self.paths[0].fold

    @property
    def convention(self) -> Convention:
        """Of all measures."""
        return self.paths[0].convention

    @cached_property
    def judge(self) -> FoldJudge:
        """Measures models."""
        return FoldJudge(self.fold, self.convention)

    @property
    def last_part(self) -> str:
        """The part that says most about new queries: the last that the fold has."""
        return list(self.fold.parts())[-1]

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: get_method(path.method).title for path in self.paths}

    @property
    def names(self) -> str:
        """The same as a list in a sentence."""
        return ", ".join(get_method(path.method).title for path in self.paths)

    @cached_property
    def curves(self) -> dict[str, tuple[TradeoffPoint, ...]]:
        """The models that keep a feature, with what they reach on every part, by method in the order of its path."""
        usable = self.judge.usable_features
        return {path.method: tradeoff_points(path.points, usable) for path in self.paths}

    def whole(self, dense: FoldPath | None, measure: str) -> TradeoffPoint | None:
        """Of a path of all features the model that the choosing part picks."""
        usable = self.judge.usable_features
        return None if dense is None else dense_reference(tradeoff_points(dense.points, usable), measure)


@dataclass(frozen=True, eq=False)
class OnPart(OfPaths[Found], ABC):
    """The same by a measure on one of the parts."""

    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    part: str | None = option(None, looks=True)

    def check(self) -> None:
        super().check()
        check_part(self.shown_part, self.fold)

    @property
    def shown_part(self) -> str:
        """The part that is drawn."""
        return self.part or self.last_part
