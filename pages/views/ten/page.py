"""The page of budgets: the best model within one, what more would bring, who suffers, and the way out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.features.rules import Rules
from core.analysis.tradeoff.tradeoff import DENSE, Budget, TradeoffRow, budget
from core.experiments.results.difference import Difference
from core.figures.fit.picture import weights_figure
from core.figures.picture import Words
from core.figures.tradeoff.budget_picture import BudgetPicture, chosen_words
from core.metrics import describe_convention
from core.names.plain import in_markdown
from pages.shared import frame, headline, keys
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import TITLES
from pages.shared.choice.rules import RulesControls
from pages.shared.choice.use_model import use_model
from pages.shared.differences import difference
from pages.shared.export import export_panel
from pages.shared.live_chart import clicked, live_chart, main_picture
from pages.shared.show import method_of, show_chosen
from pages.shared.wording import features
from pages.shared.work.paths import settings_of
from pages.views.ten import words
from pages.views.ten.models import BudgetOptions, Models, asked, best_known, models, offered
from pages.views.ten.parts import MARKED, MORE, OUT, RULES, SUFFERING, changes_of, controls, quoted_part, suffering


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    heading = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
        wanted = controls(choice)
    if wanted.step == RULES:  # what features may do and what they cost, in a row of its own
        now = headline.shown(choice)
        if now is None or not choice.method.separable:
            st.info("Choose a sparse penalty of RankSVM in the sidebar to set rules for features.")
        else:
            free = headline.shown(_without_rules(choice)) if choice.rules.active else now
            with st.container(horizontal=True, vertical_alignment="center", key="ten_rules"):
                RulesControls(choice, now.fit if free is None else free.fit).draw()
    stage = st.container()
    found = models(choice, wanted)  # how far they are stands beneath the picture: it does not move with it
    best = budget(found.every, wanted.limit, wanted.measure, wanted.across.of)
    with heading:
        st.header(in_markdown(_title(choice, found, best, wanted)), anchor=False)
    with stage:
        if best is not None and found.dense is not None and wanted.step == SUFFERING:
            suffering(choice, found, wanted, best.chosen, found.dense)
            return
        if best is not None and wanted.step == OUT:
            out(choice, found, best.chosen, wanted.measure)
            return
        _picture(choice, found, best, wanted)
    if (subset := found.certified(wanted, choice)) is not None:
        ended, total = len(found.search.points), found.search.total
        st.caption(words.certified_words(subset[1].fit, wanted.limit, wanted.unit, ended, total, choice.nouns))
    st.caption(
        "Faint: every model of a path. Bold: the best model within each budget, on the part that models are chosen "
        "on. ★: the best within yours; ring: the next better model. Click a point to use its model on every page. "
        f"{describe_convention(choice.convention, choice.nouns)}"
    )


def _without_rules(choice: Loaded) -> Loaded:
    return replace(choice, rules=Rules(choice.rules.n_features))


def _difference(
    choice: Loaded, found: Models, measure: str, model: TradeoffRow, other: TradeoffRow, part: str
) -> Difference:
    return difference(choice, found.weights(model), found.weights(other), part, measure)


def _title(choice: Loaded, found: Models, best: Budget | None, wanted: BudgetOptions) -> str:
    part, differ = quoted_part(choice), partial(_difference, choice, found, wanted.measure)
    if not found.every or found.dense is None:
        return words.WAITING if found.complete < found.wanted else "No model keeps a feature here: raise C's range"
    if best is None:
        least = min(wanted.across.of(point) for point in found.every)
        return words.nothing_title(wanted.limit, wanted.unit, least, complete=found.complete == found.wanted)
    if wanted.step == MORE:
        return words.next_title(best, wanted.measure, wanted.unit, differ)
    if wanted.step == SUFFERING:
        changes = changes_of(choice, found, best.chosen, found.dense, wanted.measure)
        return words.suffering_title(changes, part, MARKED, choice.nouns)
    return words.budget_title(best, found.dense, part, wanted.measure, choice.fold.train.n_features, differ)


def _picture(choice: Loaded, found: Models, best: Budget | None, wanted: BudgetOptions) -> None:
    if not found.every:
        with main_picture():
            st.caption("Computing the first models. Results appear as soon as a path is complete.")
        return

    def fits() -> dict[str, Any]:  # among the methods whose paths are complete
        every = [method_of(asked(choice, method_id, wanted), method_id) for method_id in found.curves]
        return {"paths": every, "dense": method_of(choice, DENSE)}

    costs, dense, certified = choice.rules.every_cost, found.dense, found.certified(wanted, choice)
    picture = BudgetPicture(
        [choice.fold_path(found.points[method_id]) for method_id in found.curves],
        None if dense is None else choice.fold_path(found.points[DENSE]),
        limit=wanted.limit,
        measure=wanted.measure,
        against=wanted.across.horizontal,
        costs=tuple(costs.tolist()) if np.ptp(costs) > 0.0 else (),  # a hover label tells them
        where=choice.where,
        among=words.among_words(found.complete, found.wanted, len(offered())),
        words_here=_said(choice, found, best, wanted),
        certified=None if certified is None else (certified[0], certified[1].fit.result.stop == "converged"),
    )
    show_chosen(
        picture,
        choice,
        fits=fits,
        scripted=found.dense is not None,
        on_click=partial(_take_clicked, wanted),
        main=True,
    )


def _said(choice: Loaded, found: Models, best: Budget | None, wanted: BudgetOptions) -> tuple[str, str] | None:
    """What the picture says in its title and beneath, of a step of the page; None for what it says by itself."""
    if best is None:
        return None
    part = quoted_part(choice)
    if wanted.step == MORE:
        costs = choice.rules.every_cost
        price = wanted.across.cost if np.ptp(costs) > 0.0 else None
        differ = partial(_difference, choice, found, wanted.measure)
        return words.next_words(best, part, wanted.measure, price, choice.fold.train.feature_names, differ)
    if wanted.step != RULES or not choice.rules.active:
        return None
    free = best_known(_without_rules(choice), wanted, found.curves)
    if free is None:
        return None
    among = words.among_words(found.complete, found.wanted, len(offered()))
    chosen = chosen_words(best, wanted.measure, among, cost=wanted.unit == "cost")
    lost = difference(choice, found.weights(best.chosen), free[1], part, wanted.measure)
    title = words.rules_words(best, free[0], part, wanted.measure, lost)
    return title, f"{chosen} · without the rules {TITLES[free[0].method]} with {features(free[0].kept)}"


def _take_clicked(wanted: BudgetOptions) -> None:
    point, choice = clicked("ten"), frame.choice()
    if point and choice is not None:
        method, c = point[:2]
        if c is not None:
            use_model(c=c, method_id=method, parameters=settings_of(asked(choice, method, wanted), method))


def out(choice: Loaded, found: Models, chosen: TradeoffRow, measure: str) -> None:
    """Draw the export panel with the link, and the weights of the model beside it."""
    st.html("<style>.st-key-export { display: none; }</style>")  # the strip's model is another one
    fit = found.path_point(chosen).fit
    names = choice.fold.train.feature_names
    with main_picture():
        left, right = st.columns([1, 1], gap="large")
        with left:
            tuned = {"measure": measure} if choice.fold.vali is not None else None
            export_panel(choice, fit, key="ten_export", tuned=tuned)
            st.button(
                "Use this model on every page",
                key="ten_use",
                icon=":material/star:",
                on_click=use_model,
                kwargs={"c": chosen.c, "method_id": chosen.method, "parameters": fit.parameters},
                help=f"Sets {TITLES[chosen.method]} and its C; the link then restores the model too.",
            )
            st.caption("A link to this view:")
            base = (st.context.url or "").partition("?")[0]
            st.code(f"{base}?{urlencode(st.query_params.to_dict())}", language=None, wrap_lines=True)
        with right:
            said = f"Its {features(chosen.kept)}, largest weight first"
            figure = weights_figure(fit, Words(said, choice.where))
            table = pd.DataFrame([{"name": names[j], "weight": float(fit.weights[j])} for j in chosen.selected])
            live_chart(figure, "ten_weights", alt=said, table=table, fill=True)
