"""What several methods reach on one fold, as a result that a picture needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from core.analysis.evaluation import FoldJudge
from core.analysis.ingredient import Ingredient
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC, MethodBench
from core.data import Convention, Fold
from core.methods import get_method


@dataclass(frozen=True)
class BenchMethod:
    """A method in a comparison.

    Attributes
    ----------
    parameters : mapping
        Those that are given; others with values to try are chosen together with C.
    tol : float, optional
        Relative certificate to reach; the method's own rule by default.
    """

    id: str
    solver: str | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    tol: float | None = None

    @classmethod
    def of_plan(cls, plan: BenchPlan) -> Self:
        """Describe what a plan fits, with defaults left out."""
        method = get_method(plan.method)
        solver = None if plan.solver == method.solver(None).id else plan.solver
        return cls(plan.method, solver, plan.parameters, None if plan.stop.tol == method.stop.tol else plan.stop.tol)

    def plan(self, seconds: float) -> BenchPlan:
        """Plan its fits, which may take so much solver time together.

        Raises a `ValueError` if there is no such method or solver.
        """
        method = get_method(self.id)
        stop = replace(method.stop_at(self.tol), max_seconds=seconds)
        return BenchPlan(self.id, self.id, method.solver(self.solver).id, dict(self.parameters), stop, seconds)


@dataclass(frozen=True)
class MethodRows(Ingredient[list[BenchRow]]):
    """The rows of a comparison, in the order of its plans.

    Attributes
    ----------
    how : AtRatio or OnValidation
        How C is set.
    """

    fold: Fold
    convention: Convention
    plans: tuple[BenchPlan, ...]
    how: HowToSetC

    what = "Methods"

    def work(self) -> MethodBench:
        """Prepare the comparison, in which no row is known yet."""
        return MethodBench(self.plans, {}, FoldJudge(self.fold, self.convention), self.how)

    def result(self, run: Any) -> list[BenchRow]:
        """The rows of the finished comparison."""
        rows: list[BenchRow] = run.finish()
        return rows
