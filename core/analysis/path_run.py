"""A regularization path as work in steps of one model, filled in from coarse to fine; and the models to choose among.

What lies between two models of a path can be interpolated for l1 alone (`core.analysis.path_frames`). All other methods
have to be fitted there, half-way between those that are known, again and again. Their fits start by the rule of every
path (`warm_start`), and by that rule no answer depends on which other models of the path are known: a convex method has
one answer wherever it starts, and the others start from zero or from the l1 model at their own lambda. So a model that
is filled in is the one that a path with as many models would have had there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.analysis.choosing import ChoiceRule
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.fit_keywords import FittingIngredient
from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint, path_grid, path_points, regularization_path
from core.analysis.tuning.grid_end import WideningFits, in_order
from core.analysis.tuning.tuning import end_of_choice, settings_to_try, tuning_grid
from core.content import Series
from core.methods import EmptyOptimumError, Training, get_method
from core.work import Growing, Steps

MODELS = 200
"""How many models a filled path has at most."""
LEVEL_SECONDS = 60.0
"""Of solver time, as the path so far has taken it: a level that would take longer is not begun."""


class PathRun(Steps[PathPoint]):
    """A path in progress.

    Parameters
    ----------
    points : iterator of PathPoint
        From `regularization_path`, or several of them one after the other.
    total : int
        How many there will be.
    empty : EmptyOptimumError, optional
        Why there are none: the empty model is optimal at every lambda.
    """

    def __init__(self, points: Iterator[PathPoint], total: int, empty: EmptyOptimumError | None = None) -> None:
        super().__init__(points, total)
        self.empty = empty

    @classmethod
    def of(cls, how: Fitting) -> Self:
        """Prepare the path of a method over its own range of lambda; `empty` says why there is none."""
        try:
            lams = path_grid(how.method, how.training)
        except EmptyOptimumError as empty:
            return cls(iter(()), 0, empty)
        return cls(how.along(lams), len(lams))

    only_at_work = (*Steps.only_at_work, "_series")

    @property
    def points(self) -> Series[PathPoint]:
        """The models so far, in the order in which they are fitted; the same object until there are more."""
        known: Series[PathPoint] | None = vars(self).get("_series")
        if known is None or len(known) != len(self.found):
            known = self._series = Series(self.found)
        return known


def levels(lams: FloatArray, most: int = MODELS) -> list[FloatArray]:
    """The lambdas that are filled in, level by level: each is half-way (in log) between all that are known by then.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    most : int
        How many there may be with ``lams``.
    """
    found: list[FloatArray] = []
    known = np.asarray(lams, dtype=np.float64)
    while 2 <= len(known) <= (most + 1) // 2:
        middles = np.sqrt(known[:-1] * known[1:])
        found.append(middles)
        known = -np.sort(-np.concatenate([known, middles]))
    return found


class FinerPath(Steps[PathPoint]):
    """The models that are filled in, as work in steps of one model.

    Parameters
    ----------
    points : sequence of PathPoint
        A complete path of one method and parameters, falling in lambda; judged. No model is filled in where there are
        rules for features, which the fits do not hold.
    training : Training
        That it was fitted on.
    most : int
        Models with those of the path.
    level_seconds : float
        Solver time of a level.
    """

    only_at_work = (*Steps.only_at_work, "_whole")

    def __init__(
        self,
        points: Sequence[PathPoint],
        training: Training,
        judge: FoldJudge,
        *,
        most: int = MODELS,
        level_seconds: float = LEVEL_SECONDS,
    ) -> None:
        pace = float(np.mean([point.fit.result.seconds for point in points])) if points else 0.0
        ruled = any(point.fit.under_rules for point in points)
        lams = np.array([] if ruled else [point.fit.lam for point in points])
        self._levels = [level for level in levels(lams, most) if pace * len(level) <= level_seconds]
        self._ends = [len(points) + int(n) for n in np.cumsum([len(level) for level in self._levels])]
        self._points = Growing(points)
        super().__init__(self._models(training, judge), sum(len(level) for level in self._levels))

    def _models(self, training: Training, judge: FoldJudge) -> Iterator[PathPoint]:
        for level in self._levels:
            fit = self._points[0].fit
            yield from regularization_path(
                get_method(fit.method), training, level, judge, solver=fit.solver, parameters=fit.parameters
            )

    @property
    def whole(self) -> Series[PathPoint]:
        """The path with all levels that are complete, falling in lambda; the same object until there is one more."""
        known = max((end - len(self._points) for end in self._ends if end <= len(self._points) + self.count), default=0)
        whole: Series[PathPoint] | None = vars(self).get("_whole")
        if whole is None or len(whole) != len(self._points) + known:
            whole = self._whole = Series(sorted([*self._points, *self.found[:known]], key=lambda point: -point.fit.lam))
        return whole

    @property
    def seconds_to_finer(self) -> float | None:
        """Estimate of the time until the next level is complete; None if there is none to come, or nothing is known."""
        reached = len(self._points) + self.count
        coming = [end for end in self._ends if end > reached]
        if not coming:
            return None
        return (self.seconds_each or 0.0) * (coming[0] - reached)


@dataclass(frozen=True)
class Tried:
    """Models that have been fitted.

    Attributes
    ----------
    points : sequence of PathPoint
        Setting by setting, each at falling lambda.
    complete : bool
        Whether these are all.
    """

    points: Sequence[PathPoint]
    complete: bool = True


@dataclass(frozen=True)
class TriedModels(FittingIngredient[Tried]):
    """Fits of a method at every lambda of its grid, with every setting of the parameters that are not given.

    Attributes
    ----------
    widened_by : (str, str) or None
        Measure and rule of the choice until whose inside the grid widens; None for a grid that does not.
    """

    widened_by: tuple[str, ChoiceRule] | None = None

    what = "Fitting the models to choose among"

    def work(self) -> PathRun:
        """Prepare the fits.

        Raises a `DataError` if the data cannot be learned from.
        """
        how = self.fitting
        lams = tuning_grid(how.method, how.training, how.given)
        n_settings = len(settings_to_try(how.method, how.given, how.training.data.n_features))
        if self.widened_by is None:
            return PathRun(path_points(how.tuning_fits(lams), how.judge), len(lams) * n_settings)
        return WideningRun(how, lams, n_settings, *self.widened_by)

    def result(self, run: PathRun) -> Tried:
        """The models so far."""
        complete = run.done
        return Tried(run.points, complete)


class WideningRun(PathRun):
    """Fits of a grid that widens until the choice lies inside; their number grows with it.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    n_settings : int
        How many settings of the other parameters are tried.
    measure, rule : str
        Of the choice.
    """

    only_at_work = (*PathRun.only_at_work, "_grid")

    def __init__(self, how: Fitting, lams: FloatArray, n_settings: int, measure: str, rule: ChoiceRule) -> None:
        self._grid = WideningFits(lams, how.tuning_fits, lambda made: end_of_choice(made, how.judge, measure, rule))
        self._n_settings = n_settings
        self._reached = 0.0
        super().__init__(path_points(iter(self._grid), how.judge), len(lams) * n_settings)

    @property
    def points(self) -> Series[PathPoint]:
        """The models so far: setting by setting, each at falling lambda, once all are there."""
        if not self.done:
            return super().points
        place = {id(fit): k for k, fit in enumerate(in_order([point.fit for point in self.found]))}
        return Series(sorted(self.found, key=lambda point: place[id(point.fit)]))

    @property
    def share(self) -> float:
        """Share of the fits that are known of, from 0 to 1; it stays where it is while a wider grid catches up."""
        return 1.0 if self.done else self._reached

    def _step(self) -> None:
        super()._step()
        if self.count == self._total:
            self._total += self._n_settings * len(self._grid.widen())
        self._reached = max(self._reached, self.count / self._total)
