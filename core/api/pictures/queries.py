"""Who gains and who loses: every query under two models."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.choosing import choosing_part
from core.analysis.queries.changes import query_changes
from core.analysis.queries.direction import ranks_better_reversed
from core.analysis.queries.side_by_side import ideal_scores, single_feature_weights
from core.api.model import Model
from core.api.tables import QUERY_MEASURES, queries_table, query_names
from core.data import RankingData
from core.data.naming import columns
from core.data.ranking_data import FloatArray
from core.figures.drawn import FigureAndTable
from core.figures.path.tuning import PART_TITLES
from core.figures.queries.changes import changes_figure


def queries(
    model: Model,
    other: Model | str | int,
    *,
    part: str = "test",
    measure: str = "MAP",
    texts: Mapping[str, str] | None = None,
) -> FigureAndTable:
    """Draw what a model A changes for every query against B.

    On the part that models are chosen on, documents with the same score count in expectation over their orders; on the
    others they keep the order of the file.

    Parameters
    ----------
    model : Model
        A.
    other : Model, str or int
        B: another model of the fold; a feature, by name or by number counting from 1, in the direction in which it
        ranks the training part better; or ``"ideal"`` for the ideal order.
    part : {"train", "vali", "test"}
    measure : {"MAP", "NDCG@10"}
        The one that is drawn; the table has both.
    texts : mapping, optional
        Of queries, by id, as ``dataset.query_texts`` has them.

    Returns
    -------
    FigureAndTable
        Its table has a row a query, the greatest loss in average precision first.

    Raises
    ------
    ValueError
        If there is no such feature or measure.
    """
    if measure not in QUERY_MEASURES:
        msg = f"there is no {measure!r} here; measures are {', '.join(QUERY_MEASURES)}"
        raise ValueError(msg)
    data = model.fold.parts()[part]
    fair = part == choosing_part(model.fold.parts())
    a, b = model.score(data), _scores(model, other, data)
    changes = {name: query_changes(data, a, b, model.convention, name, fair=fair) for name in QUERY_MEASURES}
    names = query_names(data, texts or {})
    figure = changes_figure(
        changes[measure],
        data.query_ids,
        names,
        model.fit.method,
        QUERY_MEASURES[measure],
        title=f"Δ{QUERY_MEASURES[measure]} of {data.n_queries:,} queries",
        subtitle=f"{model.fold.name}, {PART_TITLES[part]} · A: {model.fit.method}",
    )
    return FigureAndTable(figure, queries_table(changes, data, names))


def _scores(model: Model, other: Model | str | int, data: RankingData) -> FloatArray:
    """Compute the scores of B."""
    if isinstance(other, Model):
        return other.score(data)
    if other == "ideal":
        return ideal_scores(data)
    train = model.fold.train
    column = columns([other], train.feature_names)[0]
    reverse = ranks_better_reversed(train, model.convention, column)
    scores: FloatArray = data.features @ single_feature_weights(train.n_features, column, reverse=reverse)
    return scores
