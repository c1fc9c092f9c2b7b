"""Choice of C on the validation part, as in the papers, together with the parameters that are tried there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Self

import numpy as np

from core.analysis.choosing import ChoiceRule, ChoiceTable, highest, no_validation_part, tells_apart
from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.path import PathPoint
from core.analysis.tuning.choice_noise import PathChoice, choice_table
from core.analysis.tuning.grid_end import GridEnd, Widening, end_among
from core.methods import Fit, Method, Training
from core.metrics import Measure


def values_tried(method: Method, given: Mapping[str, float], n_features: int) -> dict[str, tuple[float, ...]]:
    """Return the values that validation chooses among, by parameter; a parameter with a given value is not tried.

    Nor is one without effect, such as the ridge of a refit that is not made.

    Parameters
    ----------
    given : mapping
        Values that a person has set, by name.
    n_features : int
        Number of features of the data; it limits parameters that are a number of features.
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
    """Return every combination of `values_tried`, each with all parameters; a single one if nothing is tried.

    Those nearest to the defaults come first, in case a time budget ends early.
    """
    tried = values_tried(method, given, n_features)
    defaults = method.settings(given)
    every = [method.settings({**given, **dict(zip(tried, values, strict=True))}) for values in product(*tried.values())]
    return tuple(sorted(every, key=lambda settings: sum(settings[name] != defaults[name] for name in tried)))


def tuning_grid(
    method: Method, training: Training, given: Mapping[str, float] | None = None, points: int | None = None
) -> FloatArray:
    """Return the falling lambdas among which the validation part chooses.

    They are the method's own grid, or ``points`` values evenly spaced in log where that grid is longer.

    Raises a `DataError` if lambda_max is 0; an `EmptyOptimumError` if that is a result and not an error in the data.

    Parameters
    ----------
    given : mapping, optional
        Values that a person has set, by name.
    """
    training.lam_at(1.0)
    lams = method.grid(training, given)
    return lams if points is None or len(lams) <= points else np.geomspace(lams[0], lams[-1], points)


def told_by_validation(points: Sequence[PathPoint], measure: str = "map") -> PathPoint | None:
    """Return `best_on_validation`; None without a validation part, or where its value is the same for every model."""
    if "vali" not in points[0].metrics or not tells_apart(
        [point.judgement.metrics["vali"][measure] for point in points]
    ):
        return None
    return best_on_validation(points, measure)


def best_on_validation(points: Sequence[PathPoint], measure: str = "map") -> PathPoint:
    """Return the point with the best validation value; among equals the largest lambda, then the fewest features.

    Laporte et al. (2014, Section V-C) choose by MAP, Lai et al. (2013) by NDCG@10. Tied documents are judged in
    expectation over their orders; otherwise the empty model, which ties all of them, would be as good as the order of
    the file.

    Raises a `DataError` if the fold has no validation part, and a `ValueError` if there is no such measure, or nothing
    to choose from.

    Parameters
    ----------
    points : sequence of PathPoint
        With metrics.
    measure : str
        ``"map"``, ``"ndcg@10"``, ...
    """
    name = str(Measure.parse(measure))
    if not points or any(not point.metrics for point in points):
        msg = "choosing C needs a path with metrics: give it at least one point and a judge"
        raise ValueError(msg)
    if any("vali" not in point.metrics for point in points):
        raise no_validation_part()
    if name not in points[0].metrics["vali"]:
        msg = f"{name} has not been measured along this path; `core.analysis.path` does"
        raise ValueError(msg)
    worth = [point.judgement.metrics["vali"][name] for point in points]
    return points[highest(worth, [point.fit.lam for point in points], [point.fit.result.nonzero for point in points])]


def chosen_among(tried: Mapping[str, tuple[float, ...]], settings: Mapping[str, float]) -> dict[str, Any]:
    """Return the record of the parameters that were chosen together with C; empty if there are none.

    Parameters
    ----------
    tried : mapping
        The result of `values_tried`.
    settings : mapping
        Settings of the chosen model.
    """
    if not tried:
        return {}
    return {
        "tried": {name: list(values) for name, values in tried.items()},
        "chosen": {name: settings[name] for name in tried},
    }


@dataclass(frozen=True, eq=False)
class Tuned:
    """The choice of a rule among the fits of every setting and lambda tried.

    Attributes
    ----------
    fits : sequence of Fit
        Setting by setting, each at falling lambda.
    judge : FoldJudge
        Of their fold.
    measure : str
        That chooses, in its usual spelling.
    tried : mapping
        Values, by name, of the parameters that are chosen with lambda.
    table : ChoiceTable
        A row a fit.
    chosen : int
        Position of the fit that is chosen.
    widening : Widening or None
        How far the grid was widened; None where it was not to be.
    """

    fits: Sequence[Fit]
    judge: FoldJudge
    measure: str
    rule: ChoiceRule
    tried: Mapping[str, tuple[float, ...]]
    table: ChoiceTable
    chosen: int
    widening: Widening | None = None

    @classmethod
    def of(
        cls,
        fits: Sequence[Fit],
        judge: FoldJudge,
        measure: str,
        rule: ChoiceRule,
        tried: Mapping[str, tuple[float, ...]],
    ) -> Self:
        """Measure all fits on the validation part, and choose.

        Raises a `DataError` if the fold has no validation part, and a `ValueError` if there is no such measure or rule,
        or no fit.
        """
        table = choice_table(fits, judge, measure)
        return cls(fits, judge, str(Measure.parse(measure)), rule, tried, table, table.choose(rule))

    @property
    def fit(self) -> Fit:
        """The fit that is chosen."""
        return self.fits[self.chosen]

    @property
    def point(self) -> PathPoint:
        """The same with its metrics, also by the measure that chooses."""
        return PathPoint(self.fit, self.judgement(self.chosen))

    @property
    def values(self) -> list[float]:
        """The measure of every fit on the validation part, in expectation over the orders of tied documents."""
        return [float(row.mean()) for row in self.table.values]

    @property
    def seconds(self) -> float:
        """Solver time of all fits."""
        return sum(fit.result.seconds for fit in self.fits)

    @property
    def grid_end(self) -> GridEnd | None:
        """The end of the grid of lambda at which the choice lies; None inside it."""
        return end_among(self.fits, self.fit)

    def judgement(self, place: int) -> Judgement:
        """Measure a fit on every part, also by the measure that chooses."""
        weights = self.fits[place].weights
        return self.judge.with_measure(self.judge.judgement(weights), weights, self.measure)

    @property
    def choice(self) -> PathChoice:
        """The choice, with its noise in the quantities that people ask for."""
        return PathChoice.of(self.table, self.rule, self.fits, self.judge, self.measure, self.judgement)

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints; ``grid`` has the ends of lambda, and where the choice lies."""
        lams = [fit.lam for fit in self.fits if fit.parameters == self.fit.parameters]
        widened = {} if self.widening is None else {"widened": self.widening.record(self.grid_end)}
        return {
            "measure": self.measure,
            "vali": self.values[self.chosen],
            "points": len(self.fits) // prod(len(values) for values in self.tried.values()),
            "grid": {"largest": max(lams), "smallest": min(lams), "end": self.grid_end} | widened,
            "seconds": self.seconds,
            "choice": self.choice.record(),
        } | chosen_among(self.tried, self.fit.parameters)


def end_of_choice(fits: Sequence[Fit], judge: FoldJudge, measure: str, rule: ChoiceRule) -> GridEnd | None:
    """Return the end of its grid at which the choice of a rule among fits lies; None inside it."""
    return end_among(fits, fits[choice_table(fits, judge, measure).choose(rule)])
