"""Scripts of how a model is chosen: a race of solvers, the choice of C, weights, and budgets of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.choosing import ChoiceRule
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import CONVENTION, Code, call, fitted, fitted_path, listed, script
from core.figures.tradeoff.axes import Horizontal
from core.methods import get_method


def weights_script(data: DataDescription, model: ModelDescription, *, most: int) -> str:
    """Write the script of a model's weights."""
    return script(
        f"Weights of {get_method(model.method.id).title}",
        data,
        ["fit"],
        [f"model = {fitted(model)}", f"picture = {call('pictures.weights', Code('model'), most=most)}"],
        "weights",
        [model.note],
    )


def race_script(data: DataDescription, method: MethodDescription, *, c: float, tol: float, seconds: float) -> str:
    """Write the script of a race of a method's solvers."""
    drawn = call(
        "pictures.race",
        Code("fold"),
        method.id,
        C=float(c),
        tol=tol,
        seconds=seconds,
        **method.options,
        convention=CONVENTION,
    )
    return script(
        f"Race of the solvers of {get_method(method.id).title}",
        data,
        [],
        [f"picture = {drawn}"],
        "race",
        ["The seconds are those of this machine: solvers that are close may change places."],
    )


def tuning_script(
    data: DataDescription,
    method: MethodDescription,
    given: Mapping[str, float | str],
    *,
    measure: str,
    choose: ChoiceRule,
    solver: str,
    tol: float | None,
) -> str:
    """Write the script of the choice of C; parameters of the method that are not ``given`` are tried with it."""
    accuracy = {} if tol is None else {"tol": tol}
    options = {name: value for name, value in method.options.items() if name != "parameters"}
    drawn = call(
        "pictures.tuning",
        Code("fold"),
        method.id,
        measure=measure,
        choose=choose,
        solver=solver,
        **accuracy,
        **({"parameters": dict(given)} if given else {}),
        **options,
        convention=CONVENTION,
    )
    subject = f"Choice of C by {measure} on the validation part, of {get_method(method.id).title}"
    return script(subject, data, [], [f"picture = {drawn}"], "tuning")


def choice_noise_script(data: DataDescription, methods: Sequence[MethodDescription], *, measure: str) -> str:
    """Write the script of how much of a difference is the choice of C."""
    return script(
        f"Noise of the choice of C by {measure}, of {titles(methods)}",
        data,
        ["fit_path"],
        [
            f"paths = {listed([fitted_path(method) for method in methods])}",
            f"picture = {call('pictures.choice_noise', Code('paths'), measure=measure)}",
        ],
        "choice_noise",
    )


def radii_script(data: DataDescription, model: ModelDescription) -> str:
    """Write the script of which radius belongs to which lambda."""
    return _of_model(data, model, "radii", f"Radii of {get_method(model.method.id).title} and their lambda")


def _of_model(data: DataDescription, model: ModelDescription, picture: str, subject: str) -> str:
    body = [f"model = {fitted(model)}", f"picture = {call(f'pictures.{picture}', Code('model'))}"]
    return script(subject, data, ["fit"], body, picture, [model.note])


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
