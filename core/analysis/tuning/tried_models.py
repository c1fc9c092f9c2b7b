"""The models among which the validation part chooses, as a result that page and notebook share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.fit_keywords import FittingIngredient
from core.analysis.path import PathPoint
from core.analysis.path_run import PathRun
from core.analysis.tuning.tuning import settings_to_try, tuning_grid, tuning_path


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
    """Fits of a method at every lambda of its grid, with every setting of the parameters that are not given."""

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
        points = tuning_path(
            how.method, how.training, lams, how.judge, solver=how.solver, parameters=how.given, stop=how.stop
        )
        return PathRun(points, len(lams) * len(settings_to_try(how.method, how.given, how.training.data.n_features)))

    def result(self, run: PathRun) -> Tried:
        """The models so far."""
        complete = run.done
        return Tried(tuple(run.points), complete)
