"""The models among which the validation part chooses, as a result that page and notebook share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.choosing import ChoiceRule
from core.analysis.fit_keywords import FittingIngredient
from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint, path_points
from core.analysis.path_run import PathRun
from core.analysis.tuning.grid_end import WideningFits, in_order
from core.analysis.tuning.tuning import FloatArray, end_of_choice, settings_to_try, tuning_grid
from core.content import Series


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

        Raises
        ------
        DataError
            If the data cannot be learned from.
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
    how : Fitting
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
