"""The Path page: coefficient paths of several penalties, the measures beneath them, and C chosen on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_frames import fitted_frame as now_frame
from core.analysis.path_views import most_important, nearest_point
from core.api.tables import paths_table
from core.experiments.results.difference import Difference
from core.export.scripts.solving import paths_script
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.look.feature_styles import MOST_COLOURED
from core.figures.path.axes import Across
from core.figures.path.path import PathPanel, Reference, path_figure
from core.figures.path.path_drag import path_drag
from core.methods import get_method
from core.methods.families import model_title
from core.methods.refit import REFIT
from core.metrics import describe_convention
from core.names.plain import in_markdown
from pages.shared import following, frame, headline, keys, panels, scripts
from pages.shared.choice import access, address
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.measures import measure_control, measures_of
from pages.shared.choice.menu import IDS, in_menu_order, menu_title
from pages.shared.differences import difference
from pages.shared.live_chart import live_chart
from pages.shared.single_feature import best_single
from pages.shared.take_c import take_c, take_clicked, take_released
from pages.shared.wording import telling_part
from pages.shared.work.paths import complete, known_points, path_key, paths, settings_of, told_best
from pages.views.path import words

_BESIDE = "beside"
VIEWS: dict[str, Across] = {"λ": "lambda", "features": "features"}
MOST_BESIDES = 3


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        return
    head = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    stage = st.container()
    with tools:
        methods, measure, view = _controls(choice)
    known = paths(choice, methods)
    begun = [method for method in methods if known[method]]
    ready = choice.method_id in begun and complete(choice, begun)
    if ready:  # the last models may have come since
        known = {method: known_points(choice, method) for method in begun}
    drawn = [_panel(choice, method, known[method], measure, ready=ready) for method in begun]
    with head:
        _headline(choice, drawn, measure, ready=ready)
    if not drawn:
        return
    with tools:
        _best_button(next((p.best for p in drawn if p.points[0].fit.method == choice.method_id), None))
    with stage:
        _picture(choice, drawn, measure, view, ready=ready)
    if ready and (told := _compared(choice, drawn, measure)):
        st.markdown(in_markdown(told))
    st.caption(describe_convention(choice.convention, choice.nouns))


def _controls(choice: Loaded) -> tuple[list[str], str, Across]:
    measure = measure_control(
        choice,
        "Measure",
        key="path_by",
        help="Drawn beneath the weights on every part; its best validation value is the dashed line.",
        compact=True,
    )
    over = st.segmented_control(
        "Across",
        list(VIEWS),
        default="λ",
        required=True,
        key="path_over",
        bind="query-params",
        label_visibility="collapsed",
        help="λ/λ_max, decreasing, or the number of features, with one model for each number: the least shrunk.",
    )
    besides = _choose_besides(choice)
    return in_menu_order([choice.method_id, *besides]), measure, VIEWS[over or "λ"]


def _choose_besides(choice: Choice) -> list[str]:
    """Methods drawn besides the chosen one; in the address by their ids."""
    if _BESIDE not in st.session_state:
        wanted = st.query_params.get(_BESIDE, "l1").split(",")
        st.session_state[_BESIDE] = [m for m in wanted if m in IDS]
    # The chosen one may be among them, and is drawn anyway.
    most = MOST_BESIDES + (choice.method_id in st.session_state[_BESIDE])
    st.session_state[_BESIDE] = st.session_state[_BESIDE][:most]
    with st.popover(_beside_words(choice), key="beside_more"):
        besides = st.multiselect(
            "Compare with",
            IDS,
            format_func=menu_title,
            key=_BESIDE,
            max_selections=most,
            persist_state="session",
            help="Up to three more methods, on linked axes and in the same colours.",
        )
    address.write(_BESIDE, ",".join(besides))
    return besides


def _beside_words(choice: Choice) -> str:
    names = [menu_title(method_id) for method_id in st.session_state[_BESIDE] if method_id != choice.method_id]
    return f"Compare with: {', '.join(names)}" if names else "Compare with: nothing"


def _best_button(best: PathPoint | None) -> None:
    """The chosen method's C that is best on the validation part, for every page."""
    st.button(
        "Best on validation", key="take_best", icon=":material/target:", on_click=take_c,
        args=(best.fit.c if best else 0.0,), disabled=best is None, help="Use the C of the dashed line",
    )  # fmt: skip


def _panel(choice: Loaded, method_id: str, points: Sequence[PathPoint], measure: str, *, ready: bool) -> PathPanel:
    """The path of a method; what is best on it is known once it is complete."""
    settings = settings_of(choice, method_id)
    shown = [p for p in get_method(method_id).parameters if settings[p.name] and p is not REFIT and p.matters(settings)]
    words = [f"{p.symbol} = {p.text(settings[p.name])}" for p in shown]
    return PathPanel(
        title=", ".join([model_title(get_method(method_id), settings), *words]),
        points=points,
        best=told_best(tuple(points), measure) if ready else None,
        chosen=_model_at_c(choice, method_id, points),
    )


