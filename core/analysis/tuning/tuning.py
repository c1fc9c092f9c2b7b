"""Choosing C on the validation part, as the papers do, and with it the parameters that they choose there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceRule, best_fit, no_validation_part
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, regularization_path
from core.analysis.tuning.choice_noise import PathChoice, path_choice
from core.methods import Method, Training
from core.metrics import Measure
from core.solvers import Stop

FloatArray = NDArray[np.float64]


def values_tried(method: Method, given: Mapping[str, float], n_features: int) -> dict[str, tuple[float, ...]]:
    """By name of a parameter, the values from which validation chooses; what has been given is not tried.

    Nor is what has no effect, such as the ridge of a refit that is not made.

    Parameters
    ----------
    method : Method
    given : mapping
        Parameters that somebody has set, by name.
    n_features : int
        Of the data: a number of features that is larger is this one.
    """
    settings = method.settings(given)
    return {
        parameter.name: tuple(
            dict.fromkeys(min(value, float(n_features)) if parameter.counts else value for value in parameter.tried)
        )
        for parameter in method.parameters
        if parameter.tried and parameter.name not in given and parameter.matters(settings)
    }


def settings_to_try(method: Method, given: Mapping[str, float], n_features: int) -> tuple[dict[str, float], ...]:
    """Every combination of `values_tried`, each with all parameters; a single one where nothing is to be tried.

    Those nearest to the defaults come first: whoever runs out of time has had them.
    """
    tried = values_tried(method, given, n_features)
    defaults = method.settings(given)
    every = [method.settings({**given, **dict(zip(tried, values, strict=True))}) for values in product(*tried.values())]
    return tuple(sorted(every, key=lambda settings: sum(settings[name] != defaults[name] for name in tried)))


def tuning_path(
    method: Method,
    training: Training,
    lams: FloatArray,
    judge: FoldJudge | None = None,
    *,
    solver: str | None = None,
    parameters: Mapping[str, float] | None = None,
    stop: Stop | None = None,
) -> Iterator[PathPoint]:
    """A `regularization_path` for each of `settings_to_try`, one after the other; each model says its settings.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    parameters : mapping, optional
        Those that are given, and so not tried.

    Raises
    ------
    ValueError
        If a parameter cannot be.
    """
    for settings in settings_to_try(method, parameters or {}, training.data.n_features):
        yield from regularization_path(method, training, lams, judge, solver=solver, parameters=settings, stop=stop)


def chosen_on_validation(
    points: Sequence[PathPoint], judge: FoldJudge, measure: str = "map", rule: ChoiceRule = "best"
) -> tuple[PathPoint, PathChoice]:
    """The point that a rule takes by the validation part, and how much of that is the draw of its queries.

    Parameters
    ----------
    points : sequence of PathPoint
        With metrics.
    judge : FoldJudge
        Of their fold.
    measure : str
        ``"map"``, ``"ndcg@10"``, ...
    rule : {"best", "one-se", "average"}

    Raises
    ------
    DataError
        If the fold has no validation part.
    ValueError
        If there is no such measure or rule, or nothing to choose from.
    """
    best_on_validation(points[:1], measure)  # refuses what cannot be chosen by, in its own words
    found = path_choice(points, judge, str(Measure.parse(measure)), rule)
    return points[found.chosen], found


def best_on_validation(points: Sequence[PathPoint], measure: str = "map") -> PathPoint:
    """The point with the best validation value; among equals the largest lambda, then the fewest features.

    Laporte et al. (2014, Section V-C) choose by MAP, Lai et al. (2013) by NDCG@10. Tied documents are judged in
    expectation over their orders: an empty model, which ties all of them, would else be worth what the order of the
    file is worth.

    Parameters
    ----------
    points : sequence of PathPoint
        With metrics.
    measure : str
        ``"map"``, ``"ndcg@10"``, ...

    Raises
    ------
    DataError
        If the fold has no validation part.
    ValueError
        If there is no such measure, or nothing to choose from.
    """
    name = str(Measure.parse(measure))
    if not points or any(not point.metrics for point in points):
        msg = "choosing C needs a path with metrics: give it at least one point and a judge"
        raise ValueError(msg)
    if any("vali" not in point.metrics for point in points):
        raise no_validation_part()
    if name not in points[0].metrics["vali"]:
        msg = f"{name} is not measured along a path; choose by one of {', '.join(points[0].metrics['vali'])}"
        raise ValueError(msg)
    worth = [point.judgement.fair("vali", name) for point in points]
    return points[best_fit(worth, [point.fit for point in points])]


def chosen_among(tried: Mapping[str, tuple[float, ...]], settings: Mapping[str, float]) -> dict[str, Any]:
    """What a record says of the parameters that were chosen with C; nothing where there are none.

    Parameters
    ----------
    tried : mapping
        From `values_tried`.
    settings : mapping
        Of the chosen model.
    """
    if not tried:
        return {}
    return {
        "tried": {name: list(values) for name, values in tried.items()},
        "chosen": {name: settings[name] for name in tried},
    }
