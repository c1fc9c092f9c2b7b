"""The options of pictures that fit a method themselves, and the base of those of one method on one fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, cast

from core.analysis.evaluation import FoldJudge
from core.analysis.features.feature_rules import FeatureRules
from core.analysis.fit_keywords import FitKeywords, method_of
from core.data import Convention, Fold
from core.data.naming import Features
from core.figures.picture import Found, Picture, option
from core.methods import Method


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
        """Measures models on the fold."""
        return FoldJudge(self.fold, self.convention)
