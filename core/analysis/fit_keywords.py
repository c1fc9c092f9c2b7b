"""How models are fitted, as keywords that functions share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, cast

from core.analysis.features.feature_rules import FeatureRules, RuleKeywords, method_under_rules
from core.analysis.fitting import AtC, AtRatio, Fitting
from core.analysis.ingredient import Ingredient, Made
from core.data import Convention, Fold, RankingData
from core.methods import Method


class FitKeywords(RuleKeywords, total=False):
    """Keywords that say how a method is fitted, as `core.fit` describes them."""

    solver: str | None
    tol: float | None
    parameters: Mapping[str, float | str] | None
    rules: FeatureRules | None
    convention: Convention


@dataclass(frozen=True)
class FittingIngredient(Ingredient[Made], Generic[Made]):
    """Base of the results of fits of a method on a fold.

    Attributes
    ----------
    method : str or Method
        Only with an id it has a key.
    """

    fold: Fold
    method: str | Method
    how: FitKeywords

    @property
    def fitting(self) -> Fitting:
        """The fit, prepared; raises as `fitting_of`."""
        return fitting_of(self.fold, self.method, self.how)


def fitting_of(data: Fold | RankingData, method: str | Method, keywords: FitKeywords) -> Fitting:
    """Prepare a fit as the keywords say.

    Raises
    ------
    DataError
        If the method cannot learn from the data.
    TypeError
        If there is no such keyword.
    ValueError
        If an option cannot be used.
    """
    fold = data if isinstance(data, Fold) else Fold("all", data)
    under, given = method_of(fold.train, method, keywords)
    return Fitting.on(
        fold,
        under,
        given,
        keywords.get("convention", "standard"),
        solver=keywords.get("solver"),
        stop=under.stop_at(keywords.get("tol")),
    )


def method_of(data: RankingData, method: str | Method, keywords: FitKeywords) -> tuple[Method, dict[str, float]]:
    """Return the method under its rules and the parameters that are given, as numbers; nothing is computed.

    Raises a `TypeError` if there is no such keyword, and a `ValueError` if an option cannot be used.
    """
    under = method_under_rules(method, data, rules_of(keywords))
    parameters = keywords.get("parameters") or {}
    settings = under.settings(parameters)
    under.solver(keywords.get("solver"))
    under.stop_at(keywords.get("tol"))
    return under, {name: settings[name] for name in parameters}


def rules_of(keywords: FitKeywords) -> FeatureRules:
    """Return the rules for features, given together or one by one.

    Raises a `TypeError` if there is no such keyword, and a `ValueError` if they are given both ways.
    """
    own = FitKeywords.__annotations__.keys() - RuleKeywords.__annotations__.keys()
    one_by_one = cast("RuleKeywords", {name: value for name, value in keywords.items() if name not in own})
    return FeatureRules.given(keywords.get("rules"), one_by_one)


def at_lambda(c: float | None, ratio: float | None) -> AtC | AtRatio:
    """Return where a model is fitted: at C, at a share of lambda_max, or at a hundredth of it if neither is given.

    Raises a `ValueError` if both are given.
    """
    if c is not None and ratio is not None:
        msg = "give only one of C and lambda_ratio"
        raise ValueError(msg)
    return AtC(c) if c is not None else AtRatio(0.01 if ratio is None else ratio)
