"""Models cut down to their largest weights."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import one_fold
from core.analysis.tradeoff.tradeoff import pareto_front, tradeoff_points
from core.analysis.tradeoff.truncation import is_filter, truncations
from core.api.cutting import WholeModel, cut_table, with_chosen
from core.api.model import Model
from core.api.path import ModelPath
from core.figures.drawn import FigureAndTable
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation import truncation_figure
from core.methods import get_method
from core.methods.families import model_title


def truncation(
    paths: Sequence[ModelPath],
    *,
    model: Model | None = None,
    measure: str = "MAP",
    part: str | None = None,
    limit: int | None = None,
) -> FigureAndTable:
    """Draw what the k largest weights of each path's best model are worth, beside models fitted with k features.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    model : Model, optional
        Of the same fold; cut down, too, unless it is empty or the best of its path.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part chooses the best model, in expectation over the orders of tied documents.
    part : {"train", "vali", "test"}, optional
        The part that is drawn; by default the last that the fold has.
    limit : int, optional
        A number of features, which is marked.

    Returns
    -------
    FigureAndTable
        Its table has a row a model and number of features.

    Raises
    ------
    ValueError
        If there is no path, or they are not of one fold.
    """
    fold, convention = one_fold(paths)
    judge = FoldJudge(fold, convention)
    wanted = [one for one in (_best(path, judge, measure) for path in paths) if one is not None]
    cuts = [one.cut(list(one.coming(judge))) for one in wanted]
    if model is not None:
        title = model_title(get_method(model.fit.method), model.fit.parameters)
        cuts = with_chosen(f"the chosen {title}", model.fit, cuts, lambda fit: list(truncations(fit.weights, judge)))
    drawn = part or list(fold.parts())[-1]
    figure = truncation_figure(
        cuts,
        View(drawn, measure, Across("features kept", int(judge.usable_features.sum()), True), convention),
        limit=limit,
        title=f"{PART_TITLES[drawn]} {measure} of the largest weights",
        subtitle=f"{fold.name} · solid: cut down, dotted: fitted with so few",
    )
    return FigureAndTable(figure, cut_table(cuts))


def _best(path: ModelPath, judge: FoldJudge, measure: str) -> WholeModel | None:
    """Prepare the best model of a path; None where none keeps a feature."""
    front = pareto_front(tradeoff_points(path.points, judge.usable_features), measure)
    if not front:
        return None
    fit = next(point.fit for point in path.points if point.fit.c == front[-1].c)
    method = get_method(fit.method)
    training = method.training(judge.fold.train, fit.parameters, judge.convention) if is_filter(method) else None
    return WholeModel(method.title, fit, front, training, int(judge.usable_features.sum()))