def _model_at_c(choice: Loaded, method_id: str, points: Sequence[PathPoint]) -> PathPoint:
    """A method's model at the chosen C: its own fit where that is quick, else the nearest one of the path.

    Where its loss is another, the same C would mean something else: there it is the same share of lambda_max.
    """
    if method_id != choice.method_id:
        settings = tuple(settings_of(choice, method_id).items())
        solver = get_method(method_id).solver().id
        ratio = choice.lam / choice.training.lam_max
        choice = access.load(replace(choice.alone, method_id=method_id, solver_id=solver, parameters=settings))
        choice = replace(choice, lam=ratio * choice.training.lam_max)
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
    part = telling_part(chosen[0])
    following.following_header(following.model_words(choice, now_frame(chosen[0]), part, measure))


def _compared(choice: Loaded, drawn: Sequence[PathPanel], measure: str) -> str:
    """The penalties beside each other, at the chosen C and each at its best one."""
    ordered = sorted(drawn, key=lambda panel: panel.points[0].fit.method != choice.method_id)
    usable = int(choice.judge.usable_features.sum())
    bests = [panel.best for panel in ordered if panel.best is not None]
    chosen = [panel.chosen for panel in ordered if panel.chosen is not None]
    part = telling_part(ordered[0].points[0])

    def differ(first: PathPoint, other: PathPoint) -> Difference:
        return difference(choice, first.fit.weights, other.fit.weights, part, measure)

    told = [f"At the chosen C: {words.comparison(chosen, measure, usable, differ)}."] if len(chosen) > 1 else []
    if bests:
        best = words.comparison(bests, measure, usable, differ)
        told.append(f"At the C that is best on the validation part (dashed): {best}.")
    return " ".join(told)


def _picture(choice: Loaded, drawn: Sequence[PathPanel], measure: str, view: Across, *, ready: bool) -> None:
    """The paths, and where they are complete the handle for C."""
    hands = _hands(choice, drawn, measure) if ready else []
    ratio, reference = choice.lam / choice.training.lam_max, _reference(choice, measure)
    subtitle = (
        f"{choice.where} · solid: the chosen C · "
        + ("dashed: best on validation · " if any(panel.best for panel in drawn) else "")
        + ("drag the line, or click a point, to use its C" if ready else "click a point to use its C")
    )
    models = tuple((panel.title, panel.best, panel.chosen and panel.chosen.fit, *panel.points) for panel in drawn)
    frames = tuple(tuple(hand.frames) for hand in hands)
    of = (choice.key, models, frames, measure, view, ready, ratio, reference, subtitle, choice.convention)

    def coloured() -> list[int]:
        return most_important([panel.points for panel in drawn], MOST_COLOURED)

    def figure() -> go.Figure:
        return path_figure(
            drawn,
            coloured(),
            measure,
            view=view,
            chosen_ratio=ratio,
            reference=reference,
            revision=f"{measure} {[key for key, _ in _drawn_key(choice, drawn)]}",
            title=words.best_words(drawn, measure) if ready else words.UNFINISHED,
            subtitle=subtitle,
            convention=choice.convention,
        )

    live_chart(
        figure,
        "path",
        alt=f"Regularization paths of {', '.join(panel.title for panel in drawn)}, and {measure} beneath them.",
        of=of,
        table=lambda: paths_table([panel.points for panel in drawn], measures_of(choice)),
        script=lambda: _script(choice, drawn, measure, view),
        on_click=lambda: take_clicked("path"),
        drag=(lambda: _drag(choice, drawn, hands, coloured(), measure, view)) if ready else None,
        on_release=lambda: take_released("path"),
        main=True,
    )


def _hands(choice: Loaded, drawn: Sequence[PathPanel], measure: str) -> list[Hand]:
    """The path of every panel, and what the page says of the model under the handle."""
    part = telling_part(drawn[0].points[0])

    def readings(shown: Frame) -> dict[str, str]:
        return following.readings(choice, shown, following.model_words(choice, shown, part, measure))

    return [
        following.hand_of(choice, panel.points, panel.chosen, best=panel.best, readings=readings)
        for panel in drawn
        if panel.chosen
    ]


def _drag(
    choice: Loaded,
    drawn: Sequence[PathPanel],
    hands: Sequence[Hand],
    coloured: Sequence[int],
    measure: str,
    view: Across,
) -> Drag:
    """What moves in the picture; the handle moves through the chosen method's path."""
    methods = [panel.points[0].fit.method for panel in drawn]
    lead = methods.index(choice.method_id)
    return path_drag(
        hands,
        coloured,
        measure,
        view,
        repr(_drawn_key(choice, drawn)),
        lead=lead,
        names=drawn[lead].points[0].fit.feature_names,
    )


def _reference(choice: Loaded, measure: str) -> Reference:
    single = best_single(choice, measure)
    part = next(part for part in ("test", "vali", "train") if part in single.values)
    order = ", ascending" if single.reverse else ""
    return Reference(f"best single feature: {single.name}{order}", single.values[part])


def _drawn_key(choice: Loaded, drawn: Sequence[PathPanel]) -> tuple[tuple[str, int], ...]:
    """The same where the same paths are drawn, at whatever C."""
    return tuple((path_key(choice, panel.points[0].fit.method), len(panel.points)) for panel in drawn)


def _script(choice: Loaded, drawn: Sequence[PathPanel], measure: str, view: Across) -> str:
    return paths_script(
        scripts.chosen_data(choice),
        [scripts.method_of(choice, panel.points[0].fit.method) for panel in drawn],
        measure=measure,
        measures=measures_of(choice),
        across=view,
        ratio=choice.lam / choice.training.lam_max,
    )
