"""How models are found: the convergence of one fit, and regularization paths."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.fold_models import one_fold
from core.analysis.path_views import most_important, ratio_of
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tuning.tuning import best_on_validation
from core.api.model import Model
from core.api.path import ModelPath
from core.api.tables import paths_table, trace_table
from core.figures.drawn import FigureAndTable
from core.figures.fit.convergence import Curve, Horizontal, Vertical, convergence_figure, ending_words
from core.figures.look.feature_styles import MOST_COLOURED
from core.figures.look.style import short
from core.figures.path.axes import Across
from core.figures.path.path import PathPanel, Reference, path_figure
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


def paths(
    drawn: Sequence[ModelPath],
    *,
    measure: str = "MAP",
    measures: Sequence[str] = ("MAP", "NDCG@10"),
    across: Across = "lambda",
    ratio: float | None = None,
) -> FigureAndTable:
    """Draw regularization paths side by side: weights, and a measure beneath them.

    Parameters
    ----------
    drawn : sequence of ModelPath
        Of one fold.
    measure : str
        The one that is drawn; the dashed line is where the validation part has its best value.
    measures : sequence of str
        Those of the table.
    across : {"lambda", "features"}
    ratio : float, optional
        lambda / lambda_max at which a line is drawn.

    Returns
    -------
    FigureAndTable
        Its table has a row a model.

    Raises
    ------
    ValueError
        If there is no path, or they are not of one fold.
    """
    fold, convention = one_fold(drawn)
    panels = [
        PathPanel(
            title=model_title(get_method(path.points[0].fit.method), path.points[0].fit.parameters),
            points=path.points,
            best=best_on_validation(path.points, measure) if "vali" in path.points[0].metrics else None,
            chosen=None if ratio is None else min(path.points, key=lambda point: abs(ratio_of(point) / ratio - 1.0)),
        )
        for path in drawn
    ]
    single = best_single_feature(fold, convention, measure)
    part = next(part for part in ("test", "vali", "train") if part in single.values)
    order = ", ascending" if single.reverse else ""
    figure = path_figure(
        panels,
        most_important([path.points for path in drawn], MOST_COLOURED),
        measure,
        view=across,
        chosen_ratio=ratio,
        reference=Reference(f"best single feature: {single.name}{order}", single.values[part]),
        title=f"Regularization paths: {', '.join(panel.title for panel in panels)}",
        subtitle=f"{fold.name} · dashed: best {measure} on validation",
        convention=convention,
    )
    return FigureAndTable(figure, paths_table([path.points for path in drawn], measures))
