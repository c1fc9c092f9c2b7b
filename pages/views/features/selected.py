"""What methods keep, beside what each feature can do alone; one handle moves C, and all of the picture with it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.features.random_ranking import RandomOrder, RandomWeights
from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.fold_models import FoldModel
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_views import most_important
from core.analysis.tuning.tuning import best_on_validation
from core.content import Series
from core.data.nouns import Nouns
from core.export.html_report import Section
from core.export.saved.features import features_parts
from core.export.saved.page import at_c, models_section, telling
from core.export.scripts.description import PathModelDescription
from core.export.scripts.picture import Fitted, picture_script
from core.figures.features.along_c import along_c_figure
from core.figures.features.features_drag import SelectionDrags
from core.figures.features.kept_beside import rowless_words, weights_figure
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.selection import shown_features
from core.figures.features.weights_matrix import agreement_title
from core.metrics.measures import MeasureName
from pages.shared import following, keys, present, scripts
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.choice.part import choose_part
from pages.shared.headline import Shown
from pages.shared.live_chart import clicked, live_chart, main_picture
from pages.shared.rules_editor import switch
from pages.shared.saved import saved_command, saved_of
from pages.shared.show import numbers, show
from pages.shared.take_c import take_released
from pages.shared.wording import telling_part
from pages.shared.work.paths import complete, paths, told_best
from pages.views.features.beside import choose_methods

if TYPE_CHECKING:
    pass

_FEATURES_MOST = "features_most"
MOST_ROWS = 20  # as many as a small screen has room for
PRESENTED_ROWS = 12  # with large letters
AS_MANY, ON_VALIDATION = "as many features", "best on validation"
# What is said of the chosen C pales while the reader drags.
_FOLLOWING = """<style>
[data-testid=stMain]:has(.st-key-picture .following) :is(.heading-selection, .heading-matrix) { opacity: .35 }
.st-key-chart_matrix .following :is(.bartext, .xtick) { opacity: 0.25 }
</style>"""


def _choose_comparison(choice: Loaded) -> tuple[str, str]:
    """Where on their paths the other methods are compared, and the part that is measured; seldom changed."""
    with st.popover(
        "More", key="features_more", help="Which models of other methods, which part, and which rows are drawn"
    ):
        at = st.segmented_control(
            "The others at",
            [AS_MANY, *([ON_VALIDATION] if choice.fold.vali is not None else [])],
            default=AS_MANY,
            required=True,
            key="features_at",
            help="Where on their paths the other methods are compared: the model that keeps as many features as the "
            "chosen one (the nearest on the path), or the one that ranks best on the validation part.",
        )
        part = choose_part(
            choice,
            key="features_part",
            help=f"The part on which {measures_of(choice)[0]} of single features and of whole models is measured.",
        )
        if choice.fold.train.n_features > MOST_ROWS:
            st.toggle(
                f"Draw all {choice.fold.train.n_features} features",
                key=_FEATURES_MOST,
                persist_state="session",
                help=f"Otherwise those that are kept and the best others, {MOST_ROWS} in all; the table has all.",
            )
    return at or AS_MANY, part


def selected(now: Shown, tools: DeltaGenerator) -> None:
    """Draw the section for the chosen method and those beside it."""
    choice = now.choice
    with tools:
        method_ids = choose_methods(choice)
        at, part = _choose_comparison(choice)
    stage = st.container()
    data = choice.fold.parts()[part]
    known = dict(paths(choice, method_ids))
    points = known.pop(choice.method_id)
    measure = measures_of(choice)[0]
    models = [now.model]
    models += [
        _beside(choice, others, now.fit.result.nonzero, at, measure)
        for method_id, others in known.items()
        if others and complete(choice, [method_id])
    ]
    most = (
        data.n_features
        if st.session_state.get(_FEATURES_MOST)
        else PRESENTED_ROWS
        if present.presenting()
        else MOST_ROWS
    )
    picture = FeaturesPicture(
        models, part=part, measure=measure, most=most, where=choice.where, others=at if len(models) > 1 else ""
    )
    found = numbers(picture)
    if found is None:
        return
    important = most_important([points], most) if points else []
    rows = shown_features(found.columns, found.scores, measure, most, important)
    picture = replace(picture, drawn=rows, beside_weights=True)
    with stage:
        st.html(_FOLLOWING)
        with main_picture():
            drags = _draw_strip(now, points, rows, part, (picture.fingerprint, points))
            left, right = st.columns([5, 4])
    _pictures(now, picture, found, drags, at, left, right, points)
    drawn_at_random = _random_words(found.scores, measure, found.order, found.weights, choice.nouns)
    stage.caption(f"{drawn_at_random} Click a feature to see the model without it.")


def _draw_strip(now: Shown, points: Series[PathPoint], rows: Sequence[int], part: str, of: Hashable) -> SelectionDrags:
    """Draw the strip with the handle once the path is complete; return what moves in all three pictures."""
    choice, measure = now.choice, measures_of(now.choice)[0]
    whole = len(points) > 1 and complete(choice, [choice.method_id])
    hand = following.hand_of(
        choice,
        points if whole else [],
        now.point,
        best=told_best(points, measure) if whole else None,
    )
    if not whole:
        return SelectionDrags(hand, rows, part, measure)
    words = rowless_words(hand, rows)

    def readings(shown: Frame) -> dict[str, str]:
        return following.readings(choice, shown, features_words(choice, shown)) | {"rowless": words(shown)}

    drags = SelectionDrags(replace(hand, readings=readings), rows, part, measure)
    # Over the empty corner of the strip: there is no model with many features.
    st.html(
        f'<div style="height:0;font-size:.8rem;opacity:.8"><span data-reading="rowless">{words(hand.now)}</span></div>'
    )
    live_chart(
        lambda: along_c_figure(
            points, measure, title=f"{measure} along the path of {choice.title}", scale=present.scale()
        ),
        "along_c",
        alt=f"{measure} of every part along the path of {choice.title}, on which C can be dragged.",
        of=(of, hand.frames),
        drag=drags.in_strip,
        on_release=lambda: take_released("along_c"),
    )
    return drags


def features_words(choice: Loaded, shown: Frame) -> str:
    """What a model keeps, and which feature weighs most: the title of the page."""
    words = following.kept_words(choice, shown)
    heaviest = int(np.abs(shown.weights).argmax())
    return f"{words}; {choice.fold.train.feature_names[heaviest]} has the largest weight" if shown.most else words


def _pictures(
    now: Shown, picture: FeaturesPicture, found: KeptFeatures, drags: SelectionDrags, at: str,
    left: DeltaGenerator, right: DeltaGenerator, points: Sequence[PathPoint],
) -> None:  # fmt: skip
    choice, columns = now.choice, found.columns
    data = scripts.chosen_data(choice)

    def fits() -> dict[str, list[Fitted]]:
        beside = [
            PathModelDescription(
                scripts.method_of(choice, column.method),
                "" if at == AS_MANY else measures_of(choice)[0],
                now.fit.result.nonzero,
            )
            for column in columns[1:]
        ]
        return {"models": [scripts.model_of(choice, now.fit), *beside]}

    def page() -> str:
        measures = measures_of(choice)
        hand = telling(drags.hand, measures)
        usual = at == AS_MANY and picture.part == telling_part(now.point)
        made = (
            saved_command(choice, "features", [column.method for column in columns[1:]])
            if usual
            else Section("The script that computes them", code=picture_script(picture, data, choice.fold, fits()))
        )
        return saved_of(
            choice,
            features_parts(picture, found, drags.rows, points, hand),
            hand,
            summary=f"{at_c(hand)}: {picture.words(found).title}.",
            beneath=(models_section(points, measures), made),
        )

    with left:
        show(
            picture, data, choice.fold, found=found, fits=fits, hand=drags.hand,
            page=page if drags.hand.frames else None, fill=True, on_click=partial(_without_clicked, "selection"),
        )  # fmt: skip
    with right:
        live_chart(
            lambda: weights_figure(picture, found, drags.reach),
            "matrix",
            alt=agreement_title(columns),
            of=(picture.fingerprint, drags.hand.now, drags.hand.frames),
            table=lambda: picture.rows(found),
            script=lambda: picture_script(picture, data, choice.fold, fits()),
            fill=True,
            on_click=partial(_without_clicked, "matrix"),
            drag=drags.in_weights,
        )


def _without_clicked(chart: str) -> None:
    """Switch the feature that was clicked off, and show what that does."""
    point = clicked(chart)
    if point is not None and point.get("customdata"):
        switch(int(point["customdata"][1]) - 1)
        st.session_state[keys.FEATURES_SECTION] = "what if"


def _beside(choice: Loaded, points: Sequence[PathPoint], n_features: int, at: str, measure: MeasureName) -> FoldModel:
    point = with_as_many_features(points, n_features) if at == AS_MANY else best_on_validation(points, measure)
    return FoldModel(point.fit, choice.fold, point.judgement, choice.convention)


def _random_words(
    scores: Sequence[SingleFeatureScore], measure: MeasureName, order: RandomOrder, weights: RandomWeights, nouns: Nouns
) -> str:
    """Both random lines, and how many features are above each with their largest values first."""
    line, band = weights.of(measure), order.of(measure)
    above = sum(score.value(measure) > line.mean for score in scores)
    return (
        f"With its largest values first, {sum(score.value(measure) > band.high for score in scores)} of {len(scores)} "
        f"features are above the band with 90 % of random orders of the {nouns.rows} (expected: {band.expected:.4f}), "
        f"{above} above the line of random weights of all features ({line.mean:.4f}, the mean of {weights.n_draws} "
        f"random convex weightings, as in Lai et al. 2013, FenchelRank, Fig. 1). Tied {nouns.rows} count in "
        "expectation over their orders."
    )
