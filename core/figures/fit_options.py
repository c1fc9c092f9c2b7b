"""The options of pictures that fit a method themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, cast

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.fit_keywords import FitKeywords
from core.data import Convention
from core.data.naming import Features
from core.figures.picture import option


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
