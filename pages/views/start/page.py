"""The Lab: path, trade-off, features and convergence of one choice on one screen, moved by one handle for C."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.path import PathPoint
from core.analysis.path_frames import fitted_frame
from core.analysis.path_views import most_important, nearest_point
from core.content import Series
from core.data.sample import SampledFold
from core.export.saved.page import at_c, models_section, telling
from core.export.saved.views import lab_parts
from core.export.scripts.writing import lab_script
from core.figures.lab.lab_drag import LabDrags
from core.figures.look.colours import MOST_COLOURED
from core.names.plain import in_markdown
from pages.shared import frame, panels
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS, measures_of, menu_title
from pages.shared.choice.own_data import WHAT_IS_READ
from pages.shared.controls import download
from pages.shared.differences import best_single
from pages.shared.following import best_button, following_header, hand_of
from pages.shared.lazy import lazy_popover
from pages.shared.lesson.place import link_html
from pages.shared.live_chart import SCRIPT_HEIGHT, main_picture
from pages.shared.panels import join_line
from pages.shared.show import HELP, chosen_data, method_of, model_of, save_site_button, saved_command, saved_of
from pages.shared.wording import features, telling_part
from pages.shared.work.first_look import first_paths, model_on, on_sample, sample_words
from pages.shared.work.jobs import wait_a_moment
from pages.shared.work.paths import complete, path_job, told_best
from pages.shared.work.stepwise import at_once, made
from pages.views.start.views import ANSWER, LabView, curve_beside, fit_from_zero, four_views

PURPOSE = (
    "A ranking model scores documents by a weighted sum of features, and every feature costs time to compute: which "
    "few of them are enough?"
)
STEPS = (
    "**Path.** C says how much the data counts against the penalty. As C grows, one feature after another leaves "
    "zero. Drag the line, or press ▶: all four views follow. Grey lines are features without a name here; thin lines "
    "are those of the other method. Click the star to use the C that is best on validation.",
    "**Trade-off.** A line goes through the models that validation picks within so many features. The test part "
    "judges them, so a line falls where the two differ. The dot is the model under the line, which need not be a pick. "
    "Click a point to use its method and C.",
    "**Features.** How well each feature ranks the training part alone. Filled: what the model keeps. Often these are "
    "not the best ones alone, because those say the same thing twice. Point at a feature: its path lights up.",
    "**Convergence.** How the fit of the chosen model reached its certificate, which bounds how far from its optimum "
    "it may be. Choose other data, another method or solver, and watch the fit.",
)
STORIES = (
    (
        "Why log is sparser than ℓ1",
        "ℓ1 pulls every weight towards 0 with the same force, so it needs more features to make up for that. log "
        "hardly shrinks large weights, so it needs fewer features for the same NDCG@10.",
        "path?dataset=python-docs&method=log&ratio=0.002512",
    ),
    (
        "C too large, C too small",
        "If C is too small, the model is empty. If C is too large, it keeps every feature and ranks worse on the "
        "validation part. The best C lies in between.",
        "path?dataset=planted&method=l1&ratio=0.0631",
    ),
    (
        "Redundant features",
        "Eight features matter, and each has near copies. Which of them does a penalty keep?",
        "features?dataset=planted&method=l1&ratio=0.1",
    ),
)
"""Prepared views: a title, what to look for, and the address that shows it."""


def introduction(downloads: Callable[[], None] | None = None) -> None:
    """What one sees behind one button, all else behind another: first what can be saved of the views."""
    lazy_popover("What am I looking at?", _tour, key="lab_tour", icon=":material/lightbulb:")
    lazy_popover(
        "More",
        lambda: _more(downloads),
        key="lab_more",
        help="The views as a page without a network, their Python script, and how to bring your own data",
    )


def _tour() -> None:
    st.markdown(PURPOSE)
    st.html(f"New here? {link_html('Take a lesson', 'lessons')}: it asks what you expect before it shows it.")
    st.markdown("\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, start=1)))
    st.markdown(
        "Data, fold, method and C are chosen on the left; a fold is one division of the dataset into training, "
        "validation and test part. Each page of the menu shows the same choice."
    )
    st.markdown("Three stories begin with a choice made for you:")
    st.html("".join(f"<p>{link_html(title, address)}: {sentence}</p>" for title, sentence, address in STORIES))


def _more(downloads: Callable[[], None] | None) -> None:
    if downloads is not None:
        downloads()
    st.markdown(
        f"Press **Your own data** on the left.  \n{WHAT_IS_READ}\n\n"
        "Whole datasets with folds go into a folder named by the environment variable `SPARSE_RANK_DATA`, as "
        "`NAME/Fold1/train.txt`, `vali.txt`, `test.txt` and so on. "
        "[Everything that is read](docs?document=reference/file_formats)"
    )


PATIENCE = 1.5  # seconds that the page waits for paths, to draw them once and whole
AT_ONCE = 1_000_000  # entries of a part whose features are judged while the page is drawn
NOTHING = "nothing"
_BESIDE = "lab_beside"


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        with st.container(horizontal=True, key="lab_tools"):
            introduction()
        return
    head = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key="lab_tools")
    picture, foot = main_picture(), st.container()
    with tools:
        offered = [NOTHING, *(method_id for method_id in IDS if method_id != choice.method_id)]
        beside = address.from_list(
            "Compare with",
            offered,
            format_func=lambda method_id: f"Compare with: {menu_title(method_id) if method_id in IDS else method_id}",
            key=_BESIDE,
            persist_state="session",
            width=230,
            help="Another method in all four views, with its default parameters: thin lines, rings and a dashed curve.",
        )
        best_slot, more_slot = (st.container(width="content", horizontal=k > 0) for k in range(2))
    methods = [choice.method_id, *([beside] if beside != NOTHING else [])]
    with foot:
        whole, choice = choice, on_sample(choice, methods)
        alone = SingleFeatureScores(choice.fold.train, choice.convention)
        scores = at_once(alone) if choice.fold.train.features.size <= AT_ONCE else made(alone)
        for job in [path_job(choice, method_id) for method_id in methods]:
            wait_a_moment(job, PATIENCE)
        known = first_paths(choice, whole, methods)
    points = known[choice.method_id]
    if not points:
        head.header(f"{choice.title} on {in_markdown(choice.where)}", anchor=False, help=PURPOSE)
        with more_slot:
            introduction()
        with picture:
            st.caption("Computing the first models …")
        return
    view = _view(choice, known)
    with head:
        _headline(view)
        if sampled := sample_words(choice, view.best, view.measure):
            st.caption(f"Best on {in_markdown(sampled)}")
        join_line(choice.source)
    with best_slot:
        size = "" if view.best is None else f": {features(view.best.fit.result.nonzero)}"
        used = view.is_best(view.now.fit.c)
        best_button(view.best, "lab_best", "Use the C of the star", f"Best on validation{size}", used=used)
    with more_slot:
        introduction(lambda: _downloads(view, methods, scores))
    with picture:
        four_views(view, scores)


def _view(choice: Loaded, known: Mapping[str, Series[PathPoint]]) -> LabView:
    points = known[choice.method_id]
    shown = model_on(choice)
    now = nearest_point(points, choice.lam) if shown is None else shown.point
    part, measure = telling_part(now.metrics), measures_of(choice)[0]
    beside = next((each for method_id, each in known.items() if method_id != choice.method_id), Series[PathPoint]())
    coloured = most_important([points], MOST_COLOURED)
    best = told_best(points, measure) if complete(choice, [choice.method_id]) else None
    other = hand_of(choice, beside, nearest_point(beside, choice.ratio * beside[0].fit.lam_max)) if beside else None
    drags = LabDrags(hand_of(choice, points, now, best=best), coloured, part, measure, now.fit.feature_names, other)
    return LabView(choice, points, now, best, part, measure, drags, beside)


def _headline(view: LabView) -> None:
    """What the model under the line keeps and reaches; its numbers change as the reader drags C.

    An incomplete path may lack the model at the chosen C.
    """
    choice = view.choice
    if not complete(choice, [choice.method_id]):
        words = f"{choice.title} on {choice.where}: the path is not complete yet"
        st.header(in_markdown(words), anchor=False, help=_explained(view))
        return
    shown = fitted_frame(view.now)
    following_header(view.words(shown), _explained(view))
    st.html(f'<p class="lab-answer" data-reading="{ANSWER}">{html.escape(view.answer(shown))}</p>')


def _explained(view: LabView) -> str:
    single = best_single(view.choice, view.measure)
    order = ", its smallest values first" if single.reverse else ""
    return f"{PURPOSE} The best single feature ranks the training part best by itself{order}."


def _downloads(view: LabView, methods: Sequence[str], scores: Sequence[SingleFeatureScore] | None) -> None:
    choice = view.choice
    if scores is not None and view.drags.hand.frames:
        download("Save as a page", lambda: saved_lab(view, scores), "lab.html", key="html_lab", help=HELP)
        drawn = {points[0].fit.method: points for points in (view.points, view.beside) if points}
        if complete(choice, drawn) and not isinstance(choice.fold, SampledFold):
            save_site_button(choice, drawn)
    script = lab_script(
        chosen_data(choice),
        [method_of(choice, method_id) for method_id in methods],
        model_of(choice, view.now.fit),
        measure=view.measure,
        part=view.part,
        ratio=choice.ratio,
    )
    download("Python script", script, "lab.py", key="script_lab")
    st.code(script, language="python", height=SCRIPT_HEIGHT)


def saved_lab(view: LabView, scores: Sequence[SingleFeatureScore]) -> str:
    """Return the text of the page."""
    choice, measures = view.choice, measures_of(view.choice)
    hand = telling(view.drags.hand, measures)
    pictures = replace(view.pictures, drags=replace(view.drags, hand=hand))
    parts = lab_parts(pictures, scores, fit_from_zero(view).result, curve_beside(view))
    others = [view.beside[0].fit.method] if view.beside else []
    return saved_of(
        choice,
        parts,
        hand,
        summary=f"{at_c(hand)}: {view.words(hand.now)}.",
        beneath=(models_section(view.points, measures), saved_command(choice, "lab", others)),
    )
