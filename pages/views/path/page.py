"""The Path page: coefficient paths of several penalties, the measures beneath them, and C chosen on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_frames import fitted_frame as now_frame
from core.analysis.path_views import nearest_point
from core.experiments.results.difference import ONE_LIST, Difference
from core.figures.path.path import PathPanel, listed, point_title
from core.figures.path.picture import Paths, PathsPicture
from core.metrics import describe_convention
from core.names.plain import in_markdown
from pages.shared import following, headline, keys
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS, compare_with, in_menu_order, measure_control, measures_of
from pages.shared.differences import difference
from pages.shared.following import best_button, take_clicked, take_released
from pages.shared.show import numbers, option_controls, show_chosen
from pages.shared.wording import PART_WORDS, telling_part
from pages.shared.work.first_look import first_paths, is_sample, model_on, on_sample, sample_words, zoom_key
from pages.shared.work.paths import complete, known_points, settings_of, told_best


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    head = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    stage = st.container()
    with tools:
        measure = measure_control(
            choice,
            "Measure",
            key="path_by",
            help="Drawn beneath the weights on every part; validation, and the place where it is best, are dashed. "
            f"Each part has {choice.nouns.samples} of its own: where test lies above validation, its "
            f"{choice.nouns.samples} are easier.",
        )
        options = option_controls(PathsPicture)
        said = "Up to three more methods, on linked axes and in the same colours."
        besides = compare_with(choice.method_id, IDS, key="beside", begins="l1", most=3, help=said)
        methods = in_menu_order([choice.method_id, *besides])
    whole, choice = choice, on_sample(choice, methods)
    known = first_paths(choice, whole, methods)
    begun = [method for method in methods if known[method]]
    ready = choice.method_id in begun and complete(choice, begun)
    if ready:  # the last models may have come since
        known = {method: known_points(choice, method) for method in begun}
    if not begun:
        with head:
            st.header(f"{choice.title} on {in_markdown(choice.where)}", anchor=False)
        return
    chosen = [_model_at_c(choice, method, known[method]) for method in begun]
    drawn = [choice.fold_path(known[method]) for method in begun]
    lead = begun.index(choice.method_id) if choice.method_id in begun else 0
    picture = PathsPicture(
        drawn,
        measure=measure,
        measures=measures_of(choice),
        ratio=choice.ratio,
        where=choice.where,
        hint="drag the line, or click a point, to use its C" if ready else "click a point to use its C",
        chosen=chosen,
        complete=ready,
        lead=lead,
        sampled=sample_words(choice, told_best(known[begun[lead]], measure), measure),
        same=repr([(zoom_key(choice, path.method), len(path.points)) for path in drawn]),
        **options,
    )
    found = numbers(picture)
    assert found is not None, "it needs nothing else"
    panels_drawn = picture.panels(found)
    with head:
        _headline(choice, panels_drawn, measure, ready=ready)
    with tools:
        best = next((p.best for p in panels_drawn if p.points[0].fit.method == choice.method_id), None)
        best_button(best, "take_best", "Use the C of the dashed line")
    with stage:
        _picture(choice, picture, found, panels_drawn, ready=ready)
    if ready and (told := _compared(choice, panels_drawn, measure)):
        st.markdown(in_markdown(told))
    st.caption(describe_convention(choice.convention, choice.nouns))


def _model_at_c(choice: Loaded, method_id: str, points: Sequence[PathPoint]) -> PathPoint:
    """A method's model at the chosen C: its own fit where that is quick, else the nearest one of the path.

    Where its loss is another, the same C would mean something else: there it is the same share of lambda_max.
    """
    if method_id == choice.method_id:
        shown = model_on(choice)
    else:
        choice = access.with_method(choice, method_id, tuple(settings_of(choice, method_id).items()))
        shown = headline.shown(choice)
    return nearest_point(points, choice.lam) if shown is None else shown.point


def _headline(choice: Loaded, drawn: Sequence[PathPanel], measure: str, *, ready: bool) -> None:
    """What the model under the line keeps and reaches.

    Models at the chosen C may be the nearest ones of paths that are not complete: of those it says nothing.
    """
    chosen = [panel.chosen for panel in drawn if panel.chosen and panel.chosen.fit.method == choice.method_id]
    if not chosen or not ready:
        st.header(f"{choice.title} on {in_markdown(choice.where)}", anchor=False)
        return
    part = telling_part(chosen[0].metrics)
    following.following_header(following.model_words(choice, now_frame(chosen[0]), part, measure))


def _compared(choice: Loaded, drawn: Sequence[PathPanel], measure: str) -> str:
    ordered = sorted(drawn, key=lambda panel: panel.points[0].fit.method != choice.method_id)
    n_features = choice.fold.train.n_features
    bests = [panel.best for panel in ordered if panel.best is not None]
    chosen = [panel.chosen for panel in ordered if panel.chosen is not None]
    part = telling_part(ordered[0].points[0].metrics)

    def differ(first: PathPoint, other: PathPoint) -> Difference:
        return difference(choice, first.fit.weights, other.fit.weights, part, measure)

    told = [f"At the chosen C: {_comparison(chosen, measure, n_features, differ)}."] if len(chosen) > 1 else []
    if bests:
        best = _comparison(bests, measure, n_features, differ)
        told.append(f"At the C that is best on the validation part (dashed): {best}.")
    return " ".join(told)


def _picture(choice: Loaded, paths: PathsPicture, found: Paths, drawn: Sequence[PathPanel], *, ready: bool) -> None:
    part, lead = telling_part(drawn[0].points[0].metrics), paths.lead

    def readings(shown: Frame) -> dict[str, str]:
        return following.readings(choice, shown, following.model_words(choice, shown, part, paths.measure))

    hands = [
        following.hand_of(choice, panel.points, panel.chosen, best=panel.best, readings=readings)
        for panel in drawn
        if ready and panel.chosen
    ]
    show_chosen(
        paths,
        choice,
        found=found,
        hand=hands[lead] if hands else None,
        page_of=choice,
        beside=[*hands[:lead], *hands[lead + 1 :]],
        on_click=lambda: take_clicked("path"),
        on_release=lambda: take_released("path"),
        scripted=not is_sample(choice),
        main=True,
    )


def _comparison(
    models: Sequence[PathPoint], measure: str, n_features: int, differ: Callable[[PathPoint, PathPoint], Difference]
) -> str:
    """Say what each penalty keeps and reaches, the first one compared with the others where queries tell them apart."""
    first, *others = models
    part = telling_part(first.metrics)
    values = [f"{model.metrics[part][measure]:.4f}" for model in models]
    sizes = [model.fit.result.nonzero for model in models]
    name = f"{PART_WORDS[part]} {measure}"
    if not others:
        return f"{point_title(first)} keeps {sizes[0]} of {n_features} features: {name} {values[0]}"
    if len(set(sizes)) == 1:
        kept = f"{listed([point_title(model) for model in models])} keep {sizes[0]} of {n_features} features each"
    else:
        beside = [
            f"{point_title(model)}{' keeps' * (model is others[0])} {model.fit.result.nonzero}" for model in others
        ]
        kept = f"{point_title(first)} keeps {sizes[0]} of {n_features} features where {listed(beside)}"
    verdicts = {differ(first, other).verdict for other in others}
    against = f"{values[0]} against {listed(values[1:])}"
    if len(verdicts) > 1 or ONE_LIST in verdicts:
        return f"{kept}; {name} {against}"
    (verdict,) = verdicts
    return f"{kept}; {name} {against}: {verdict}"
