"""How a model is chosen: the solvers that race to it, the C that validation picks, and its weights."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.choosing import ChoiceRule
from core.analysis.evaluation import FoldJudge
from core.analysis.further_measures import measured_by
from core.analysis.solver_race import SolverRace, standings
from core.analysis.tuning.tuning import chosen_on_validation, tuning_path
from core.api.model import Model
from core.api.rules import FeatureRules, method_under_rules
from core.api.solver_tables import race_table, tuning_table, weights_table
from core.data import Convention, Fold
from core.figures.fit.convergence import Horizontal, Vertical, convergence_figure
from core.figures.fit.race import race_curves, race_sentence
from core.figures.fit.weights import weights_figure
from core.figures.look.style import short
from core.figures.path.tuning import metric_path_figure
from core.figures.picture import Picture
from core.methods import Method
from core.methods.families import model_title
from core.metrics import Measure


def weights(model: Model, *, most: int = 40) -> Picture:
    """Draw the weights of a model, the largest first; ``most`` of them, the table has all."""
    fit = model.fit
    figure = weights_figure(
        fit.weights, fit.feature_names, fit.method, most=most, title=repr(model), subtitle=model.fold.name
    )
    return Picture(figure, weights_table(fit))


def race(
    fold: Fold,
    method: str | Method = "l1",
    *,
    C: float,
    tol: float | None = None,
    seconds: float = 10.0,
    parameters: Mapping[str, float | str] | None = None,
    rules: FeatureRules | None = None,
    against: Horizontal = "seconds",
    show: Vertical = "certificate",
    convention: Convention = "standard",
) -> Picture:
    """Let every solver of a method solve the same problem to the same tolerance, and draw their ways.

    Parameters
    ----------
    fold : Fold
    method : str or Method
    C : float
    tol : float, optional
        Relative certificate that they race to; that of the method's own rule by default.
    seconds : float
        That each may take.
    parameters, rules, convention
        As for `core.fit`.
    against, show
        As for `convergence`; without a certified optimum the lowest value of the race stands in.

    Returns
    -------
    Picture
        Its table has a row a solver, in the order in which they reached the tolerance.
    """
    under = method_under_rules(method, fold.train, rules)
    settings = under.settings(parameters)
    training = under.training(fold.train, settings, convention)
    goal = under.stop.tol if tol is None else tol
    run = SolverRace(under, training, training.lam_of(C), parameters=settings, tol=goal, limit=seconds)
    while not run.done:
        run.advance()
    known = standings(under, run.fits())
    figure = convergence_figure(
        race_curves(known, None),
        x=against,
        y=show,
        log_x=True,
        log_y=True,
        title=race_sentence(known, goal, seconds),
        subtitle=f"{fold.name} · {model_title(under, settings)} · C = {short(C)}",
    )
    return Picture(figure, race_table(under, known))


def tuning(
    fold: Fold,
    method: str | Method = "l1",
    *,
    measure: str = "MAP",
    choose: ChoiceRule = "best",
    solver: str | None = None,
    tol: float | None = None,
    parameters: Mapping[str, float | str] | None = None,
    rules: FeatureRules | None = None,
    convention: Convention = "standard",
) -> Picture:
    """Draw a measure along all C that are tried, and the one that the validation part chooses.

    Parameters
    ----------
    fold : Fold
        With a validation part.
    method : str or Method
    measure : str
        That chooses; tied documents count in expectation over their orders.
    choose : {"best", "one-se", "average"}
    solver, tol, parameters, rules, convention
        As for `core.fit`; parameters that are given are not tried.

    Returns
    -------
    Picture
        Its table has a row a model that was tried.
    """
    under = method_under_rules(method, fold.train, rules)
    given = {name: under.settings(parameters)[name] for name in parameters or {}}
    training = under.training(fold.train, given, convention)
    judge = FoldJudge(fold, convention)
    lams, stop = under.grid(training, given), under.stop_at(tol)
    points = list(tuning_path(under, training, lams, judge, solver=solver, parameters=given, stop=stop))
    name = str(Measure.parse(measure))
    points = measured_by(points, judge, name)
    best, _ = chosen_on_validation(points, judge, name, choose)
    figure = metric_path_figure(
        [point for point in points if point.fit.parameters == best.fit.parameters],
        name,
        best=best,
        title=f"Validation chooses {best.fit.result.nonzero} features by {name}",
        subtitle=f"{fold.name} · C = {short(best.fit.c)}",
        convention=convention,
    )
    return Picture(figure, tuning_table(points, name))
