"""Models cut down to their largest weights, beside models fitted with as few features: Figs. 1-3 of FSMRank's paper."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front
from core.analysis.tradeoff.truncation import SizedModel, is_filter, truncations
from core.api.cutting import WholeModel, cut_table, with_chosen
from core.data.ranking_data import FloatArray
from core.export.scripts.cutting import truncation_script
from core.figures.tradeoff.axes import HORIZONTALS
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation import Cut, truncation_figure, truncation_sentence
from core.methods import Fit, get_method
from core.work import Steps
from pages.shared import headline, scripts
from pages.shared.cache import cached
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.work.paths import complete, known_points
from pages.shared.work.stepwise import all_steps


def truncation_panel(
    choice: Loaded, curves: Mapping[str, Sequence[TradeoffPoint]], view: View, titles: Mapping[str, str], limit: int
) -> None:
    """Draw the panel for the methods of the page.

    Parameters
    ----------
    curves : mapping
        Points of the chosen fold's paths by method.
    limit : int
        The number of features that the page is about.
    """
    st.subheader("Cut down without a refit", anchor=False)
    if not complete(choice, curves):
        st.caption("This picture appears when all paths are complete.")
        return
    wanted = [_best(choice, method, points, view.measure, titles) for method, points in curves.items() if points]
    whole = _cuts(choice, wanted)
    if whole is None:
        return
    shown = headline.shown(choice)
    cuts = whole if shown is None else _with_chosen(choice, shown.fit, whole)
    view = replace(view, across=replace(view.across, horizontal=HORIZONTALS[0]))
    title = truncation_sentence(cuts[0], view.part, view.measure, limit)
    said = f"{title}. {view.up} against the number of weights kept."
    live_chart(
        lambda: truncation_figure(
            cuts,
            view,
            limit=limit,
            title=title,
            subtitle=f"{choice.where} · solid: cut down, dotted: fitted with so few",
        ),
        "truncation",
        alt=said,
        of=(choice.key, choice.where, view, title, limit, *(one.fit for one in wanted), shown and shown.fit),
        table=lambda: cut_table(cuts),
        script=lambda: truncation_script(
            scripts.chosen_data(choice),
            [scripts.method_of(choice, one.fit.method) for one in wanted],
            scripts.model_of(choice, shown.fit) if shown is not None and len(cuts) > len(whole) else None,
            measure=view.measure,
            part=view.part,
            limit=limit,
        ),
    )
    st.caption(
        f"Each method's model is the best by {view.measure} of its path, chosen as above; its k largest weights stay "
        "as they are, the others become 0, as Lai et al. (2013) count the features of FSMRank. Dotted: the best model "
        "of the path with at most k features or, where a filter chooses first, its model of just k at the same C."
    )


def _best(
    choice: Loaded, method: str, points: Sequence[TradeoffPoint], measure: str, titles: Mapping[str, str]
) -> WholeModel:
    front = pareto_front(points, measure)
    fit = next(point.fit for point in known_points(choice, method) if point.fit.c == front[-1].c)
    training = None
    if is_filter(get_method(method)):
        training = access.training(method, choice.source, choice.fold_number, tuple(fit.parameters.items()))
    return WholeModel(titles[method], fit, front, training, int(choice.judge.usable_features.sum()))


def _cuts(choice: Loaded, wanted: Sequence[WholeModel]) -> list[Cut] | None:
    """None while a progress bar stands on the page."""
    judge = choice.judge
    models = [(one.fit.method, one.fit.lam, tuple(one.fit.parameters.items())) for one in wanted]
    parts = (choice.fingerprint, choice.where, choice.convention, models)
    key = "truncation-" + hashlib.sha256(repr(parts).encode()).hexdigest()
    total = sum(one.total for one in wanted)

    def make() -> Steps[tuple[Any, ...]]:
        return Steps(((one.name, *step) for one in wanted for step in one.coming(judge)), total)

    found = all_steps(key, make, "Cutting models down")
    if found is None:
        return None
    return [one.cut([(kind, model) for name, kind, model in found if name == one.name]) for one in wanted]


def _with_chosen(choice: Loaded, fit: Fit, whole: Sequence[Cut]) -> list[Cut]:
    """The same with the model of every page."""
    return with_chosen(f"the chosen {choice.title}", fit, whole, lambda chosen: _cut_down(chosen.weights, choice.judge))


@cached()
def _cut_down(weights: FloatArray, judge: FoldJudge) -> list[SizedModel]:
    return list(truncations(weights, judge))
