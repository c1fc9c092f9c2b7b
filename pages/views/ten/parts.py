"""Parts of Ten features: its controls, and who suffers: queries that lose most against the model of all features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.queries.side_by_side import QueryChanges, query_changes
from core.analysis.tradeoff.tradeoff import TradeoffRow
from core.export.scripts.description import ModelDescription
from core.figures.queries.picture import QueriesPicture
from core.figures.tradeoff.axes import COST, Across
from core.methods import Fit, get_method
from core.names.numbers import short
from core.names.plain import in_markdown
from core.solvers.problem import pair_scores
from pages.shared import headline
from pages.shared.choice import access, address
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import choose_limit, measure_control
from pages.shared.choice.use_model import use_model
from pages.shared.controls import button
from pages.shared.live_chart import main_picture
from pages.shared.show import method_of, show_chosen
from pages.shared.wording import query_words
from pages.views.ten.models import BudgetOptions, Models, asked, offered, quick

MARKED = 5
"""Queries that lose most and are named."""
LONGEST_TEXT = 40
"""Letters of a query's text."""


def quoted_part(choice: Loaded) -> str:
    """The part that is quoted: the last, which is test where there is one."""
    return next(reversed(choice.fold.parts()))


def changes_of(choice: Loaded, found: Models, chosen: TradeoffRow, dense: TradeoffRow, measure: str) -> QueryChanges:
    """What the model within the budget does to each query of the part that is quoted, against that of all features."""
    data = choice.fold.parts()[quoted_part(choice)]
    a, b = (pair_scores(data, found.weights(point)) for point in (chosen, dense))
    return query_changes(data, a, b, choice.convention, measure)


def suffering(choice: Loaded, found: Models, wanted: BudgetOptions, chosen: TradeoffRow, dense: TradeoffRow) -> None:
    """Draw the changes of all queries, and the five that lose most."""
    changes = changes_of(choice, found, chosen, dense, wanted.measure)
    ids = choice.fold.parts()[quoted_part(choice)].query_ids
    models = (chosen, found.path_point(chosen).fit.parameters, found.path_point(dense).fit)
    if choice.nouns.by_class:
        st.caption("The rows are one list, so there is no other that could lose. Compare its rows under both models:")
        _links(choice, ids, *models)
        return
    worst = [int(q) for q in changes.order[:MARKED] if changes.delta[q] < 0.0]
    texts = access.dataset(choice.source).query_texts
    table = {
        "query": [f"{ids[q]}: {texts[ids[q]][:LONGEST_TEXT]}" if texts.get(ids[q]) else ids[q] for q in worst],
        "change": changes.delta[worst],
        "before": changes.b[worst],
        "after": changes.a[worst],
        "relevant": changes.n_relevant[worst],
        "documents": changes.n_documents[worst],
    }
    with main_picture():
        picture, beside = st.columns([3, 2])
        with picture:
            _queries(choice, found, chosen, wanted)
        with beside:
            st.dataframe(
                pd.DataFrame(table),
                hide_index=True,
                key="ten_worst",
                column_config={
                    "query": st.column_config.TextColumn(width=150),
                    "change": st.column_config.NumberColumn(format="%+.4f"),
                    "before": st.column_config.NumberColumn(format="%.4f", help="By the model of all features."),
                    "after": st.column_config.NumberColumn(format="%.4f", help="By the model within the budget."),
                },
            )
            _links(choice, [ids[q] for q in worst], *models)


def _queries(choice: Loaded, found: Models, chosen: TradeoffRow, wanted: BudgetOptions) -> None:
    """The picture of what the model within the budget does to each query, against that of all features."""
    assert found.dense is not None
    models = {"model": found.path_point(chosen), "other": found.path_point(found.dense)}
    a, b = map(choice.fold_model, models.values())
    picture = QueriesPicture(
        a,
        b,
        part=quoted_part(choice),
        measure=wanted.measure,
        texts=access.dataset(choice.source).query_texts,
        where=choice.where,
        other_title=f"all features ({get_method(b.fit.method).title}, C = {short(b.fit.c)})",
    )

    def fitted(fit: Fit) -> ModelDescription:
        how = method_of(asked(choice, fit.method, wanted), fit.method)
        return ModelDescription(how, fit.c, fit.solver)

    show_chosen(picture, choice, fits=lambda: {name: fitted(one.fit) for name, one in models.items()}, fill=True)


