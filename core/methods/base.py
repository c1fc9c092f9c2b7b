"""A method: loss, penalty, solvers and grid, under the name that its paper gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.methods.method_run import Fit, MethodRun
from core.methods.refit import is_refitted, refitted_problem
from core.methods.training import RANKSVM_LOSS, LossRecipe, Training, enough_precision, refuse_extreme_values
from core.penalties import FeatureWeighted, L2AtMost, Parameter, Penalty, Signed
from core.solvers import Problem, Solver, Stop

FloatArray = NDArray[np.float64]
DEFAULT_RATIOS: FloatArray = np.geomspace(1.0, 1e-4, 50)


def settings_of(who: str, parameters: Sequence[Parameter], given: Mapping[str, float | str] | None) -> dict[str, float]:
    """Return the value of every parameter: the given one, else the default; see `Method.settings`."""
    given = dict(given or {})
    values = {p.name: p.check(given.pop(p.name, p.default)) for p in parameters}
    if given:
        msg = f"{who} has no parameter {next(iter(given))!r}; it has {', '.join(values) or 'no parameters'}"
        raise ValueError(msg)
    return values


@dataclass(frozen=True)
class Variant:
    """A method with other parameters, as a row of its paper's tables.

    Attributes
    ----------
    title : str
        A short name.
    settings : mapping
        Parameters that differ from their defaults.
    help : str
        One sentence on what it shows.
    """

    title: str
    settings: Mapping[str, float]
    help: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Method:
    """A row of the registry: a method with everything needed to fit it.

    Attributes
    ----------
    id : str
        Its name on the command line.
    title : str
        Its name for people.
    source : str
        Citation.
    objective : str
        The objective function, in LaTeX.
    explanation : str
        A short paragraph: what it does and when to use it.
    make_penalty : callable
        Takes the parameters and C, returns the penalty.
    make_problem : callable, optional
        Takes training data, lambda and parameters, returns the problem; for methods whose penalty depends on the data.
    solvers : tuple of Solver
        The first is the default.
    path_start : {"previous", "l1", "zero"}
        The start of each model on a path: the previous model, the l1 model at the same lambda, or zero.
    ratios : ndarray
        The default grid as shares of lambda_max, descending; see `shares_of_largest`.
    stop : Stop
        The stopping rule of its paper, or this program's tolerance if the paper gives none.
    stopping : str
        The paper's rule in words, and how accurate its models are; empty if the paper gives no rule.
    make_grid : callable, optional
        Takes training data and parameters, returns the descending lambdas that its paper chooses from, if these are no
        shares of lambda_max.
    takes_costs : bool
        Whether its solvers accept a penalty with different factors for features.
    variants : tuple of Variant
        Further rows of its paper's tables.
    """

    id: str
    title: str
    source: str
    objective: str
    explanation: str
    make_penalty: Callable[[Mapping[str, float], float], Penalty]
    solvers: tuple[Solver, ...]
    parameters: tuple[Parameter, ...] = ()
    convex: bool = True
    path_start: Literal["previous", "l1", "zero"] = "previous"
    ratios: FloatArray = field(default_factory=lambda: DEFAULT_RATIOS, repr=False)
    loss: LossRecipe = RANKSVM_LOSS
    make_problem: Callable[[Training, float, Mapping[str, float]], Problem] | None = None
    stop: Stop = field(default_factory=Stop)
    stopping: str = ""
    takes_costs: bool = True
    make_grid: Callable[[Training, Mapping[str, float]], FloatArray] | None = None
    variants: tuple[Variant, ...] = ()

    @property
    def module(self) -> str:
        """The name of the module that declares it."""
        return self.make_penalty.__module__

    @property
    def sparse(self) -> bool:
        """Whether its penalty can set weights to exactly 0."""
        return self.make_penalty(self.settings(), 1.0).sparse

    @property
    def separable(self) -> bool:
        """Whether its penalty is a sum over features, so that each can be made more expensive, exempt or forbidden."""
        penalty = self.make_penalty(self.settings(), 1.0)
        return self.takes_costs and penalty.sparse and self.make_problem is None and not isinstance(penalty, L2AtMost)

    def training(
        self,
        data: RankingData,
        parameters: Mapping[str, float] | None = None,
        convention: Convention = "standard",
    ) -> Training:
        """Prepare training data for this method.

        Parameters
        ----------
        parameters : mapping, optional
        convention : {"standard", "letor3", "letor4"}
            The metric convention by which filters judge features: the dataset's own, unless a person chooses another.

        Raises
        ------
        DataError
            If the data has no preference pairs, or values that are too large or too small to compute with.
        ValueError
            If a parameter cannot be.
        """
        refuse_extreme_values(data)
        return Training(data, self.loss.make(data, self.settings(parameters)), self.loss, convention)

    def stop_at(self, tol: float | None) -> Stop:
        """Return the paper's stopping rule, or one for a given tolerance, which has none of the paper's limits."""
        return self.stop if tol is None else Stop(tol=tol)

    def grid(self, training: Training, parameters: Mapping[str, float] | None = None) -> FloatArray:
        """Return the descending lambdas among which validation chooses.

        Parameters
        ----------
        parameters : mapping, optional
            Parameters that a person has set. Values that validation chooses do not change the grid.

        Raises
        ------
        DataError
            If lambda_max is 0.
        """
        if self.make_grid is not None:
            return self.make_grid(training, self.settings(parameters))
        return self.shares_of_largest(training, self.ratios)

    def shares_of_largest(self, training: Training, ratios: FloatArray) -> FloatArray:
        """Return falling lambdas from the smallest at which no feature with a price is kept.

        Without rules for features they are these shares of lambda_max. Cheap features enter above it: then as many
        lambdas, evenly in log, begin there and end where they would without rules.

        Raises
        ------
        DataError
            If lambda_max is 0.
        """
        plain = training.lam_at(1.0)
        penalty = self.make_penalty(self.settings(), 1.0)
        if not isinstance(penalty, FeatureWeighted | Signed):
            return plain * ratios
        largest = training.recipe.largest_lam(training, penalty) or plain
        return np.geomspace(largest, ratios[-1] * min(largest, plain), len(ratios))

    def problem(self, training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
        """Return the problem at this lambda; ``parameters`` has a value for every parameter.

        Where lambda_max is 0 every model is the empty one, so there is nothing to refit.
        """
        if self.make_problem is not None:
            first = self.make_problem(training, lam, parameters)
        else:
            first = training.problem(self.make_penalty(parameters, training.c_of(lam)), lam)
            first = replace(first, at_zero=training.at_zero) if first.at_once else first
        refits = is_refitted(parameters) and training.lam_max > 0.0
        return refitted_problem(first, training, parameters) if refits else first

    def training_key(self, parameters: Mapping[str, float] | None = None) -> tuple[object, ...]:
        """Return a key that methods and settings share if they can share training data and loss."""
        settings = self.settings(parameters)
        return (self.loss, *(settings[name] for name in self.loss.parameters))

    def solver(self, solver_id: str | Solver | None = None) -> Solver:
        """Return the solver of that id, the default one for None; a solver itself is returned as it is.

        Raises
        ------
        ValueError
            If the method has no such solver; the message lists those it has.
        """
        if solver_id is None:
            return self.solvers[0]
        if not isinstance(solver_id, str):
            return solver_id
        for solver in self.solvers:
            if solver.id == solver_id:
                return solver
        msg = f"method {self.id} has no solver {solver_id!r}; it has {', '.join(s.id for s in self.solvers)}"
        raise ValueError(msg)

    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Return the value of every parameter: the given one, else the default.

        Raises
        ------
        ValueError
            If a name is unknown or a value out of range.
        """
        return settings_of(f"method {self.id}", self.parameters, given)

    def run(
        self,
        training: Training,
        lam: float,
        *,
        solver: str | Solver | None = None,
        parameters: Mapping[str, float] | None = None,
        stop: Stop | None = None,
        start: FloatArray | None = None,
    ) -> MethodRun:
        """Prepare a fit without starting it. See `fit` for the parameters; the solver may be one of its own, too."""
        settings = self.settings(parameters)
        with enough_precision():
            problem = self.problem(training, lam, settings)
        return MethodRun(self.id, self.solver(solver), training, problem, settings, stop or self.stop, start)

    def fit(
        self,
        training: Training,
        lam: float,
        *,
        solver: str | None = None,
        parameters: Mapping[str, float] | None = None,
        stop: Stop | None = None,
        start: FloatArray | None = None,
    ) -> Fit:
        """Fit at one lambda.

        Parameters
        ----------
        training : Training
            Made by `training`.
        lam : float
            lambda > 0. `Training.lam_of` computes it from C, `Training.lam_at` from a share of lambda_max.
        solver : str, optional
        parameters : mapping, optional
        stop : Stop, optional
        start : ndarray, shape (n_features,), optional

        Raises
        ------
        ValueError
            If solver, parameter or lambda is not valid.
        """
        return self.run(training, lam, solver=solver, parameters=parameters, stop=stop, start=start).finish()
