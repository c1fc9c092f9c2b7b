"""Fit a model, or a path of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from core.analysis.choosing import ChoiceRule
from core.analysis.features.feature_rules import FeatureRules, RuleKeywords
from core.analysis.fit_keywords import FitKeywords, at_lambda, fitting_of, rules_of
from core.analysis.fitting import OnValidation
from core.analysis.penalties.several_starts import StartsSpread, check_starts, starts_run
from core.data import Convention, Fold, RankingData
from core.methods import Method
from core.metrics import Measure
from core.models import Model, ModelPath


def fit(
    data: Fold | RankingData,
    method: str | Method = "l1",
    *,
    C: float | None = None,
    lambda_ratio: float | None = None,
    tune: str | None = None,
    choose: ChoiceRule = "best",
    starts: int = 1,
    widen: bool = False,
    solver: str | None = None,
    tol: float | None = None,
    parameters: Mapping[str, float | str] | None = None,
    rules: FeatureRules | None = None,
    convention: Convention = "standard",
    **keywords: Unpack[RuleKeywords],
) -> Model:
    """Fit a model.

    Parameters
    ----------
    data : Fold or RankingData
        A fold is fitted on its training part and measured on every part.
    method : str or Method
        An id of `list_methods`.
    C, lambda_ratio, tune
        One of them: C; lambda as a share of lambda_max; or the measure, such as ``"map"``, by which the validation part
        chooses C (and parameters that have not been given). A hundredth of lambda_max if none is given.
    choose : {"best", "one-se", "average"}
        How validation chooses: the best model, the sparsest within one standard error, or an average over resamples.
    starts : int
        For non-convex penalties: from how many starts the model's problem is fitted, for the spread in
        ``Model.starts``; the model stays the one from the plain start.
    widen : bool
        With ``tune``: whether the grid of C widens until the choice lies inside, by at most four decades at each end.
    solver : str, optional
    tol : float, optional
        Relative certificate to reach; the method's own rule by default.
    parameters : mapping, optional
        Parameters of the method, by name.
    rules : FeatureRules, optional
    convention : {"standard", "letor3", "letor4"}
    **keywords
        The rules one by one, in place of ``rules``: off, must, helps, hurts (features by name or number) and costs, as
        `FeatureRules` describes them.

    Raises
    ------
    DataError
        If the data cannot be learned from, or has no validation part to choose on.
    ValueError
        If an option cannot be used.
    """
    options: FitKeywords = {
        "solver": solver,
        "tol": tol,
        "parameters": parameters,
        "rules": rules,
        "convention": convention,
        **keywords,
    }
    how = fitting_of(data, method, options)
    if starts > 1:
        check_starts(how.method)
    if sum(given is not None for given in (C, lambda_ratio, tune)) > 1:
        msg = "give only one of C, lambda_ratio and tune"
        raise ValueError(msg)
    tuned = None if tune is None else how.tune(OnValidation(str(Measure.parse(tune)), choose, widen=widen))
    found = how.model(how.lam(at_lambda(C, lambda_ratio))) if tuned is None else tuned.point
    fold = how.judge.fold
    under = rules_of(options).by_column(fold.train.feature_names)
    spread = None
    if starts > 1:
        run = starts_run(how, found.fit, starts)
        run.finish()
        spread = StartsSpread.of(run.minima(), how.judge)
    return Model(found.fit, fold, found.judgement, convention, tuned, spread, rules=under)


def fit_path(
    data: Fold | RankingData,
    method: str | Method = "l1",
    *,
    points: int | None = None,
    smallest_ratio: float | None = None,
    **how: Unpack[FitKeywords],
) -> ModelPath:
    """Fit the models of a method at falling lambda, each warm-started.

    Parameters
    ----------
    data : Fold or RankingData
    method : str or Method
    points : int, optional
        Number of models, evenly spaced in log lambda; the method's own by default, mostly 50.
    smallest_ratio : float, optional
        The last lambda, as a share of lambda_max; the method's own by default, mostly 1e-4.
    **how
        solver, tol, parameters, rules (together or one by one) and convention, as for `fit`.

    Raises
    ------
    DataError
        If the data cannot be learned from.
    ValueError
        If an option cannot be used.
    """
    fitting = fitting_of(data, method, how)
    fold, convention = fitting.judge.fold, fitting.judge.convention
    rules = rules_of(how).by_column(fold.train.feature_names)
    return ModelPath(tuple(fitting.path(points, smallest_ratio)), fold, convention, rules=rules)
