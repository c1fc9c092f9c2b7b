"""Choosing C, and what its paper chooses with it, on the validation part: progress, curves, one click to take it."""

from __future__ import annotations

import streamlit as st

from core.analysis.choosing import RULES, check_rule
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, measured_by
from core.analysis.path_run import PathRun, Tried, TriedModels
from core.analysis.tuning.grid_end import END_WORDS
from core.analysis.tuning.tuning import values_tried
from core.figures.path.tuning_picture import TuningPicture, settings_words
from core.names.numbers import short
from pages.shared.cache import cached
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.controls import button
from pages.shared.differences import RULES_HELP, RULES_HELP_OF_CLASSES, noise_sentence
from pages.shared.show import method_of, show_chosen
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted

_TUNE_BY = "tune_by"
_TUNE_RULE = "tune_rule"
_TUNE_TRIED = "tune_tried"
_TUNE_WIDEN = "tune_widen"
MEASURES = (
    *("MAP", "NDCG@10", "Top", "RR", "ERR@10", "R@10", "MeanNDCG"),
    *(f"{kind}@{k}" for kind in ("NDCG", "P") for k in (1, 3, 5)),
    "P@10",
)
"""All that the app shows: any of them can choose."""


def tuning_panel(choice: Loaded) -> None:
    """Draw the panel for the sidebar's choice; everything but C counts."""
    if choice.fold.vali is None:
        with st.expander("Which C does validation choose?", key="tuning"):
            st.markdown(
                "This data has no validation part. Use a dataset with train, vali and test to choose C here, or set C "
                "by hand."
            )
        return
    models = _picture(choice).tried
    job: Job[PathRun] | None = job_for(models.key)
    active = job is not None and job.active
    with st.expander("Which C does validation choose?", key="tuning", expanded=job is not None):
        _controls(choice, models, active)
        if job is not None:
            Panel(key="tune", reached=lambda: counted([job], "models"), beneath=lambda: _curve(choice, job)).draw(
                [job], active=active
            )


def _picture(choice: Loaded) -> TuningPicture:
    """The choice of all but C, by the measure and rule of the controls."""
    described = method_of(choice, choice.method_id)
    tried = _tried(choice) if st.session_state.get(_TUNE_TRIED, True) else {}
    given = {name: value for name, value in choice.parameters if name not in tried}  # they stay as the sidebar has them
    how = described.options | {"parameters": given or None}
    return TuningPicture(
        choice.fold,
        choice.method_id,
        measure=st.session_state.get(_TUNE_BY) or "MAP",
        choose=check_rule(st.session_state.get(_TUNE_RULE) or "best"),
        widen=bool(st.session_state.get(_TUNE_WIDEN, False)),
        solver=choice.solver_id,
        tol=None if choice.tol == choice.method.stop.tol else choice.tol,
        convention=choice.convention,
        where=choice.where,
        **how,
    )


def _tried(choice: Loaded) -> dict[str, tuple[float, ...]]:
    """Values that could be tried, by name of the parameter."""
    could = {parameter.name for parameter in choice.method.parameters if parameter.tried}
    given = {name: value for name, value in choice.parameters if name not in could}
    return values_tried(choice.method, given, choice.fold.train.n_features)


def _controls(choice: Loaded, models: TriedModels, active: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        nouns = choice.nouns
        one = nouns.irrelevant if nouns.by_class else f"{nouns.irrelevant} one"
        first = nouns.relevant if nouns.by_class else f"{nouns.relevant} {nouns.row}"
        told = (
            "Laporte et al. choose C by MAP on the validation part, FenchelRank by NDCG@10; Top is the share of "
            f"{nouns.relevant_rows} above every {one}, which the infinite push aims at. RR is 1 over the rank of the "
            f"first {first}, ERR@10 the same for a reader who stops sooner at more {nouns.relevant_rows}, R@10 the "
            f"share of {nouns.relevant_rows} among the first ten. Tied {nouns.rows} count in expectation over their "
            "orders."
        )
        st.selectbox("By", MEASURES, key=_TUNE_BY, bind="query-params", width=130, help=told)
        told = RULES_HELP_OF_CLASSES if choice.nouns.by_class else RULES_HELP
        address.one_of("Rule", RULES, begins="best", key=_TUNE_RULE, label_visibility="visible", help=told)
        if tried := _tried(choice):
            values = "; ".join(f"{name} = {', '.join(f'{value:g}' for value in row)}" for name, row in tried.items())
            st.toggle(
                f"Also choose {' and '.join(tried)}",
                value=True,
                key=_TUNE_TRIED,
                persist_state="session",
                help=f"Chosen on the validation part together with C: every C is tried with {values}. Off: as in the "
                "sidebar.",
            )
        st.toggle(
            "Widen the grid",
            key=_TUNE_WIDEN,
            persist_state="session",
            help="While the choice lies at an end of the grid, a decade of λ is added there, four at most at each end.",
        )
        if button("Try all C", key="tune", disabled=active, help="Fits the whole path, starting from the empty model."):
            ask_for(models.key, models.work, new=True)
            st.rerun()


def _curve(choice: Loaded, job: Job[PathRun]) -> None:
    run = job.run
    if run is None or len(run.points) < 2 or job.state == "failed":
        return
    complete = run.done  # asked before its points are read: the last may come meanwhile
    picture = _picture(choice)
    points = [_measured(point, choice.judge, picture.measure) for point in run.points]
    found = show_chosen(picture, choice, known={"tried": Tried(points, complete)}, scripted=complete)
    assert found is not None, "it needs nothing else"
    if complete:
        if found.end is not None:
            st.markdown(f":material/warning: **{END_WORDS[found.end]}**")
        st.markdown(noise_sentence(found.noise, picture.measure, choice.nouns))
    fit, chosen = found.best.fit, picture.chosen_with_c(found)
    words = "Sets it in the sidebar; it is fitted at once if that is switched on."
    label = f"Use {settings_words(chosen)}C = {short(fit.c)}"
    if button(
        label,
        key="use_c",
        on_click=use_model,
        kwargs={"method_id": choice.method_id, "parameters": chosen, "c": fit.c},
        help=words,
        disabled=not found.told or (not complete and picture.choose != "best"),
    ):
        st.rerun()  # of the whole page: this panel is a fragment


@cached()
def _measured(point: PathPoint, judge: FoldJudge, measure: str) -> PathPoint:
    """The point with its measure, which most points have already."""
    return measured_by([point], judge, measure)[0]
