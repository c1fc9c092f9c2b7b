"""How a model is chosen: the solvers that race to it, the C that validation picks, and its weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Unpack

import pandas as pd

from core.analysis.choosing import ONE_LIST, RULES, ChoiceRule
from core.analysis.evaluation import FoldJudge
from core.analysis.fit_keywords import FitKeywords, fitting_of
from core.analysis.fitting import OnValidation, tune
from core.analysis.fold_models import one_fold
from core.analysis.further_measures import measured_by
from core.analysis.radii import radii as radii_of
from core.analysis.solver_race import SolverRace, standings
from core.analysis.tuning.choice_noise import PathNoise, path_choice
from core.api.model import Model
from core.api.path import ModelPath
from core.api.solver_tables import (
    choice_noise_table,
    race_table,
    tuning_table,
    weights_table,
)
from core.data import Fold
from core.figures.drawn import FigureAndTable
from core.figures.fit.convergence import Horizontal, Vertical, convergence_figure
from core.figures.fit.race import race_curves, race_sentence
from core.figures.fit.radii import radii_figure, radii_sentence
from core.figures.fit.weights import weights_figure
from core.figures.look.style import short
from core.figures.path.choice_noise import NoisyChoice, choice_noise_figure
from core.figures.path.tuning import metric_path_figure
from core.methods import Method, get_method
from core.methods.families import model_title
from core.metrics import Measure
from core.penalties import L1Ball


def weights(model: Model, *, most: int = 40) -> FigureAndTable:
    """Draw the weights of a model, the largest first; ``most`` of them, the table has all."""
    fit = model.fit
    figure = weights_figure(
        fit.weights, fit.feature_names, fit.method, most=most, title=repr(model), subtitle=model.fold.name
    )
    return FigureAndTable(figure, weights_table(fit))


def race(
    fold: Fold,
    method: str | Method = "l1",
    *,
    C: float,
    seconds: float = 10.0,
    against: Horizontal = "seconds",
    show: Vertical = "certificate",
    **how: Unpack[FitKeywords],
) -> FigureAndTable:
    """Let every solver of a method solve the same problem to the same tolerance, and draw their ways.

    Parameters
    ----------
    fold : Fold
    method : str or Method
    C : float
    seconds : float
        That each may take.
    against, show
        As for `convergence`; without a certified optimum the lowest value of the race stands in.
    **how
        tol, to which they race, parameters, rules and convention, as for `core.fit`.

    Returns
    -------
    FigureAndTable
        Its table has a row a solver, in the order in which they reached the tolerance.

    Raises
    ------
    ValueError
        If a solver is named: all of them race.
    """
    if how.get("solver") is not None:
        msg = "all solvers of the method race, so do not name one"
        raise ValueError(msg)
    fitting = fitting_of(fold, method, how)
    under, settings, training, goal = fitting.method, fitting.settings, fitting.training, fitting.stop.tol
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
    return FigureAndTable(figure, race_table(under, known))


def tuning(
    fold: Fold,
    method: str | Method = "l1",
    *,
    measure: str = "MAP",
    choose: ChoiceRule = "best",
    **how: Unpack[FitKeywords],
) -> FigureAndTable:
    """Draw a measure along all C that are tried, and the one that the validation part chooses.

    Parameters
    ----------
    fold : Fold
        With a validation part.
    method : str or Method
    measure : str
        That chooses; tied documents count in expectation over their orders.
    choose : {"best", "one-se", "average"}
    **how
        solver, tol, parameters, rules and convention, as for `core.fit`; parameters that are given are not tried.

    Returns
    -------
    FigureAndTable
        Its table has a row a model that was tried.
    """
    fitting = fitting_of(fold, method, how)
    found = tune(fitting, OnValidation(measure, choose))
    name, points = found.measure, found.points
    best = points[found.chosen]
    figure = metric_path_figure(
        [point for point in points if point.fit.parameters == best.fit.parameters],
        name,
        best=best,
        title=f"Validation chooses {best.fit.result.nonzero} features by {name}",
        subtitle=f"{fold.name} · C = {short(best.fit.c)}",
        convention=fitting.judge.convention,
    )
    return FigureAndTable(figure, tuning_table(points, name))


def choice_noise(paths: Sequence[ModelPath], *, measure: str = "MAP") -> FigureAndTable:
    """Draw how much of a difference between methods is the draw of the validation queries.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold with a validation part, each of another method.
    measure : str
        That chooses.

    Returns
    -------
    FigureAndTable
        Its table has a row a method and rule.

    Raises
    ------
    ValueError
        If the validation part is a single list, which cannot be resampled.
    """
    fold, convention = one_fold(paths)
    judge = FoldJudge(fold, convention)
    name = str(Measure.parse(measure))
    drawn = {path.points[0].fit.method: measured_by(path.points, judge, name) for path in paths}
    found: dict[str, dict[ChoiceRule, PathNoise]] = {method: {} for method in drawn}
    for method, points in drawn.items():
        for rule in RULES:
            noise = path_choice(points, judge, name, rule).noise
            if noise is None:
                raise ValueError(ONE_LIST)
            found[method][rule] = noise
    titles = {method: get_method(method).title for method in drawn}
    clouds = {method: NoisyChoice(titles[method], points, found[method]["best"]) for method, points in drawn.items()}
    figure = choice_noise_figure(
        clouds, name, convention=convention, title=f"The choice of C by {name} on resampled queries", subtitle=fold.name
    )
    return FigureAndTable(figure, choice_noise_table(drawn, found, name, titles))


def radii(model: Model) -> FigureAndTable:
    """Draw which radius of the l1 ball belongs to which lambda; the model's own is marked.

    Raises
    ------
    ValueError
        If the model's method has no ball.
    """
    fit, fold = model.fit, model.fold
    method = get_method(fit.method)
    training = method.training(fold.train, fit.parameters, model.convention)
    run = method.run(training, fit.lam, solver=fit.solver, parameters=fit.parameters)
    penalty = run.steps.problem.penalty
    if not isinstance(penalty, L1Ball):
        msg = f"{method.title} has a penalty, not a radius"
        raise ValueError(msg)
    points, lam = list(radii_of(training)), run.steps.problem.lam
    title = radii_sentence(points, penalty.radius, training.c_of(lam))
    figure = radii_figure(points, penalty.radius, lam / training.lam_max, title=title, subtitle=fold.name)
    return FigureAndTable(figure, pd.DataFrame([asdict(point) for point in points]))
