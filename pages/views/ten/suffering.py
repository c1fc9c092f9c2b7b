"""Who suffers: the queries that lose most against the model of all features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.tradeoff.query_changes import QueryChange, query_changes
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.tradeoff.budget_picture import MARKED, query_changes_table
from core.methods import Fit
from core.names.plain import in_markdown
from pages.shared import headline
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import main_picture
from pages.shared.wording import query_words
from pages.views.ten.models import Models


def changes_of(
    choice: Loaded, found: Models, chosen: TradeoffPoint, dense: TradeoffPoint, measure: str
) -> tuple[QueryChange, ...]:
    """What the model within the budget does to each query of the part that is quoted, worst first."""
    part = next(reversed(choice.fold.parts()))
    return query_changes(choice.judge, found.weights(dense), found.weights(chosen), part, measure)


def suffering(
    choice: Loaded,
    found: Models,
    changes: Sequence[QueryChange],
    chosen: TradeoffPoint,
    dense: TradeoffPoint,
    draw: Callable[[], None],
) -> None:
    """Draw the changes of all queries by ``draw``, and the five that lose most."""
    if choice.nouns.by_class:
        st.caption("The rows are one list, so there is no other that could lose. Compare its rows under both models:")
        _links(choice, changes, chosen, found.path_point(chosen).fit.parameters, found.path_point(dense).fit)
        return
    worst = [change for change in changes[:MARKED] if change.change < 0.0]
    texts = access.dataset(choice.source).query_texts
    with main_picture():
        picture, beside = st.columns([3, 2])
        with picture:
            draw()
        with beside:
            st.dataframe(
                query_changes_table(worst, texts),
                hide_index=True,
                key="ten_worst",
                column_config={
                    "query": st.column_config.TextColumn(width=150),
                    "change": st.column_config.NumberColumn(format="%+.4f"),
                    "before": st.column_config.NumberColumn(format="%.4f", help="By the model of all features."),
                    "after": st.column_config.NumberColumn(format="%.4f", help="By the model within the budget."),
                },
            )
            settings = found.path_point(chosen).fit.parameters
            _links(choice, worst, chosen, settings, found.path_point(dense).fit)


def _links(
    choice: Loaded,
    changes: Sequence[QueryChange],
    chosen: TradeoffPoint,
    settings: Mapping[str, float],
    dense: Fit,
) -> None:
    """A button a query, which opens its two lists."""
    for change in changes:
        if button(
            f"Look at {in_markdown('both lists' if choice.nouns.by_class else query_words(change.query_id))}",
            key=f"ten_query_{change.query_id}",
            type="tertiary",
            icon=":material/search:",
            on_click=_take,
            args=(choice, chosen, settings, dense),
            help="Opens its lists by this model, which every page then uses, and by the model of all features, which "
            "is pinned.",
        ):
            part = next(reversed(choice.fold.parts()))
            place = {"queries_query": change.query_id, "queries_part": part}
            st.switch_page("pages/queries.py", query_params=ratio_query() | place)


def _take(choice: Loaded, chosen: TradeoffPoint, settings: Mapping[str, float], dense: Fit) -> None:
    """Make one the model of every page, and pin the other; for callbacks."""
    use_model(c=chosen.c, method_id=chosen.method, parameters=settings)
    beside = access.with_method(choice, dense.method, tuple(dense.parameters.items()), lam=dense.lam)
    beside = replace(beside, solver_id=dense.solver)
    pins = headline.pins()
    if all(run.choice.key != beside.key for run in pins) and len(pins) < headline.MOST_PINS:
        pins.append(headline.describe(beside, dense).kept)
