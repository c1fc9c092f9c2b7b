"""Several methods on one fold, one after the other, each within a budget, as work in steps."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.fitting import AtRatio, OnValidation
from core.analysis.path import path_runs, without_trace
from core.analysis.tuning.choice_noise import choice_table
from core.analysis.tuning.tuning import settings_to_try, tuning_grid, values_tried
from core.methods import EmptyOptimumError, Fit, Method, MethodRun, Training, get_method
from core.solvers import FitResult, Stop
from core.work import KeyedWork

HowToSetC = AtRatio | OnValidation


@dataclass(frozen=True)
class BenchPlan:
    """One method wanted.

    Attributes
    ----------
    key : str
        Where its row is kept.
    method, solver : str
        Ids.
    parameters : mapping
        Those that are given.
    stop : Stop
        Of every fit.
    budget : float
        Seconds of solver time, for all fits it takes together.
    """

    key: str
    method: str
    solver: str
    parameters: Mapping[str, float]
    stop: Stop
    budget: float


@dataclass(frozen=True, eq=False)
class BenchRow:
    """What came out for one method; plain data.

    Attributes
    ----------
    fit : Fit or None
        Without its trace; None where there is no model, for the reason in ``refusal``.
    judgement : Judgement
        Of the fit on every part.
    sparsity : float
        The sparsity ratio.
    seconds, passes : float
        Solver time and passes over X of all fits that it took.
    fitted, wanted : int
        Models fitted to their ends, and models of its grid, for all values tried of its parameters together.
    tried : mapping
        Values, by name of a parameter, among which the fit's was chosen.
    refusal : str
        Why there is no model, in a sentence.
    way_out : mapping
        Parameters under which there is one; empty where that is not known.
    """

    method: str
    fit: Fit | None = None
    judgement: Judgement = field(default_factory=Judgement)
    sparsity: float = np.nan
    seconds: float = 0.0
    passes: float = 0.0
    fitted: int = 0
    wanted: int = 1
    tried: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    refusal: str = ""
    way_out: Mapping[str, float] = field(default_factory=dict)

    @property
    def ranks(self) -> bool:
        """Whether there is a model, and it keeps a feature: the empty one scores all documents alike."""
        return self.fit is not None and self.fit.result.nonzero > 0

    def value(self, part: str, measure: str) -> float:
        """The measure on a part; NaN where nothing is ranked."""
        return self.judgement.metrics[part][measure] if self.ranks else np.nan


class MethodBench(KeyedWork[BenchRow]):
    """Work in steps of one solver step. A row that is complete goes into ``known`` and is never worked out again.

    Methods with the same loss share their training data. A budget that is used up ends a method with what it has
    reached: a fit stops where it is; a grid is left, and the best of the models fitted until then is taken.

    Parameters
    ----------
    known : mutable mapping
        Rows by key, shared with others.
    judge : FoldJudge
        Of the fold whose training part they learn from.
    how : AtRatio or OnValidation
        How C is set: every method at the same share of its own lambda_max, or at the lambda of its own grid that the
        validation part chooses; the training part where there is none.
    """

    only_at_work = (*KeyedWork.only_at_work, "_judge", "_how", "_trainings")

    def __init__(
        self, plans: Sequence[BenchPlan], known: MutableMapping[str, BenchRow], judge: FoldJudge, how: HowToSetC
    ) -> None:
        super().__init__(known)
        self.plans = tuple(plans)
        self._begun_with = {plan.key: known[plan.key] for plan in plans if plan.key in known}
        self._judge, self._how = judge, how
        self._trainings: dict[object, Training] = {}

    @property
    def waiting(self) -> list[BenchPlan]:
        """Methods whose row is not known yet."""
        rows = self._rows
        return [plan for plan in self.plans if plan.key not in rows]

    @property
    def _rows(self) -> dict[str, BenchRow]:
        return self._begun_with | dict(self.found)

    @property
    def total(self) -> int:
        """How many methods are wanted."""
        return len(self.plans)

    @property
    def count(self) -> int:
        """How many have their row."""
        return self.total - len(self.waiting)

    @property
    def seconds_left(self) -> float | None:
        """As of other work, but never longer than the budgets of what is left."""
        if self.seconds == 0.0:
            return None
        longest = sum(plan.budget for plan in self.waiting)
        guess = super().seconds_left
        return longest if guess is None else min(guess, longest)

    def finish(self) -> list[BenchRow]:
        """Run until nothing is left; the rows in the order of the plans."""
        while not self.done:
            self.advance()
        rows = self._rows
        return [rows[plan.key] for plan in self.plans]

    def _steps(self) -> Iterator[str]:
        for plan in self.waiting:
            self.now = plan.method
            try:
                yield from self._work(plan)
            except EmptyOptimumError as empty:
                self._keep(plan.key, BenchRow(plan.method, refusal=str(empty), way_out=empty.way_out))
            except (ValueError, ArithmeticError) as problem:  # what a method, its data or a solver refuses
                self._keep(plan.key, BenchRow(plan.method, refusal=str(problem)))
            yield plan.method

    def _work(self, plan: BenchPlan) -> Iterator[str]:
        method, judge = get_method(plan.method), self._judge
        key = method.training_key(plan.parameters)
        if key not in self._trainings:
            self._trainings[key] = method.training(judge.fold.train, plan.parameters, judge.convention)
        training = self._trainings[key]
        given, tried = plan.parameters, dict[str, tuple[float, ...]]()
        settings: tuple[dict[str, float], ...] = (method.settings(given),)
        if isinstance(self._how, AtRatio):
            lams = np.array([training.lam_at(self._how.ratio)])
        else:
            n_features = training.data.n_features
            lams = tuning_grid(method, training, given, self._how.points)
            settings, tried = settings_to_try(method, given, n_features), values_tried(method, given, n_features)
        seconds, passes, finished = 0.0, 0.0, list[Fit]()
        for run, cost in self._runs(plan, method, training, lams, settings):
            if cost is not None:  # no method gets it free
                seconds, passes = seconds + cost.seconds, passes + cost.passes
            run.steps.stop = replace(run.steps.stop, max_seconds=max(plan.budget - seconds, 0.0))
            while not run.done:
                run.advance()
                yield plan.method
            last = without_trace(run.fit())
            seconds, passes = seconds + last.result.seconds, passes + last.result.passes
            if last.result.stop == "time limit":
                break
            finished.append(last)
        best = self._best(finished) if finished else last
        row = BenchRow(
            method=plan.method,
            fit=best,
            judgement=judge.judgement(best.weights),
            sparsity=judge.sparsity_ratio(best.weights),
            seconds=seconds,
            passes=passes,
            fitted=len(finished),
            wanted=len(lams) * len(settings),
            tried=tried,
        )
        self._keep(plan.key, row)

    @staticmethod
    def _runs(
        plan: BenchPlan, method: Method, training: Training, lams: FloatArray, settings: Sequence[Mapping[str, float]]
    ) -> Iterator[tuple[MethodRun, FitResult | None]]:
        """Prepare the fits one after the other, as `path_runs` does; a single lambda starts from zero."""
        for parameters in settings:
            how: dict[str, Any] = {"solver": plan.solver, "stop": plan.stop, "parameters": parameters}
            if len(lams) > 1:
                yield from path_runs(method, training, lams, **how)
            else:
                yield method.run(training, float(lams[0]), **how), None

    def _best(self, fits: Sequence[Fit]) -> Fit:
        if isinstance(self._how, AtRatio):
            return fits[0]
        part = choosing_part(self._judge.fold.parts())
        return fits[choice_table(fits, self._judge, self._how.measure, part).choose(self._how.rule)]
