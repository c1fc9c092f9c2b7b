"""The Fit page: live convergence, certificate, weights and metrics of one fit."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.best_subset.yardstick import BEST
from core.analysis.evaluation import printed_rows
from core.analysis.fit_records import fit_record
from core.figures.fit.convergence import Axes
from core.methods import Fit, MethodRun
from core.metrics import describe_convention
from core.names.plain import in_markdown
from core.solvers import LIFTED_BY_EXTENDING
from pages.shared import frame, headline, keys, panels
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import measures_of
from pages.shared.controls import button
from pages.shared.following import following_header
from pages.shared.headline import Shown
from pages.shared.lazy import lazy_expander
from pages.shared.live_chart import main_picture
from pages.shared.server.visits import session_id
from pages.shared.wording import PART_WORDS, certificate_words, fit_ended, kept_words, stop_words, telling_part
from pages.shared.work.board import board, job_for
from pages.shared.work.jobs import ACTIVE, Job, State, Task
from pages.shared.work.panel import FIT_KEY, Panel, continue_button, counted, draw_live, make_latest, stop_button
from pages.shared.work.paths import USUAL_POINTS, path_job, path_key
from pages.shared.work.quick_fits import judged
from pages.views.fit import race
from pages.views.fit.picture import axes, compare_panel, fit_picture, vertical
from pages.views.fit.tuning import tuning_panel

_FOLLOW = "follow"
_JOB = "job"
_PACE = "pace"
_REFIT = "refit"
QUESTION = "Has it converged?"
TICK = 0.25  # seconds between live pictures
TABLE_MEASURES = ("MAP", "NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "P@1", "P@5", "P@10", "MeanNDCG", "Top")
PACES = {"full speed": 0.0, "4 steps a second": 0.25, "1 step a second": 1.0}


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    if race.wanted():
        race.render(choice)
        return
    job = job_for(choice.key)
    if st.session_state.pop(keys.AUTOSTART, False):
        st.session_state[_FOLLOW] = True
    if job is None and st.session_state.get(_FOLLOW):
        job = _start(choice)
    elif job is not None:
        make_latest(job, _JOB)  # also one that was found again after a reload
    active = job is not None and job.active
    reached = _fit_of(job) if job is not None else None
    passing = frame.model() if reached is None else None
    fit = None if active else reached
    if job is None and passing is not None:
        fit = passing.fit
    with st.container(key="fit_headline"):
        _headline(choice, fit, frame.model() if active else None)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS):
        running = job is not None and job.active
        if button("Fit", type="primary", key="fit", shortcut=FIT_KEY, disabled=running, help="Start from zero"):
            st.session_state[_FOLLOW] = st.session_state.get(_REFIT, True)
            _start(choice)
            st.rerun()
        jobs = [job] if job is not None else []
        stop_button("stop", *jobs, by_key=True, disabled=not running)
        continue_button("continue", *jobs, by_key=True, disabled=job is None or not _resumable(job))
        drawn = _more(choice, job)
    if job is not None:
        live = partial(_live, choice, job, drawn, passing)
        draw_live(live, [job], active=active, tick=TICK, ended=lambda: fit_ended(job.run))
    elif fit is not None:
        # In a fragment, too: so a picture that fills the screen goes on doing so when a fit begins.
        draw_live(lambda: _in_passing(choice, fit, drawn), [], active=False)
    else:
        with main_picture():
            st.info("This data is fitted on request. Press **Fit**, or Ctrl+Enter, and watch.")
    if fit is not None:
        compare_panel(headline.describe(choice, fit))
        lazy_expander("How does it rank?", lambda: _ranks(choice, fit), key="fit_ranks")
    tuning_panel(choice)
    lazy_expander("What does a fit minimise, on how much data?", lambda: _minimised(choice), key="fit_minimises")
    race.open_button(choice)
    if fit is not None:
        panels.downloads(
            fit_record(fit, judged(choice, fit), choice.convention), fit, replace(choice, solver_id=fit.solver)
        )
        _work_out(choice)


def _start(choice: Loaded) -> Job[MethodRun]:
    """Put the choice in line; what this session had running for another choice waits until it comes back."""
    if (path := job_for(path_key(choice, choice.method_id))) is not None:
        board().set_aside(path)  # while a fit runs, whose seconds are shown
    pace = PACES[st.session_state.get(_PACE, "full speed")]
    job: Job[MethodRun] = Job(Task(choice.key, choice.from_zero), session_id(), delay=pace)
    make_latest(job, _JOB)  # first: if Streamlit ends the script before `submit`, no fit has begun
    return board().submit(job)


def _work_out(choice: Loaded) -> None:
    """Compute the path of the chosen method in the background, where that is quick.

    The page is drawn again at the end. If it fails, the Path page says why.
    """
    if choice.fold.train.features.size > headline.QUICK_ENTRIES or choice.training.lam_max == 0.0:
        return
    job = path_job(choice, choice.method_id)
    active = job.active
    if active or job.state == "paused":
        Panel(
            key="fit_path",
            what="Computing the path along which C can be dragged",
            ready=f"Path of {choice.title}",
            reached=lambda: counted([job], "models", expected=USUAL_POINTS),
        ).draw([job], active=active)


def _fit_of(job: Job[MethodRun]) -> Fit | None:
    """What has been reached so far; None before the first iterate."""
    return job.run.fit() if job.run is not None and job.run.steps.trace else None


def _resumable(job: Job[MethodRun]) -> bool:
    """Whether Continue leads on: from a stop, past a limit, or from a paper's rule to the certificate."""
    lifted = job.run is not None and job.run.steps.reason in LIFTED_BY_EXTENDING
    return job.state == "paused" or (job.state == "finished" and lifted)


