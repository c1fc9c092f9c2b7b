"""Fits of one problem from several starts: one minimum if it is convex, often several if it is not.

A model stays the one from the plain start, where the papers' Algorithm 2 begins (every weight of the penalty 1): only
so do C, chosen among such models, and the numbers of a table belong to one procedure. The other minima say what another
start would have given.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.fit_records import certificate_record
from core.analysis.fitting import Fitting
from core.analysis.path import without_trace
from core.methods import Fit, Method, MethodRun, Training, get_method
from core.methods.refit import is_refitted
from core.names.counted import counted
from core.solvers import Problem, Stop
from core.work import CountedWork, Growing

ACCURACY = Stop(tol=1e-8, max_steps=300)
SAME_OBJECTIVE = 1e-6  # relative


@dataclass(frozen=True, eq=False)
class Minimum:
    """A minimum, and the starts that lead to it.

    Attributes
    ----------
    fit : Fit
        The fit with the lowest objective among those that ended in this minimum.
    starts : tuple of int
        Numbers (from 0) of the starts that ended here.
    """

    fit: Fit
    starts: tuple[int, ...]


def random_starts(
    n: int, low: Sequence[float] | FloatArray, high: Sequence[float] | FloatArray, seed: int = 0
) -> FloatArray:
    """Draw ``n`` starts, shape (n, n_features): first zero, where every fit of the app starts, then uniform ones."""
    drawn = np.random.default_rng(seed).uniform(low, high, size=(n, len(low)))
    drawn[0] = 0.0
    return drawn


def weight_scale(fit: Fit) -> float:
    """Return the largest absolute weight of a model (1 if it is empty), the scale of random starts."""
    return float(np.abs(fit.weights).max(initial=0.0)) or 1.0


class StartsRun(CountedWork):
    """Fits of one problem from several starts, in steps of one solver step.

    Parameters
    ----------
    starts : ndarray, shape (n_starts, n_features)
    solver : str, optional
        The method's first by default.
    """

    only_at_work = ("_current", "_method", "_training", "_parameters", "_solver")

    def __init__(
        self,
        method: Method,
        training: Training,
        lam: float,
        starts: FloatArray,
        parameters: Mapping[str, float],
        solver: str | None = None,
    ) -> None:
        super().__init__()
        self.starts = starts
        self.ends = Growing[Fit]()
        self._method, self._training, self._lam = method, training, lam
        self._parameters, self._solver = dict(parameters), solver
        self._current: MethodRun | None = None

    @cached_property
    def problem(self) -> Problem:
        """What is minimised."""
        return self._begin(self.starts[0]).steps.problem

    def __getstate__(self) -> dict[str, Any]:
        _ = self.problem  # minima are told apart by it
        return super().__getstate__()

    @property
    def total(self) -> int:
        """How many starts there are."""
        return len(self.starts)

    @property
    def count(self) -> int:
        """From how many the fit has come to its end."""
        return len(self.ends)

    def _step(self) -> None:
        """Take one step of the fit under way."""
        if self._current is None:
            self._current = self._begin(self.starts[len(self.ends)])
        self._current.advance()
        if self._current.done:
            self.ends.append(without_trace(self._current.fit()))
            self._current = None

    def _begin(self, start: FloatArray) -> MethodRun:
        return self._method.run(
            self._training, self._lam, solver=self._solver, parameters=self._parameters, stop=ACCURACY, start=start
        )

    def ends_one_by_one(self) -> Iterator[Fit]:
        """Run all of them to their ends, and yield each as it is reached."""
        while not self.done:
            known = self.count
            self.advance()
            yield from self.ends[known:]

    def finish(self) -> tuple[Fit, ...]:
        """Run all of them to their ends."""
        return tuple(self.ends_one_by_one())

    def minima(self) -> tuple[Minimum, ...]:
        """Return the distinct minima among the ends so far."""
        return distinct_minima(self.ends, self.problem)


def from_random_starts(
    method_id: str, training: Training, lam: float, parameters: Mapping[str, float], n: int, seed: int
) -> StartsRun:
    """Prepare fits from zero and from random starts, n in all, as large as the weights of the model from zero."""
    method = get_method(method_id)
    reach = np.full(training.data.n_features, weight_scale(method.fit(training, lam, parameters=parameters)))
    return StartsRun(method, training, lam, random_starts(n, -reach, reach, seed), parameters)


def distinct_minima(ends: Sequence[Fit], problem: Problem) -> tuple[Minimum, ...]:
    """Return the distinct minima among the ends of several fits of ``problem``, lowest objective first.

    Two ends are the same minimum if their objectives agree to a millionth and the point halfway between them is no
    higher. The ends of a convex problem always are, even where its minimiser is not unique.
    """
    order = sorted(range(len(ends)), key=lambda k: ends[k].result.objective)
    groups: list[list[int]] = []
    for k in order:
        for group in groups:
            if _same(ends[group[0]], ends[k], problem):
                group.append(k)
                break
        else:
            groups.append([k])
    return tuple(Minimum(ends[group[0]], tuple(sorted(group))) for group in groups)


def _same(lower: Fit, higher: Fit, problem: Problem) -> bool:
    ceiling = lower.result.objective * (1.0 + SAME_OBJECTIVE)
    if higher.result.objective > ceiling:
        return False
    halfway = 0.5 * (lower.weights + higher.weights)
    return (
        problem.loss.evaluate(problem.scores(halfway)).value + problem.lam * problem.penalty.value(halfway) <= ceiling
    )


SEED = 0


def depends_on_start(method: Method) -> bool:
    """Whether another start may give another model: where a non-convex penalty is reweighted."""
    return method.path_start == "l1"


def check_starts(method: Method) -> None:
    """Refuse a method of which no start changes the model.

    Raises
    ------
    ValueError
        With the reason.
    """
    if not depends_on_start(method):
        msg = f"{method.id} gives the same model from every start; several starts are for penalties such as log"
        raise ValueError(msg)


def starts_run(how: Fitting, fit: Fit, n: int) -> StartsRun:
    """Prepare fits of the problem of a model from ``n`` starts.

    The first is the model itself, fitted on until it is accurate. The others are random, with weights as large as its
    largest.

    Raises a `ValueError` if no start can change the model.

    Parameters
    ----------
    how : Fitting
        That gave the model.
    fit : Fit
        The model.
    """
    check_starts(how.method)
    n_features = len(fit.weights)
    penalty = how.method.make_penalty(fit.parameters, fit.c)
    reach = np.full(n_features, weight_scale(fit))
    reach[np.isinf(penalty.curve(reach))] = 0.0  # features that are off
    signs = penalty.signs(n_features)
    starts = random_starts(n, np.where(signs > 0.0, 0.0, -reach), np.where(signs < 0.0, 0.0, reach), SEED)
    if not is_refitted(fit.parameters):  # its weights are not those of the stage that starts
        starts[0] = fit.weights
    return StartsRun(how.method, how.training, fit.lam, starts, fit.parameters, solver=how.solver)


@dataclass(frozen=True, eq=False)
class StartsSpread:
    """The minima from several starts, the model's among them.

    Attributes
    ----------
    minima : tuple of Minimum
        Lowest objective first; start 0 is the model.
    measured : tuple of mapping
        Measures of each on ``part``.
    part : str
        "test", or the last part that there is.
    """

    minima: tuple[Minimum, ...]
    measured: tuple[Mapping[str, float], ...]
    part: str

    @classmethod
    def of(cls, minima: Sequence[Minimum], judge: FoldJudge) -> Self:
        """Measure the minima."""
        metrics = [judge.metrics(minimum.fit.weights) for minimum in minima]
        part = "test" if judge.fold.test is not None else list(metrics[0])[-1]
        return cls(tuple(minima), tuple(found[part] for found in metrics), part)

    @property
    def n(self) -> int:
        """Number of starts."""
        return sum(len(minimum.starts) for minimum in self.minima)

    @property
    def model(self) -> int:
        """Number of the minimum, from 0 at the lowest, that the model is in."""
        return next(k for k, minimum in enumerate(self.minima) if 0 in minimum.starts)

    @property
    def above(self) -> float:
        """How far the model's objective lies above the lowest, as a share of the lowest."""
        lowest = self.minima[0].fit.result.objective
        return (self.minima[self.model].fit.result.objective - lowest) / lowest if lowest > 0.0 else 0.0

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        return {
            "n": self.n,
            "seed": SEED,
            "distinct": len(self.minima),
            "model": self.model,
            "above": self.above,
            "part": self.part,
            "minima": [
                {
                    "objective": minimum.fit.result.objective,
                    "starts": len(minimum.starts),
                    "certificate": certificate_record(minimum.fit.result.certificate),
                    "nonzero": minimum.fit.result.nonzero,
                    "features": [
                        {"index": int(j) + 1, "weight": float(minimum.fit.weights[j])} for j in minimum.fit.selected
                    ],
                    **{name: float(values[name]) for name in SPREAD},
                }
                for minimum, values in zip(self.minima, self.measured, strict=True)
            ],
        }


SPREAD = ("MAP", "NDCG@10")


def starts_words(record: Mapping[str, Any]) -> str:
    """Say in a sentence how many different answers the starts gave, and how far they lie apart; of a record."""
    minima = record["minima"]
    if len(minima) == 1:
        return f"all {record['n']} starts end in the same minimum"
    kept = [minimum["nonzero"] for minimum in minima]
    spread = ", ".join(
        f"{record['part']} {name} {min(values):.4f} to {max(values):.4f}"
        for name in SPREAD
        for values in [[minimum[name] for minimum in minima]]
    )
    features = counted(kept[0], "feature") if len(set(kept)) == 1 else f"{min(kept)} to {max(kept)} features"
    own = (
        "the model is the lowest"
        if record["model"] == 0
        else f"the model, from the plain start, lies {100.0 * record['above']:.2g} % above the lowest"
    )
    return f"{record['n']} starts end in {len(minima)} different minima: {own}; {features}, {spread}"
