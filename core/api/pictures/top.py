"""The top of the list: how many positives stand above every negative."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.top_strips import counts_by_share, reach, shares_over_lists, top_strips
from core.api.model import Model
from core.api.tables import documents_of, shares_table, strips_table
from core.data.nouns import nouns_of
from core.figures.drawn import FigureAndTable
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES
from core.figures.top.strips import shares_figure, strips_figure
from core.figures.top.words import lists_title, strips_title
from core.methods import get_method
from core.methods.families import full_title


def top_of_lists(models: Sequence[Model], *, part: str = "test") -> FigureAndTable:
    """Draw in how many lists which share of the positives stands above every negative.

    Lists with only positives or only negatives are not counted.

    Parameters
    ----------
    models : sequence of Model
        Of one fold, each of another method.
    part : {"train", "vali", "test"}

    Returns
    -------
    FigureAndTable
        Its table has a row a share, and a column a model.

    Raises
    ------
    ValueError
        If there is no model, or they are not of one fold.
    """
    if not models or len({model.fold.train.fingerprint for model in models}) > 1:
        msg = "give one model or more, all of one fold"
        raise ValueError(msg)
    data = models[0].fold.parts()[part]
    shares = {m.fit.method: shares_over_lists(data, m.fit.weights) for m in models}
    counts = {method: counts_by_share(row) for method, row in shares.items()}
    titles = {method: full_title(get_method(method)) for method in counts}
    figure = shares_figure(
        counts,
        titles,
        title=lists_title(shares, titles, [m.fit.method for m in models if not m.fit.result.nonzero]),
        subtitle=f"{models[0].fold.name} · {PART_TITLES[part]} · {models[0]!r}",
    )
    return FigureAndTable(figure, shares_table(counts, titles))


def top_of_one_list(model: Model, query: str | None = None, *, part: str = "test") -> FigureAndTable:
    """Draw the documents of one list by their score above that of the top negative.

    Parameters
    ----------
    model : Model
    query : str, optional
        Its id; by default the first of the part.
    part : {"train", "vali", "test"}

    Returns
    -------
    FigureAndTable
        Its table has a row a document.

    Raises
    ------
    ValueError
        If there is no such query, or it has no positive or no negative.
    """
    data = model.fold.parts()[part]
    ids = [str(one) for one in data.query_ids]
    if query is not None and str(query) not in ids:
        msg = f"there is no query {query!r} in the {part} part; the first is {ids[0]!r}"
        raise ValueError(msg)
    place = 0 if query is None else ids.index(str(query))
    rows = slice(*data.query_offsets[place : place + 2])
    share = float(model.fit.parameters.get("top_share", 0.0))
    strips = top_strips(data.relevance[rows], data.features[rows] @ model.fit.weights, share)
    names, nouns = documents_of(data, place), nouns_of(data)
    of_query = "" if nouns.by_class else f", query {ids[place]}"
    figure = strips_figure(
        strips,
        model.fit.method,
        names,
        reach(data, place, [model.fit.weights]),
        top_share=share,
        title=strips_title(strips, nouns),
        subtitle=f"{model.fold.name}{of_query} · {PART_TITLES[part]} · C = {short(model.fit.c)}",
    )
    return FigureAndTable(figure, strips_table(strips, names, nouns))
