"""The picture of the Trade-off page: quality against the number of features, on one fold."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import streamlit as st

from core.analysis.best_subset.points import rows_of_table
from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FoldJudge
from core.analysis.path_views import nearest_point
from core.analysis.tradeoff.near_best import near_best
from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import MEASURES, Budget, TradeoffPoint, best_single_features, tradeoff_points
from core.analysis.tuning.tuning import best_on_validation
from core.api.tables import tradeoff_table
from core.export.scripts.tradeoff import tradeoff_script
from core.figures.drag.hand import Hand
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff import words
from core.figures.tradeoff.axes import COST, reference_labels
from core.figures.tradeoff.tradeoff import View, tradeoff_figure
from core.figures.tradeoff.tradeoff_drag import tradeoff_drag
from core.metrics import describe_convention
from core.names.plain import in_markdown
from pages.shared import following, headline, scripts
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.take_c import take_released
from pages.shared.work.paths import complete, known_points
from pages.views.tradeoff.certified import Certified
from pages.views.tradeoff.controls import TITLES

Curves = Mapping[str, Sequence[TradeoffPoint]]


@cached(says="Measuring every feature alone …")
def _single(judge: FoldJudge) -> tuple[TradeoffPoint, ...]:
    return best_single_features(judge)


def tradeoff_picture(
    choice: Loaded,
    curves: Curves,
    dense: Sequence[TradeoffPoint],
    view: View,
    found: Budget | None,
    limit: int,
    best: Certified | None,
    on_click: Callable[[], None],
    *,
    ready: bool,
) -> None:
    """Draw the curves of one fold and the best subsets so far; nothing is compared before it is ready.

    Parameters
    ----------
    curves : mapping
        Points by method.
    dense : sequence of TradeoffPoint
        The path of all features.
    found : Budget or None
        The best model within the limit.
    best : Certified or None
    on_click : callable
        What a click on a point calls.
    """
    single = _single(choice.judge)
    best_alone, whole = single[MEASURES.index(view.measure)], dense_reference(dense, view.measure) if ready else None
    picks = choosing_part(choice.fold.parts())
    labels = reference_labels(picks)
    drawn = zip(labels, (whole, best_alone), strict=True)
    references = {label: point for label, point in drawn if point is not None}
    names = choice.fold.train.feature_names
    near = near_best(curves, view.part, view.measure) if ready else None
    title, what = words.UNFINISHED, "the models so far"
    if near is not None:
        title = words.comparison_title(near, view.part, view.measure, TITLES)
        what = words.best_words(near, view.part, view.measure, TITLES)
    best_subsets = best.points(choice) if best is not None else []
    current, within, hand = _current(choice), found.chosen if found is not None else None, _hand(choice, curves, view)
    models = tuple((method, *points) for method, points in curves.items())
    of = (
        choice.key, choice.where, title, what, view, limit, within, current, tuple(best_subsets),
        tuple(references.items()), models, None if hand is None else (hand.now, hand.best, *hand.frames),
    )  # fmt: skip
    live_chart(
        lambda: tradeoff_figure(
            curves,
            view,
            TITLES,
            references=references,
            limit=limit,
            within=within,
            current=current,
            certified=best_subsets,
            title=title,
            subtitle=f"{choice.where} · {what} · click a point to use its model, or drag the line",
        ),
        "tradeoff",
        alt=f"{title}. {view.up} against {view.across.horizontal}.",
        of=of,
        table=lambda: tradeoff_table(curves, view.measure, names, references | rows_of_table(best_subsets)),
        script=lambda: _script(choice, curves, dense, view, limit, best if best_subsets else None),
        on_click=on_click,
        drag=None if hand is None else lambda: tradeoff_drag(hand, view),
        on_release=lambda: take_released("tradeoff"),
        main=True,
    )
    name = names[best_alone.selected[0]]
    dense_words = "" if whole is None else f"ℓ2 at C = {short(whole.c)}, picked on the same part, and "
    st.caption(
        "Faint: every model of a path, one point a C. Bold: the best with at most so many features, chosen on "
        f"{PART_TITLES[picks]}. Grey: the Pareto front, the best of all methods. ★ the best within the limit; ○ the "
        f"chosen model. Dashed: {dense_words}the feature that ranks the training part best alone, "
        f"{in_markdown(name)}. Click a point, or drag the line along the curve of the chosen method, to use its model "
        f"on every page. {describe_convention(choice.convention, choice.nouns)}"
    )


def _hand(choice: Loaded, drawn: Container[str], view: View) -> Hand | None:
    """The path of the chosen method; None where it is not among those drawn, or not complete."""
    points = known_points(choice, choice.method_id)
    if not points or choice.method_id not in drawn or not complete(choice, [choice.method_id]):
        return None
    shown = headline.shown(choice)
    now = nearest_point(points, choice.lam) if shown is None else shown.point
    return following.hand_of(
        choice,
        points,
        now,
        best=best_on_validation(points, view.measure) if "vali" in now.metrics else None,
        readings=lambda frame: following.readings(choice, frame),
    )


def _script(
    choice: Loaded, curves: Curves, dense: Sequence[TradeoffPoint], view: View, limit: int, best: Certified | None
) -> str:
    return tradeoff_script(
        scripts.chosen_data(choice),
        [scripts.method_of(choice, method) for method, points in curves.items() if points],
        scripts.method_of(choice, DENSE) if dense else None,
        measure=view.measure,
        part=view.part,
        limit=limit,
        against=view.across.horizontal,
        log_across=view.across.log,
        costs=view.across.costs if view.across.horizontal == COST else (),
        best_subsets=None if best is None else (best.ridge.ratio, best.rows[-1].k),
    )


def _current(choice: Loaded) -> TradeoffPoint | None:
    """The model of the sidebar's choice; None while there is none, or where it is empty."""
    now = headline.shown(choice)
    if now is None:
        return None
    return next(iter(tradeoff_points([now.point], choice.judge.usable_features)), None)
