"""Bases of pictures: of paths of one fold, of models on one of its parts, and those that fit a method themselves."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, cast

from core.analysis.evaluation import FoldJudge
from core.analysis.features.feature_rules import FeatureRules
from core.analysis.fit_keywords import FitKeywords, method_of
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffRow, dense_reference, tradeoff_points
from core.data import Convention, Fold, RankingData
from core.data.naming import Features
from core.figures.path.lines import PART_WORDS
from core.figures.picture import Found, Picture, check_part, option
from core.methods import Method, get_method
from core.models import ModelPath, one_fold


@dataclass(frozen=True, eq=False)
class OfPaths(Picture[Found], ABC):
    """A picture of paths of one fold under one convention, each of another method."""

    paths: Sequence[ModelPath]

    def check(self) -> None:
        super().check()
        one_fold(self.paths)

    @property
    def fold(self) -> Fold:
        return self.shown_fold

    @property
    def convention(self) -> Convention:
        return self.paths[0].convention

    @cached_property
    def judge(self) -> FoldJudge:
        return FoldJudge(self.fold, self.convention)

    @property
    def last_part(self) -> str:
        """The part that says most about new queries: the last that the fold has."""
        return list(self.fold.parts())[-1]

    @property
    def titles(self) -> dict[str, str]:
        return {path.method: get_method(path.method).title for path in self.paths}

    @property
    def names(self) -> str:
        """The same as a list in a sentence."""
        return ", ".join(get_method(path.method).title for path in self.paths)

    @cached_property
    def curves(self) -> dict[str, tuple[TradeoffRow, ...]]:
        """The models that keep a feature, with what they reach on every part, by method in the order of its path."""
        usable = self.judge.usable_features
        return {path.method: tradeoff_points(path.points, usable) for path in self.paths}

    def whole(self, dense: ModelPath | None, measure: str) -> TradeoffRow | None:
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


@dataclass(frozen=True, eq=False)
class OfPart(Picture[Found], ABC):
    """A picture of models of one fold on one of its parts."""

    _: KW_ONLY
    part: str = option("test", titles={part: part for part in PART_WORDS})

    def check(self) -> None:
        super().check()
        check_part(self.part, self.shown_fold)

    @property
    def data(self) -> RankingData:
        """The part on which models are looked at."""
        return self.shown_fold.parts()[self.part]


@dataclass(frozen=True, eq=False)
class FitOptions:
    """Base of the declaration of a picture that fits a method; its options are keywords of `core.fit`.

    The solver is not among them: where it can be chosen, the picture has an option ``solver``.
    """

    _: KW_ONLY
    tol: float | None = option(None)
    parameters: Mapping[str, float | str] | None = option(None)
    rules: FeatureRules | None = option(None)
    off: Features | None = option(None)
    must: Features | None = option(None)
    helps: Features | None = option(None)
    hurts: Features | None = option(None)
    costs: Mapping[str | int, float] | None = option(None)
    convention: Convention = option("standard")

    @property
    def keywords(self) -> FitKeywords:
        """Those that are given."""
        given: dict[str, Any] = {name: getattr(self, name, None) for name in FitKeywords.__annotations__}
        return cast("FitKeywords", {name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True, eq=False)
class FittingPicture(FitOptions, Picture[Found]):
    """A picture of fits of one method on one fold."""

    fold: Fold
    method: str | Method = "l1"

    def check(self) -> None:
        super().check()
        method_of(self.fold.train, self.method, self.keywords)

    @cached_property
    def under(self) -> Method:
        """The method under its rules."""
        return method_of(self.fold.train, self.method, self.keywords)[0]

    @cached_property
    def given(self) -> dict[str, float]:
        """The parameters that are given, as numbers."""
        return method_of(self.fold.train, self.method, self.keywords)[1]

    @cached_property
    def judge(self) -> FoldJudge:
        return FoldJudge(self.fold, self.convention)
