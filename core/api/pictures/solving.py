"""How models are found: the convergence of one fit, and regularization paths."""

from __future__ import annotations

from core.api.model import Model
from core.api.tables import trace_table
from core.figures.drawn import FigureAndTable
from core.figures.fit.convergence import Curve, Horizontal, Vertical, convergence_figure, ending_words
from core.figures.look.style import short
from core.methods import get_method
from core.methods.families import model_title


def convergence(
    model: Model,
    *,
    against: Horizontal = "steps",
    show: Vertical = "objective",
    log_across: bool = False,
    log_up: bool = False,
    slopes: bool = False,
) -> FigureAndTable:
    """Draw the way of the solver to a model.

    Parameters
    ----------
    model : Model
    against : {"steps", "seconds", "passes over X"}
    show : {"objective", "suboptimality", "certificate"}
        The value F that is minimised; how far it is above the certified lower bound of its optimum, or above its last
        value where there is none; or the certificate.
    log_across, log_up : bool
        Whether the axes are logarithmic.
    slopes : bool
        Whether the rates of theory are drawn.

    Returns
    -------
    FigureAndTable
        Its table has a row a step.
    """
    fit, found = model.fit, model.fit.result.certificate
    method = get_method(fit.method)
    certified = found.kind == "duality gap" and not found.among
    solver = method.solver(fit.solver).title
    curve = Curve(
        name=f"{model_title(method, fit.parameters)}, {solver}",
        method=fit.method,
        trace=fit.result.trace,
        ending=ending_words(fit.result),
        optimum=fit.result.objective - found.value if certified and show == "suboptimality" else None,
    )
    figure = convergence_figure(
        [curve],
        x=against,
        y=show,
        log_x=log_across,
        log_y=log_up or show != "objective",
        slopes=slopes,
        title=f"Objective {fit.result.objective:.6g} after {fit.result.steps:,} steps",
        subtitle=f"{model.fold.name} · {solver} · C = {short(fit.c)}",
    )
    return FigureAndTable(figure, trace_table(fit))
