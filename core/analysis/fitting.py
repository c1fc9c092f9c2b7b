"""One way to fit a model on a fold, with C given or chosen: of the command line, of notebooks and of the protocol."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from core.analysis.choosing import ChoiceRule, no_validation_part
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.path import PathPoint, path_fits, path_grid, regularization_path
from core.analysis.tuning.grid_end import WideningFits
from core.analysis.tuning.tuning import Tuned, end_of_choice, settings_to_try, tuning_grid, values_tried
from core.data import Convention, Fold
from core.methods import Fit, Method, MethodRun, Training
from core.solvers import Stop


@dataclass(frozen=True)
class AtC:
    """At a value of C."""

    c: float


@dataclass(frozen=True)
class AtRatio:
    """At a share of the lambda_max of the method's own loss."""

    ratio: float


@dataclass(frozen=True)
class OnValidation:
    """At the lambda that the validation part chooses, together with the parameters that are not given.

    Attributes
    ----------
    measure : str
        ``"MAP"``, ``"NDCG@10"``, ...
    points : int or None
        The most values of lambda to try; None for the method's own grid, however long.
    widen : bool
        Whether the grid widens until the choice lies inside; see `core.analysis.tuning.grid_end`.
    """

    measure: str
    rule: ChoiceRule = "best"
    points: int | None = None
    widen: bool = False


@dataclass(frozen=True, eq=False)
class Fitting:
    """A method that is to be fitted on the training part of a fold.

    Attributes
    ----------
    method : Method
        Under the rules for features.
    training : Training
        The training part as the method sees it.
    judge : FoldJudge
        Of the fold; it has the fold's other parts and the convention.
    given : mapping
        Values of parameters that are not to be tried on the validation part.
    solver : str or None
        None for the method's first one.
    stop : Stop
        Of every fit.
    """

    method: Method
    training: Training
    judge: FoldJudge
    given: Mapping[str, float]
    solver: str | None
    stop: Stop

    @classmethod
    def on(
        cls,
        fold: Fold,
        method: Method,
        given: Mapping[str, float],
        convention: Convention,
        *,
        solver: str | None = None,
        stop: Stop | None = None,
    ) -> Self:
        """Prepare a fold's training part for the method; by default it stops by its own rule.

        Raises a `DataError` if the method cannot learn from the data, and a `ValueError` if a parameter is not valid.
        """
        training = method.training(fold.train, given, convention)
        return cls(method, training, FoldJudge(fold, convention), given, solver, stop or method.stop)

    @property
    def settings(self) -> dict[str, float]:
        """Every parameter of the method, defaults where none was given."""
        return self.method.settings(self.given)

    def path(self, points: int | None = None, smallest_ratio: float | None = None) -> Iterator[PathPoint]:
        """Return the points of a regularization path, fitted one by one, at the lambdas of `path_grid`.

        Raises a `ValueError` if an option is not valid, and a `DataError` if lambda_max is 0.
        """
        return self.along(path_grid(self.method, self.training, points, smallest_ratio))

    def along(self, lams: FloatArray) -> Iterator[PathPoint]:
        """Return the points at these falling lambdas, fitted one by one."""
        how: dict[str, Any] = {"solver": self.solver, "parameters": self.settings, "stop": self.stop}
        return regularization_path(self.method, self.training, lams, self.judge, **how)

    def tuning_fits(self, lams: FloatArray, finish: Callable[[MethodRun], Fit] = MethodRun.finish) -> Iterator[Fit]:
        """Yield the fits of a path for each of `settings_to_try`, with all of their traces; each knows its settings.

        Raises a `ValueError` if an option is not valid.
        """
        how: dict[str, Any] = {"solver": self.solver, "stop": self.stop, "finish": finish}
        for settings in settings_to_try(self.method, self.given, self.training.data.n_features):
            yield from path_fits(self.method, self.training, lams, parameters=settings, **how)

    def run(self, lam: float) -> MethodRun:
        """Prepare the fit at one lambda, from the empty model.

        Raises a `ValueError` if solver, parameter or lambda is not valid.
        """
        return self.method.run(self.training, lam, solver=self.solver, parameters=self.given, stop=self.stop)

    def lam(self, at: AtC | AtRatio) -> float:
        """Compute lambda.

        Raises a `ValueError` if C or the ratio cannot be, and a `DataError` if it is a share of a lambda_max of 0.
        """
        return self.training.lam_of(at.c) if isinstance(at, AtC) else self.training.lam_at(at.ratio)

    def model(self, lam: float, finish: Callable[[MethodRun], Fit] = MethodRun.finish) -> PathPoint:
        """Fit the model at one lambda, from the empty one, and measure it on every part of the fold.

        Raises as `run`, and a `DataError` if the data cannot be learned from.

        Parameters
        ----------
        finish : callable
            Ends the fit; one that shows progress, for instance.
        """
        fit = finish(self.run(lam))
        return PathPoint(fit, self.judge.judgement(fit.weights))

    def tune(self, at: OnValidation, finish: Callable[[MethodRun], Fit] = MethodRun.finish) -> Tuned:
        """Fit all models to choose among, and choose. Their traces are kept, because any of them may be chosen.

        The trace of one begins where `core.analysis.path` says.

        Raises
        ------
        DataError
            If the data cannot be learned from, or has no validation part to choose on; an `EmptyOptimumError` if the
            empty model is optimal at every lambda.
        ValueError
            If an option is not valid.
        """
        lams = tuning_grid(self.method, self.training, self.given, at.points)
        if self.judge.fold.vali is None:
            raise no_validation_part()  # before anything is fitted
        tried = values_tried(self.method, self.given, self.training.data.n_features)
        fits = partial(self.tuning_fits, finish=finish)
        if not at.widen:
            return Tuned.of(list(fits(lams)), self.judge, at.measure, at.rule, tried)
        grid = WideningFits(lams, fits, lambda made: end_of_choice(made, self.judge, at.measure, at.rule))
        for _ in grid:
            pass
        return replace(Tuned.of(grid.fits, self.judge, at.measure, at.rule, tried), widening=grid.widening)
