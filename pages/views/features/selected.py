"""What methods keep, beside what each feature can do alone; one handle moves C, and all of the picture with it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_views import most_important, with_as_many_features
from core.analysis.tuning.tuning import best_on_validation
from core.content import Series
from core.export.html_report import Section
from core.export.saved.page import at_c, models_section, telling
from core.export.saved.views import features_parts
from core.export.scripts.description import PathModelDescription
from core.export.scripts.picture import Fitted, picture_script
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.selection import (
    BEST,
    ROWS,
    SelectionDrags,
    along_c_figure,
    rowless_words,
    shown_features,
    weights_words,
)
from core.methods import get_method
from core.names.short import short_names
from pages.shared import following, hidden
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS, choose_part, compare_with, measures_of
from pages.shared.choice.rules import switch_clicked
from pages.shared.following import take_released
from pages.shared.headline import Shown
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.show import chosen_data, method_of, model_of, numbers, saved_command, saved_of, show
from pages.shared.wording import size_words
from pages.shared.work.paths import complete, paths, told_best

AS_MANY, ON_VALIDATION = "as many features", "best on validation"
# What is said of the chosen C pales while the reader drags.
_FOLLOWING = """<style>
[data-testid=stMain]:has(.st-key-picture .following) :is(.heading-selection, .heading-matrix) { opacity: .35 }
.st-key-chart_matrix .following :is(.bartext, .xtick) { opacity: 0.25 }
</style>"""


def _choose_comparison(choice: Loaded, *, beside: bool) -> tuple[str, str]:
    """Where on their paths the other methods are compared, and the part that is measured; seldom changed."""
    with st.popover("More", key="features_more", help="The part on which features are measured"):
        at = AS_MANY
        if beside and choice.fold.vali is not None:
            at = address.one_of(
                "The others at",
                [AS_MANY, ON_VALIDATION],
                key="features_at",
                bind=None,
                persist_state="session",
                label_visibility="visible",
                help="Where on their paths the other methods are compared: the model that keeps as many features as "
                "the chosen one (the nearest on the path), or the one that ranks best on the validation part.",
            )
        part = choose_part(
            choice,
            key="features_part",
            first=True,
            help=f"The part on which {measures_of(choice)[0]} of single features and of whole models is measured, and "
            "by which features are ranked. The training part chooses; to rank by the test part is to peek.",
        )
    return at, part


def selected(now: Shown, tools: DeltaGenerator, beneath: Sequence[str]) -> Mapping[str, Series[PathPoint]] | None:
    """Draw the picture for the chosen method and those beside it, and return their paths; None until it stands.

    What a question beneath needs is worked out with them: a page has one line of progress for paths.
    """
    choice = now.choice
    with tools:
        others = [method_id for method_id in IDS if method_id != choice.method_id and get_method(method_id).sparse]
        said = "Other methods, with default parameters. Their paths are computed once."
        picked = compare_with(choice.method_id, others, key="features_with", help=said)
        method_ids = [choice.method_id, *picked]
        many = choice.fold.train.n_features
        every = many <= ROWS or st.toggle(
            f"Show all {many}",
            key="features_all",
            persist_state="session",
            help=f"Otherwise {ROWS}: the {BEST} best alone, those that weigh most, then the next best. The table has "
            "all.",
        )
        at, part = _choose_comparison(choice, beside=len(method_ids) > 1)
    stage = st.container()
    known = paths(choice, [*method_ids, *beneath])
    points = known[choice.method_id]
    measure = measures_of(choice)[0]
    models = [now.model]
    models += [
        choice.fold_model(
            with_as_many_features(known[method_id], now.fit.result.nonzero)
            if at == AS_MANY
            else best_on_validation(known[method_id], measure)
        )
        for method_id in method_ids[1:]
        if known[method_id] and complete(choice, [method_id])
    ]
    most = choice.fold.train.n_features if every else ROWS
    picture = FeaturesPicture(
        models, part=part, measure=measure, most=most, where=choice.where, others=at if len(models) > 1 else ""
    )
    found = numbers(picture)
    if found is None:
        return None
    important = most_important([points], most) if points else []
    rows = shown_features(found.columns, found.scores, measure, most, important)
    picture = replace(picture, drawn=rows, beside_weights=True)
    with stage:
        st.html(_FOLLOWING)
        with main_picture():
            drags = _draw_strip(now, points, rows, part, (picture.fingerprint, points), tools)
            left, right = st.columns([5, 4])
    _pictures(now, picture, found, drags, at, left, right, points)
    stage.caption("Click a feature to see the model without it.")
    return known


def _draw_strip(
    now: Shown, points: Series[PathPoint], rows: Sequence[int], part: str, of: Hashable, tools: DeltaGenerator
) -> SelectionDrags:
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
    tools.html(f'<span style="font-size:.8rem;opacity:.8" data-reading="rowless">{words(hand.now)}</span>')
    live_chart(
        lambda: along_c_figure(
            points, measure, title=f"{measure} along the path of {choice.title}", scale=hidden.scale()
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
    words = size_words(choice.title, shown.size, choice.fold.train.n_features)
    if not shown.most:
        return words
    (heaviest,) = short_names(choice.fold.train.feature_names, [int(np.abs(shown.weights).argmax())])
    return f"{words}; {heaviest} has the largest weight"


def _pictures(
    now: Shown, picture: FeaturesPicture, found: KeptFeatures, drags: SelectionDrags, at: str,
    left: DeltaGenerator, right: DeltaGenerator, points: Sequence[PathPoint],
) -> None:  # fmt: skip
    choice, columns = now.choice, found.columns
    data = chosen_data(choice)

    def fits() -> dict[str, list[Fitted]]:
        beside = [
            PathModelDescription(
                method_of(choice, column.method),
                "" if at == AS_MANY else measures_of(choice)[0],
                now.fit.result.nonzero,
            )
            for column in columns[1:]
        ]
        return {"models": [model_of(choice, now.fit), *beside]}

    def page() -> str:
        measures = measures_of(choice)
        hand = telling(drags.hand, measures)
        usual = at == AS_MANY and picture.part == "train"
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
            page=page if drags.hand.frames else None, fill=True, on_click=partial(switch_clicked, "selection"),
        )  # fmt: skip
    with right:
        live_chart(
            lambda: picture.weights_figure(found, drags.reach),
            "matrix",
            alt=weights_words(columns).title,
            of=(picture.fingerprint, drags.hand.now, drags.hand.frames),
            fill=True,
            on_click=partial(switch_clicked, "matrix"),
            drag=drags.in_weights,
        )