def _links(
    choice: Loaded,
    queries: Sequence[str],
    chosen: TradeoffRow,
    settings: Mapping[str, float],
    dense: Fit,
) -> None:
    for query in queries:
        if button(
            f"Look at {in_markdown('both lists' if choice.nouns.by_class else query_words(query))}",
            key=f"ten_query_{query}",
            type="tertiary",
            icon=":material/search:",
            on_click=_take,
            args=(choice, chosen, settings, dense),
            help="Opens its lists by this model, which every page then uses, and by the model of all features, which "
            "is pinned.",
        ):
            place = {"queries_query": query, "queries_part": quoted_part(choice)}
            st.session_state.update(place)
            st.switch_page("pages/queries.py", query_params=ratio_query() | place)


def _take(choice: Loaded, chosen: TradeoffRow, settings: Mapping[str, float], dense: Fit) -> None:
    """Make one the model of every page, and pin the other; for callbacks."""
    use_model(c=chosen.c, method_id=chosen.method, parameters=settings)
    beside = access.with_method(choice, dense.method, tuple(dense.parameters.items()), lam=dense.lam)
    beside = replace(beside, solver_id=dense.solver)
    pins = headline.pins()
    if all(run.choice.key != beside.key for run in pins) and len(pins) < headline.MOST_PINS:
        pins.append(headline.describe(beside, dense).kept)


RULES, BUDGET, MORE, SUFFERING, OUT = "rules", "budget", "one more", "who suffers", "out"
STEPS = {
    RULES: "With rules?",
    BUDGET: "How well do few rank?",
    MORE: "Is one more better?",
    SUFFERING: "Who loses?",
    OUT: "Use this model",
}
"""What the page can be asked, by its name in the address."""
_STEP = "ten_step"
_LIMIT = "ten_limit"
_UNIT = "ten_unit"
_COST = "ten_cost"
DEFAULT_COST_SHARE = 0.2  # of the cost of all features
LIMIT_WIDTH = 160  # pixels


def controls(choice: Loaded) -> BudgetOptions:
    """Draw the controls, which fill the row of tools."""
    step = address.one_of(
        "Step",
        STEPS,
        begins=BUDGET,
        key=_STEP,
        persist_state="session",
        help="Step by step: rules for features, how many you can afford, what one more would bring, "
        f"{'what it costs' if choice.nouns.by_class else 'which queries lose'}, and the model to export.",
    )
    costs = choice.rules.every_cost
    limit, unit = 0.0, "features"
    if np.ptp(costs) > 0.0:  # features are counted, or their costs are added up where they have any
        how = "Count features, or add up their costs."
        unit = address.one_of("Budget by", ["features", "cost"], key=_UNIT, persist_state="session", help=how)
    if unit == "cost":
        whole = float(costs.sum())
        limit = st.number_input(
            "At most this cost",
            min_value=0.0,
            value=float(f"{DEFAULT_COST_SHARE * whole:.2g}"),
            key=_COST,
            bind="query-params",
            persist_state="session",
            format="%g",
            label_visibility="collapsed",
            width=LIMIT_WIDTH,
            help=f"The total cost of the kept features; all features cost {whole:g}.",
        )
    else:
        limit = choose_limit(
            "Features at most", choice, key=_LIMIT, bind="query-params", persist_state="session", width=LIMIT_WIDTH
        )
    with st.popover("More", key="ten_more", help="The measure that judges models, and the methods that compete"):
        help = "It also chooses the models."
        measure = measure_control(choice, "Quality", key="ten_measure", help=help, label_visibility="visible")
        everything = st.toggle(
            f"All {len(offered())} methods",
            key="ten_all",
            bind="query-params",
            persist_state="session",
            help="Adds the infinite push and truncated gradient, whose paths may take minutes. Otherwise only the "
            f"{len(quick())} sparse penalties of RankSVM.",
        )
    across = Across(COST if unit == "cost" else "features kept", len(costs), True, tuple(costs.tolist()))
    return BudgetOptions(step, measure, unit, limit, across, offered() if everything else quick())
