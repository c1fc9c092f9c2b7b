"""Base of the pictures that fit one method on one fold themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.analysis.evaluation import FoldJudge
from core.analysis.fit_keywords import method_of
from core.data import Fold
from core.figures.fit_options import FitOptions
from core.figures.picture import Found, Picture
from core.methods import Method


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