def _headline(choice: Loaded, fit: Fit | None, above: Shown | None) -> None:
    """The question of the page with its answer, and what the model is, from the numbers themselves.

    While a fit runs, whose the numbers ``above`` are.
    """
    told = f"{choice.title} on {choice.where}"
    if fit is not None:
        metrics = judged(choice, fit).metrics
        part, measure = telling_part(metrics), measures_of(choice)[0]
        answer = "Not yet"  # the picture and the line beneath it have the certificate
        if fit.result.stop in ("converged", "empty model"):
            answer = "Yes, to a stationary point" if fit.result.converged_to_a_stationary_point else "Yes"
        by = f", by {choice.method.solver(fit.solver).title}" if fit.solver != choice.solver_id else ""
        told = f"{answer}{by}. {kept_words(fit)}: {PART_WORDS[part]} {measure} {metrics[part][measure]:.4f}"
    elif above is not None:
        earlier = choice.method.solver(above.fit.solver).title
        told = f"Still running. The numbers above are of an earlier fit, by {earlier}"
    following_header(f"{QUESTION} {told}")


def _minimised(choice: Loaded) -> None:
    data, nouns = choice.fold.train, choice.nouns
    queries = "" if nouns.by_class else f"{data.n_queries:,} {'query' if data.n_queries == 1 else 'queries'}, "
    st.markdown(
        f"{queries}{nouns.counted(data.n_documents)}, {data.n_features} features and {data.n_pairs:,} preference pairs "
        "to learn from. A fit minimises"
    )
    with st.container(key="objective"):
        st.latex(choice.method.objective)
    st.caption(choice.method.source)


def _more(choice: Loaded, job: Job[MethodRun] | None) -> Axes:
    """The vertical axis, and what is asked for seldom."""
    y = vertical(convex=choice.method.convex or choice.method_id == BEST, race=False)  # a search has a gap, too
    with st.popover("More", key="fit_more", help="Axes, theoretical slopes, pace, and when to fit"):
        drawn = axes(y, race=False)
        pace = st.selectbox(
            "Pace",
            list(PACES),
            key=_PACE,
            persist_state="session",
            help="Slow motion, to watch. The pause between steps does not count as solver time.",
        )
        refit = st.toggle(
            "Refit on every change",
            value=True,
            key=_REFIT,
            persist_state="session",
            help="After the first fit, a new choice in the sidebar is fitted at once.",
        )
    if not refit:
        st.session_state[_FOLLOW] = False
    if job is not None and job.active:
        job.delay = PACES[pace]
    return drawn


def _live(choice: Loaded, job: Job[MethodRun], drawn: Axes, passing: Shown | None) -> None:
    """Curves and status, as they grow; until the first step the model that the strip has measured."""
    state = job.state  # before the fit: where the job has ended meanwhile, its last fit is not that of a stop
    fit = _fit_of(job)
    if fit is not None:
        fit_picture(choice, fit, drawn, running=state in ACTIVE)
    elif passing is not None:
        fit_picture(choice, passing.fit, drawn, running=False)
    with st.container(key="fit_status"):
        _status(job, state, fit)


def _in_passing(choice: Loaded, fit: Fit, drawn: Axes) -> None:
    """The model that the strip has measured without being asked."""
    fit_picture(choice, fit, drawn, running=False)
    with st.container(key="fit_status"):
        said = st.success if fit.result.stop == "converged" else st.warning
        chosen, used = (choice.method.solver(solver).title for solver in (choice.solver_id, fit.solver))
        whose = f"This is the fit of {used}, not of {chosen}. " if chosen != used else ""
        watch = f"Press **Fit**, or Ctrl+Enter, to watch {chosen} start from zero."
        said(f"{whose}{stop_words(fit)} {certificate_words(fit)} {watch}")


def _status(job: Job[MethodRun], state: State, fit: Fit | None) -> None:
    if state == "failed":
        st.error(f"{in_markdown(job.problem)} Change the choice in the sidebar, or press Fit to try again.")
    elif state == "queued":
        st.info(f"Waiting: {board().waiting(job).words}. It starts by itself.")
    elif fit is None and state in ACTIVE:
        st.info("Starting …")
    elif fit is None:
        st.warning("Stopped before it began. Press Continue to go on.")
    elif state in ACTIVE:
        st.info(f"Running. {certificate_words(fit)}")
    elif fit.result.stop == "converged":
        st.success(f"{stop_words(fit)} {certificate_words(fit)}")
    else:
        goal = " until the certificate holds" if fit.result.stop == "the paper's rule" else ""
        more = f" Press Continue to go on{goal}." if _resumable(job) else ""
        st.warning(f"{stop_words(fit)} {certificate_words(fit)}{more}")


def _ranks(choice: Loaded, fit: Fit) -> None:
    """Train, vali and test as rows, four digits as in the papers; a second row where one differs in file order."""
    judgement = judged(choice, fit)
    rows = printed_rows(judgement.official, judgement.expected_over_ties, TABLE_MEASURES)
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.name = choice.convention
    st.dataframe(table.style.format("{:.4f}"), key="metrics")
    if len(rows) > len(judgement.metrics):
        st.caption(
            "Numbers are over the orders of documents with the same score, by which this program chooses, tests and "
            "draws; \\* is in the order of the file, as the official scripts print it."
        )
    st.caption(describe_convention(choice.convention, choice.nouns))
