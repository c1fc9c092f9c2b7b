"""The Trade-off page: what sparsity costs, and the best model with at most so many features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_views import nearest_point
from core.analysis.tradeoff.tradeoff import DENSE, Budget, TradeoffRow, budget, path_end, tradeoff_points
from core.content import Series
from core.experiments.results.difference import Difference
from core.figures.path.lines import PART_TITLES
from core.figures.tradeoff import words
from core.figures.tradeoff.axes import Curves, View
from core.figures.tradeoff.picture import TradeoffPicture
from core.figures.tradeoff.truncation import Truncation
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared import following, frame, keys
from pages.shared.cache import cached
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import TITLES
from pages.shared.choice.use_model import use_model
from pages.shared.controls import button
from pages.shared.differences import choice_noise_panel, difference
from pages.shared.following import take_released
from pages.shared.lazy import lazy_expander
from pages.shared.live_chart import clicked
from pages.shared.show import show_chosen
from pages.shared.wording import features
from pages.shared.work.paths import complete, known_points, paths, settings_of, told_best
from pages.views.tradeoff.best_sets import best_sets_panel
from pages.views.tradeoff.folds import TradeoffOptions, controls, folds_picture

_points = cached()(tradeoff_points)


def truncation_panel(choice: Loaded, known: Mapping[str, Series[PathPoint]], view: View, limit: int) -> None:
    """Draw the panel for the paths that are ``known``, by method, and the number of features that the page is about."""
    if not complete(choice, known):
        st.caption("This picture appears when all paths are complete.")
        return
    now = frame.model()
    picture = Truncation(
        [choice.fold_path(points) for points in known.values() if any(point.fit.result.nonzero for point in points)],
        model=None if now is None else now.model,
        measure=view.measure,
        part=view.part,
        limit=limit,
        where=choice.where,
        log_across=view.across.log,
    )
    show_chosen(picture, choice)
    st.caption(
        f"Each method's model is the best by {view.measure} of its path, chosen as above; its k largest weights stay "
        "as they are, the others become 0, as Lai et al. (2013) count the features of FSMRank. Dotted: the best model "
        "of the path with at most k features or, where a filter chooses first, its model of just k at the same C."
    )


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    heading = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS):
        wanted = controls(choice)
    stage = st.container()
    view, methods, limit = wanted.view, wanted.methods, wanted.limit
    if not methods:
        heading.header(words.QUESTION, anchor=False)
        st.info("Pick at least one method to draw.")
        return
    known, curves, dense = _curves(choice, methods)
    every = [point for points in curves.values() for point in points]
    ready = complete(choice, [*methods, DENSE])
    if not every:
        heading.header(words.QUESTION, anchor=False)
        if not ready:
            st.caption("Computing the first models …")
        return
    found = budget(every, limit, view.measure)
    with heading:
        _headline(choice, every, found, wanted, ready=ready)
    if not wanted.over_folds or not folds_picture(choice, wanted, curves, stage, _take_clicked):
        with stage:
            _picture(choice, known, view, limit, ready=ready)
    if found is not None:
        _chosen(choice, found, view, ready=ready)
    if complete(choice, methods):
        whole = {method: known_points(choice, method) for method in methods}
        choice_noise_panel(choice, whole, view.measure, wanted.margin)
    if not wanted.over_folds:
        lazy_expander(
            "How near are these sets to the best possible ones?",
            partial(best_sets_panel, choice, methods, dense, limit, view.measure),
            key="best_sets_box",
        )
        lazy_expander(
            "What if its small weights are dropped?",
            partial(truncation_panel, choice, known, view, limit),
            key="tradeoff_cut_box",
        )


def _headline(
    choice: Loaded, every: Sequence[TradeoffRow], found: Budget | None, wanted: TradeoffOptions, *, ready: bool
) -> None:
    """The model within the limit; nothing that models still to come could deny."""
    view = wanted.view
    if not ready:
        st.header(words.QUESTION, anchor=False)
        return
    where = f" ({choice.fold.name})" if wanted.over_folds else ""
    if found is None:
        sparsest = min(point.kept for point in every)
        title = f"No model has at most {features(wanted.limit)}: the sparsest has {sparsest}"
        st.header(title + where, anchor=False)
        return
    differ = partial(_difference, choice, view.measure)
    title = words.budget_title(found, view.part, view.measure, choice.fold.train.n_features, TITLES, differ)
    st.header(title + where, anchor=False, help=words.budget_help(found, view.measure, choice.nouns))


def _difference(choice: Loaded, measure: str, model: TradeoffRow, other: TradeoffRow, part: str) -> Difference:
    a, b = (
        next(known.fit.weights for known in known_points(choice, point.method) if known.fit.c == point.c)
        for point in (model, other)
    )
    return difference(choice, a, b, part, measure)


def _curves(
    choice: Loaded, methods: Sequence[str]
) -> tuple[Mapping[str, Series[PathPoint]], Curves, Sequence[TradeoffRow]]:
    """The paths of every method and of `DENSE` on the chosen fold, the points of each method, and those of `DENSE`.

    A progress bar stands on the page while there are more to come.
    """
    usable = choice.judge.usable_features
    # All features first: the search for the best subsets has to wait for their C only.
    waits = not complete(choice, [DENSE])
    known = paths(choice, [DENSE, *methods], lambda: waits and complete(choice, [DENSE]))
    found = {method: _points(points, usable) for method, points in known.items()}
    return known, {method: found[method] for method in methods}, found[DENSE]


def _picture(
    choice: Loaded,
    known: Mapping[str, Series[PathPoint]],
    view: View,
    limit: int,
    *,
    ready: bool,
) -> None:
    """Draw the curves of one fold, by method, that of all features among them; nothing is compared before ``ready``."""
    dense = choice.fold_path(known[DENSE]) if ready and known[DENSE] else None
    costs, now = view.across.costs, frame.model()
    shown, hand, points = [] if now is None else [now.point], None, known_points(choice, choice.method_id)
    if points and choice.method_id in known and complete(choice, [choice.method_id]):
        hand = following.hand_of(
            choice,
            points,
            nearest_point(points, choice.lam) if now is None else now.point,
            best=told_best(points, view.measure),
            readings=lambda frame: following.readings(choice, frame),
        )
    picture = TradeoffPicture(
        [choice.fold_path(points) for method, points in known.items() if points and method != DENSE],
        measure=view.measure,
        part=view.part,
        dense=dense,
        limit=limit,
        against=view.across.horizontal,
        log_across=view.across.log,
        costs=tuple(costs) if costs and np.ptp(costs) > 0.0 else (),
        where=choice.where,
        hint="● the chosen C, drag its line · click a point to use its model",
        current=next(iter(tradeoff_points(shown, choice.judge.usable_features)), None),  # none if it is empty
        complete=ready,
    )
    found = show_chosen(
        picture,
        choice,
        hand=hand,
        page_of=choice,
        on_click=_take_clicked,
        on_release=lambda: take_released("tradeoff"),
        main=True,
    )
    assert found is not None, "what it needs is known"
    name = choice.fold.train.feature_names[found.alone.selected[0]]
    dense_words = "" if found.whole is None else f"ℓ2 at C = {short(found.whole.c)}, picked on the same part, and "
    st.caption(
        f"Lines: the model that {PART_TITLES[found.picks]} picks with at most so many features; they may fall on other "
        "parts. ★ the pick within the limit; grey band: no pick in it is clearly different from ★; ○ the chosen model. "
        f"Grey lines: {dense_words}the feature that ranks the training part best alone, "
        f"{in_markdown(name)}. Click a point, or drag the line along the curve of the chosen method, to use its model "
        f"on every page. {describe_convention(choice.convention, choice.nouns)}"
    )


def _take_clicked() -> None:
    point, choice = clicked("tradeoff"), frame.last_choice()
    if point and choice is not None:
        method, c, *k = point
        if k:
            use_model(c=c, method_id=method, parameters={"k": float(k[0])})
        elif c is not None:
            _open(choice, method, c)


def _open(choice: Choice, method: str, c: float, fit: bool = False) -> None:
    """Make a model that of every page; for callbacks. Its parameters are those its path was worked out with."""
    use_model(c=c, method_id=method, parameters=settings_of(choice, method))
    if fit:
        st.session_state[keys.AUTOSTART] = True


def _chosen(choice: Loaded, found: Budget, view: View, *, ready: bool) -> None:
    """The model within the limit in a sentence, its features, and the way to the other pages."""
    chosen = found.chosen
    so_far = "" if ready else "Of the models so far: "
    differ = partial(_difference, choice, view.measure)
    st.markdown(so_far + words.budget_words(found, view.part, view.measure, TITLES, differ))
    if ready:
        for model in dict.fromkeys((chosen, found.best)):
            end = path_end({model.method: known_points(choice, model.method)}, model)
            if sentence := words.path_end_words(end, f"{TITLES[model.method]} with {features(model.kept)}"):
                st.markdown(f":material/warning: {sentence}")
    names = choice.fold.train.feature_names
    st.markdown("Its features, largest weight first: " + " · ".join(in_markdown(names[j]) for j in chosen.selected))
    with st.container(horizontal=True):
        st.button(
            "Use this model",
            key="tradeoff_use",
            icon=":material/star:",
            on_click=_open,
            args=(choice, chosen.method, chosen.c),
            help="Use the starred model, the best within the limit, on every page.",
        )
        go = button(
            "Open it in Fit",
            key="tradeoff_fit",
            icon=":material/show_chart:",
            on_click=_open,
            args=(choice, chosen.method, chosen.c, True),
            help="Sets the penalty and C, and shows the fit live.",
        )
    if go:
        st.switch_page("pages/fit.py", query_params=ratio_query())
