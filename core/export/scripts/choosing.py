"""Scripts of budgets of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.export.scripts.description import DataDescription, MethodDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import Code, call, fitted_path, listed, script
from core.figures.tradeoff.axes import Horizontal


@dataclass(frozen=True)
class BudgetDescription:
    """A budget of features.

    Attributes
    ----------
    methods : sequence of MethodDescription
        Those that compete.
    dense : MethodDescription
        The method of all features.
    limit : float
    measure : str
    against : str
        What is spent.
    costs : sequence of float
        Of all features; empty where they are counted.
    """

    methods: Sequence[MethodDescription]
    dense: MethodDescription
    limit: float
    measure: str
    against: Horizontal
    costs: Sequence[float] = ()

    @property
    def options(self) -> dict[str, object]:
        """Options of the pictures of a budget."""
        costs = {"costs": list(self.costs)} if self.costs else {}
        return {"limit": self.limit, "measure": self.measure, "against": self.against, **costs}

    @property
    def body(self) -> list[str]:
        """The statements that fit the paths."""
        return [
            f"paths = {listed([fitted_path(method) for method in self.methods])}",
            f"dense = {fitted_path(self.dense)}",
        ]


def budget_script(data: DataDescription, budget: BudgetDescription) -> str:
    """Write the script of the best model within a budget."""
    drawn = call("pictures.budget", Code("paths"), dense=Code("dense"), **budget.options)
    subject = f"Best model within {budget.limit:g}, of {titles(budget.methods)}"
    return script(subject, data, ["fit_path"], [*budget.body, f"picture = {drawn}"], "ten")


def budget_queries_script(data: DataDescription, budget: BudgetDescription) -> str:
    """Write the script of what a budget does to each query."""
    drawn = call(
        "pictures.budget_queries", Code("paths"), Code("dense"), **budget.options, texts=Code("dataset.query_texts")
    )
    subject = f"What the best model within {budget.limit:g} does to each query, of {titles(budget.methods)}"
    return script(subject, data, ["fit_path"], [*budget.body, f"picture = {drawn}"], "ten_queries")
