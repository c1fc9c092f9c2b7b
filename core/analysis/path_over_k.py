"""Models with 1, 2, 3 ... features at one lambda: a path over k, where a method is told how many features to keep.

For the best subset every model has a bound from the start: first come a good model and a bound for every k, then one
search after the other proves which model is the best. At every moment no model with at most k features has an objective
below its bound.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from core.analysis.evaluation import Judgement
from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint, without_trace
from core.methods import Fit
from core.methods.method_run import MethodRun
from core.penalties import L2Budget, Signed
from core.solvers import BranchAndBound, Certificate, FitResult, TracePoint
from core.solvers.best_subset.incumbents import Sketch, sketches
from core.work import CountedWork

K = "k"
DEFAULT_RATIO = 1e-3  # lambda / lambda_max of the benchmarks


class PathOverK(CountedWork):
    """A path over k in progress; see `Work`.

    Raises a `ValueError` if the method has no parameter k, or the sizes do not rise from 1 or more.

    Parameters
    ----------
    how : Fitting
        Its method has a parameter k, and may be under rules for features.
    sizes : sequence of int
        Values of k, rising.
    """

    only_at_work = ("_coming", "_settings", "method")

    def __init__(self, how: Fitting, lam: float, sizes: Sequence[int]) -> None:
        super().__init__()
        method, training = how.method, how.training
        if not any(parameter.name == K and parameter.counts for parameter in method.parameters):
            msg = f"method {method.id} has no number of features k to vary; choose best-subset, forward or rfe"
            raise ValueError(msg)
        self.sizes = tuple(int(k) for k in sizes)
        if not self.sizes or self.sizes[0] < 1 or np.any(np.diff(self.sizes) < 1):
            msg = "a path over k needs rising numbers of features, from 1"
            raise ValueError(msg)
        self.lam, self.method = lam, method
        self._training, self._judge, self._stop = training, how.judge, how.stop
        self._settings = {k: method.settings({**how.given, K: float(k)}) for k in self.sizes}
        problem = method.problem(training, lam, self._settings[self.sizes[-1]])
        penalty = problem.penalty.penalty if isinstance(problem.penalty, Signed) else problem.penalty
        searched = isinstance(penalty, L2Budget) and isinstance(method.solver(), BranchAndBound)
        self._searched = searched
        self._coming = sketches(problem, [float(k) for k in self.sizes]) if searched else iter(())
        self._sketched: list[Fit] = []
        self._runs: dict[int, MethodRun] = {}
        self._ended: dict[int, Fit] = {}
        self._judged: dict[int, tuple[bytes, Judgement]] = {}

    @property
    def total(self) -> int:
        """Number of models, twice where each is sketched first."""
        return len(self.sizes) * (2 if self._searched else 1)

    @property
    def count(self) -> int:
        """Number of models that have been sketched plus those that have been fitted."""
        return len(self._sketched) + len(self._ended)

    @property
    def seconds_left(self) -> float | None:
        """None: a search for more features takes longer, by an unknown factor."""
        return None

    @property
    def points(self) -> list[PathPoint]:
        """What is known of each k by now, in the order of k; traces are in `fits`."""
        points = []
        for fit in self.fits:
            k, name = int(fit.parameters[K]), fit.weights.tobytes()
            if self._judged.get(k, (b"", None))[0] != name:
                self._judged[k] = (name, self._judge.judgement(fit.weights))
            points.append(PathPoint(without_trace(fit), self._judged[k][1]))
        return points

    @property
    def fits(self) -> list[Fit]:
        """The fit of each k so far, with its trace.

        A model with fewer features counts among those with more, and a bound for more features among those for fewer.
        """
        fits = [self._known(place, k) for place, k in enumerate(self.sizes)]
        known = [fit for fit in fits if fit is not None]
        if not self._searched:
            return known
        for place in range(1, len(known)):
            if known[place - 1].result.objective < known[place].result.objective:
                known[place] = _with_model_of(known[place], known[place - 1])
        for place in range(len(known) - 2, -1, -1):
            known[place] = _with_bound(known[place], bound_of(known[place + 1]), self._stop.tol)
        return known

    def __getstate__(self) -> dict[str, Any]:
        _ = self.points  # a snapshot has all measures
        return super().__getstate__()

    def extend(self) -> None:
        """Go on with the searches that a limit has ended, for as long again."""
        for k, run in self._runs.items():
            if k in self._ended and self._ended[k].result.stop != "converged":
                del self._ended[k]
                run.extend()

    def _step(self) -> None:
        if self._searched and len(self._sketched) < len(self.sizes):
            k = self.sizes[len(self._sketched)]
            self.now = f"a first model of {k}"
            self._sketched.append(self._fit_of(next(self._coming), k))
            return
        k = next(k for k in self.sizes if k not in self._ended)
        self.now = f"k = {k}"
        if k not in self._runs:
            self._runs[k] = self._begun(k)
        run = self._runs[k]
        run.advance()
        if run.done:
            fit = run.fit()
            self._ended[k] = fit
            if fit.result.stop == "converged":
                del self._runs[k]  # with its tree

    def _begun(self, k: int) -> MethodRun:
        """The search for k features, from the best model known with so many."""
        known = self.fits
        start = next((fit.weights for fit in known if fit.parameters[K] == k), None)
        return self.method.run(self._training, self.lam, parameters=self._settings[k], stop=self._stop, start=start)

    def _known(self, place: int, k: int) -> Fit | None:
        """The best of what is known of k by itself."""
        sketch = self._sketched[place] if place < len(self._sketched) else None
        if k in self._ended:
            fit = self._ended[k]
        elif k in self._runs and self._runs[k].steps.trace:
            fit = self._runs[k].fit()
        else:
            return sketch
        return fit if sketch is None else _with_bound(fit, bound_of(sketch), self._stop.tol)

    def _fit_of(self, sketch: Sketch, k: int) -> Fit:
        """A sketch as a fit that has been stopped at once."""
        among = self.method.problem(self._training, self.lam, self._settings[k]).penalty.among
        certificate = Certificate.of_bound(sketch.objective, sketch.bound, among)
        point = TracePoint(0, sketch.objective, certificate, 0.0, sketch.passes, int(np.count_nonzero(sketch.weights)))
        result = FitResult(
            sketch.weights, sketch.objective, certificate, "stopped", 0.0, sketch.passes, (point,)
        )  # fmt: skip
        training, lam = self._training, self.lam
        return Fit(
            self.method.id, self.method.solver().id, self._settings[k], lam, training.c_of(lam), training.lam_max,
            training.data.feature_names, result,
        )  # fmt: skip


def bound_of(fit: Fit) -> float | None:
    """The objective below which no model is, among those that the fit's certificate names; None if it has no gap."""
    certificate = fit.result.certificate
    return fit.result.objective - certificate.value if certificate.kind == "duality gap" else None


def _with_bound(fit: Fit, bound: float | None, tol: float) -> Fit:
    """Return the fit with a bound that is known from elsewhere, if that is better."""
    result, own = fit.result, bound_of(fit)
    if bound is None or own is None or bound <= own:
        return fit
    certificate = Certificate.of_bound(result.objective, bound, result.certificate.among)
    stop = "converged" if certificate.relative <= tol else result.stop
    return replace(fit, result=replace(result, certificate=certificate, stop=stop))


def _with_model_of(fit: Fit, better: Fit) -> Fit:
    """Return the fit with the weights of a model with fewer features and a lower objective."""
    bound = cast(float, bound_of(fit))
    result = replace(fit.result, weights=better.weights, objective=better.result.objective)
    certificate = Certificate.of_bound(result.objective, bound, result.certificate.among)
    return replace(fit, result=replace(result, certificate=certificate))
