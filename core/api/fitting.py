"""How models are fitted, as keywords that functions share, and what they come to for a method on a fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from core.analysis.evaluation import FoldJudge
from core.analysis.features.feature_rules import FeatureRules, RuleKeywords, method_under_rules
from core.data import Convention, Fold, RankingData
from core.methods import Method, Training
from core.solvers import Stop


class FitKeywords(RuleKeywords, total=False):
    """Keywords that say how a method is fitted, as `core.fit` describes them."""

    solver: str | None
    tol: float | None
    parameters: Mapping[str, float | str] | None
    rules: FeatureRules | None
    convention: Convention


@dataclass(frozen=True, eq=False)
class Fitting:
    """A method that is to be fitted to a fold.

    Attributes
    ----------
    fold : Fold
    method : Method
        Under the rules for features.
    given : dict
        Parameters that a person has set, checked; the others may be chosen on the validation part.
    rules : FeatureRules
    solver : str or None
        None for the method's first one.
    stop : Stop
    convention : {"standard", "letor3", "letor4"}
    """

    fold: Fold
    method: Method
    given: dict[str, float]
    rules: FeatureRules
    solver: str | None
    stop: Stop
    convention: Convention

    @classmethod
    def of(cls, data: Fold | RankingData, method: str | Method, keywords: FitKeywords) -> Fitting:
        """Read the keywords.

        Raises
        ------
        TypeError
            If there is no such keyword.
        ValueError
            If an option cannot be used.
        """
        fold = data if isinstance(data, Fold) else Fold("all", data)
        own = FitKeywords.__annotations__.keys() - RuleKeywords.__annotations__.keys()
        one_by_one = cast("RuleKeywords", {name: value for name, value in keywords.items() if name not in own})
        rules = FeatureRules.given(keywords.get("rules"), one_by_one)
        under = method_under_rules(method, fold.train, rules)
        parameters = keywords.get("parameters") or {}
        settings = under.settings(parameters)
        return cls(
            fold,
            under,
            {name: settings[name] for name in parameters},
            rules,
            keywords.get("solver"),
            under.stop_at(keywords.get("tol")),
            keywords.get("convention", "standard"),
        )

    @property
    def settings(self) -> dict[str, float]:
        """Every parameter of the method, defaults where none was given."""
        return self.method.settings(self.given)

    @cached_property
    def training(self) -> Training:
        """The training part as the method sees it."""
        return self.method.training(self.fold.train, self.given, self.convention)

    @cached_property
    def judge(self) -> FoldJudge:
        """Measures models on every part of the fold."""
        return FoldJudge(self.fold, self.convention)
