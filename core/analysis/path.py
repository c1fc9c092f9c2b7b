"""Regularization paths: a method's models at descending lambda, from the empty one at lambda_max, warm-started.

Where a fit at one of several falling lambdas starts is one rule for paths, benches and resamples. A convex method
starts from its model at the previous lambda. Reweighting must not: its answer would depend on the path taken (and a
weight of lp never comes back from 0). Its first round is plain l1, so the l1 path is followed beside it and each of its
models starts from the l1 model at its own lambda, as a single fit's does.

Where a step reads X once, l1 models at neighbouring lambda are found together (`core.solvers.along_path`). Such a fit
begins at the model that it finds ready.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge, Judgement, Metrics
from core.methods import Fit, Method, MethodRun, Training
from core.metrics import Measure
from core.penalties import L1, Penalty, weighted_l1_of
from core.solvers import FIRST_ROUND_TOL, FitResult, Solver, Stop, along_path, solve


@dataclass(frozen=True, eq=False)
class PathPoint:
    """One model of a path.

    Attributes
    ----------
    judgement : Judgement
        Its metrics on every part; empty without a judge.
    """

    fit: Fit
    judgement: Judgement = field(default_factory=Judgement)

    @property
    def metrics(self) -> Metrics:
        """Values by part, then by measure, in expectation over the orders of tied documents."""
        return self.judgement.metrics


def warm_start(
    method: Method, training: Training, lam: float, near: FloatArray, l1_solver: Solver | None = None
) -> tuple[FloatArray, FitResult | None]:
    """Return where the fit at a lambda starts.

    Parameters
    ----------
    near : ndarray, shape (n_features,)
        What the fit at the lambda before has left, as in `path_runs`; zeros at first.
    l1_solver : Solver, optional
        See `l1_fit`.

    Returns
    -------
    ndarray, shape (n_features,)
    FitResult or None
        The fit that found it, where one was needed.
    """
    if method.path_start != "l1":
        return near, None
    found = l1_fit(training, lam, near, method.make_penalty(method.settings(), training.c_of(lam)), l1_solver)
    return found.weights, found


def l1_fit(
    training: Training,
    lam: float,
    start: FloatArray,
    penalty: Penalty | None = None,
    solver: Solver | None = None,
) -> FitResult:
    """The l1 model, as accurate as the first round of reweighting needs it; features' prices and signs are kept.

    Parameters
    ----------
    start : ndarray, shape (n_features,)
    penalty : Penalty, optional
        That reweighting is to minimise with; one that treats all features alike by default.
    solver : Solver, optional
        By default the recipe's own; `along_path` makes one for a whole path.
    """
    penalty = penalty or L1()
    first = weighted_l1_of(penalty, penalty.first_weights(training.data.n_features))
    problem = training.problem(first, lam)
    return solve(solver or training.recipe.l1_solver, problem, Stop(tol=FIRST_ROUND_TOL), start)


def lambda_grid(lam_max: float, points: int, smallest_ratio: float = 1e-4) -> FloatArray:
    """Space ``points`` values of lambda evenly in log from lam_max down to ``smallest_ratio * lam_max``.

    Raises a `ValueError` if ``points`` is below 1, or the ratio is not between 0 and 1.
    """
    if points < 1 or not 0.0 < smallest_ratio < 1.0:
        msg = f"a path needs at least 1 point and a smallest ratio between 0 and 1, not {points} and {smallest_ratio:g}"
        raise ValueError(msg)
    return lam_max * np.geomspace(1.0, smallest_ratio, points)


def path_grid(
    method: Method, training: Training, points: int | None = None, smallest_ratio: float | None = None
) -> FloatArray:
    """Return the lambdas of a path from lambda_max down, evenly spaced in log; see `Method.shares_of_largest`.

    Raises a `ValueError` if a number cannot be used, and a `DataError` if lambda_max is 0; an `EmptyOptimumError` if
    that is a result and not an error in the data.

    Parameters
    ----------
    points : int, optional
        By default as many as the method's own range has.
    smallest_ratio : float, optional
        The last lambda as a share of lambda_max; by default that of the method's own range.
    """
    points = len(method.ratios) if points is None else points
    last = float(method.ratios[-1]) if smallest_ratio is None else smallest_ratio
    return method.shares_of_largest(training, lambda_grid(1.0, points, last))


def regularization_path(
    method: Method,
    training: Training,
    lams: FloatArray,
    judge: FoldJudge | None = None,
    *,
    solver: str | None = None,
    parameters: Mapping[str, float] | None = None,
    stop: Stop | None = None,
) -> Iterator[PathPoint]:
    """Yield the models at descending lambda one by one, without their traces; see `path_fits`.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    judge : FoldJudge, optional
        Measures every model on the parts of its fold.
    """
    return path_points(path_fits(method, training, lams, solver=solver, parameters=parameters, stop=stop), judge)


def path_points(fits: Iterable[Fit], judge: FoldJudge | None) -> Iterator[PathPoint]:
    """Yield fits as points without their traces; with metrics if there is a judge."""
    for fit in fits:
        yield PathPoint(without_trace(fit), judge.judgement(fit.weights) if judge else Judgement())


def path_fits(
    method: Method,
    training: Training,
    lams: FloatArray,
    *,
    solver: str | None = None,
    parameters: Mapping[str, float] | None = None,
    stop: Stop | None = None,
    finish: Callable[[MethodRun], Fit] = MethodRun.finish,
) -> Iterator[Fit]:
    """Fits at falling lambda with all of their traces; stop by not taking the next.

    Where each of them starts, `warm_start` says. Where a step reads X once, l1 models at neighbouring
    lambda share passes (see `NewtonAlongPath`): the fit that needs a pass first counts it and its seconds, the others
    do not, so that the sums over a path are right.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    finish : callable
        Ends a fit; one that shows progress, for instance.
    """
    for run, _ in path_runs(method, training, lams, solver=solver, parameters=parameters, stop=stop or method.stop):
        yield finish(run)


def path_runs(
    method: Method,
    training: Training,
    lams: FloatArray,
    *,
    solver: str | None,
    parameters: Mapping[str, float] | None,
    stop: Stop,
) -> Iterator[tuple[MethodRun, FitResult | None]]:
    """Prepare the fits of `path_fits` one after the other, each once the one before has ended.

    Yields
    ------
    MethodRun, FitResult or None
        The fit, and the one that found its start where one was needed.
    """
    settings = method.settings(parameters)
    own = along_path(method.solver(solver), lams, stop.tol)
    of_l1 = along_path(training.recipe.l1_solver, lams, FIRST_ROUND_TOL)
    near = np.zeros(training.data.n_features)
    for lam in map(float, lams):
        start, cost = warm_start(method, training, lam, near, of_l1)
        run = method.run(training, lam, solver=own, parameters=settings, stop=stop, start=start)
        yield run, cost
        near = run.next_start if method.path_start == "previous" else start


def without_trace(fit: Fit) -> Fit:
    """Return the fit with only the last point of its trace, because a path keeps hundreds of fits."""
    return replace(fit, result=replace(fit.result, trace=fit.result.trace[-1:]))


def measured_by(points: Sequence[PathPoint], judge: FoldJudge, measure: str) -> list[PathPoint]:
    """Return the points with a measure among their metrics, such as RR, ERR and R@k, which their summary leaves out.

    A point that has it already stays as it is.

    Raises a `ValueError` if there is no such measure.

    Parameters
    ----------
    judge : FoldJudge
        Of their fold.
    measure : str
        ``"rr"``, ``"R@5"``, ...
    """
    name = str(Measure.parse(measure))
    return [
        point
        if all(name in values for values in point.metrics.values())
        else PathPoint(point.fit, judge.with_measure(point.judgement, point.fit.weights, name))
        for point in points
    ]
