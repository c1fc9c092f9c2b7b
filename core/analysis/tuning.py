"""Choosing C on the validation part, as the papers do, and with it the parameters that they choose there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, regularization_path
from core.data import DataError
from core.methods import Method, Training
from core.metrics import Measure
from core.solvers import Stop

FloatArray = NDArray[np.float64]


def values_tried(method: Method, given: Mapping[str, float], n_features: int) -> dict[str, tuple[float, ...]]:
    """By name of a parameter, the values from which validation chooses; what has been given is not tried.

    Parameters
    ----------
    method : Method
    given : mapping
        Parameters that somebody has set, by name.
    n_features : int
        Of the data: a number of features that is larger is this one.
    """
    return {
        parameter.name: tuple(
            dict.fromkeys(min(value, float(n_features)) if parameter.counts else value for value in parameter.tried)
        )
        for parameter in method.parameters
        if parameter.tried and parameter.name not in given
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


def best_on_validation(points: Sequence[PathPoint], measure: str = "map") -> PathPoint:
    """The point with the best validation value; among equals the largest lambda, then the fewest features.

    Laporte et al. (2014, Section V-C) choose by MAP, Lai et al. (2013) by NDCG@10.

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
        msg = "there is no validation part to choose C on; give C, or a dataset with train, vali and test"
        raise DataError(msg)
    if name not in points[0].metrics["vali"]:
        msg = f"{name} is not measured along a path; choose by one of {', '.join(points[0].metrics['vali'])}"
        raise ValueError(msg)
    return max(points, key=lambda point: (point.metrics["vali"][name], point.fit.lam, -point.fit.result.nonzero))


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
