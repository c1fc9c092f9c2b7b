"""Every solver of the chosen method on the same problem, to the same tolerance, before one's eyes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.analysis.convergence import Optimum
from core.analysis.solver_race import Raced, SolverRace, SolversRace, Standing, standings
from core.figures.fit.convergence import SLOPES_EXPLAINED, Axes
from core.figures.fit.race_picture import RacePicture, race_sentence, race_table, tolerance
from core.names.plain import in_markdown
from core.work import duration
from pages.shared import headline, keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.controls import button, csv_button, picked_row
from pages.shared.differences import optimum_of
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.server.visits import travelled
from pages.shared.show import method_of, show_chosen
from pages.shared.work.board import ask_for, board, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import FIT_KEY, continue_button, draw_live, make_latest, stop_button
from pages.views.fit.picture import axes, axes_options, vertical

_RACE = "race"  # in the address, too
_JOB = "race_job"
_LIMIT = "race_seconds"
LIMITS = ("2", "10", "60")
TICK = 0.5  # seconds between live pictures: drawing takes time from the solvers


def wanted() -> bool:
    """Whether the page shows a race; the address says so, too."""
    if st.session_state.get(keys.AUTOSTART):
        _close()
    linked = st.query_params.get(_RACE) == "1"
    if linked or travelled():  # a link opens it, whether or not one has been closed here before
        st.session_state[_RACE] = linked
    if not st.session_state.get(_RACE):
        return False
    address.write(_RACE, "1")
    return True


def open_button(choice: Loaded) -> None:
    """The way to the race, beneath a single fit."""
    count = len(choice.method.solvers)
    st.button(
        "Which solver is fastest? Race all of them",
        key="race_open",
        icon=":material/sports_score:",
        on_click=_open,
        disabled=count < 2,
        help=f"Runs all {count} solvers of this method to the same tolerance, and says which was first."
        if count > 1
        else "This method has a single solver.",
    )


def _open() -> None:
    st.session_state[_RACE] = True


def _close() -> None:
    st.session_state[_RACE] = False
    st.query_params.pop(_RACE, None)


def render(choice: Loaded) -> None:
    """Draw the page of the race for the sidebar's choice."""
    head = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS):
        job, drawn = _tools(choice)
    active = job is not None and job.active
    with head:
        st.header(_headline(choice, job), anchor=False)
    if job is None:
        with main_picture():
            st.info("This data is large. Press **Race** to run every solver of this method.")
        return
    make_latest(job, _JOB)
    draw_live(lambda: _live(choice, job, drawn), [job], active=active, tick=TICK, ended=lambda: "The race has ended.")
    if not active:
        _table(choice, job)


def _tools(choice: Loaded) -> tuple[Job[SolverRace] | None, Axes]:
    """The row over the picture; begins the race without a question where the data is small enough."""
    st.button("One solver", key="race_close", icon=":material/arrow_back:", on_click=_close, help="Back to one fit")
    begun, buttons = st.container(width="content"), st.container(horizontal=True, width="content")
    y = vertical(convex=choice.method.convex, race=True)
    with st.popover("More", key="race_more", help="Axes, theoretical slopes, and how long a solver may take"):
        drawn = axes(y, race=True)
        limit = address.one_of(
            "Seconds for each solver",
            LIMITS,
            begins="10",
            key=_LIMIT,
            label_visibility="visible",
            help="A slower solver stops there. Continue gives it as much time again.",
        )
    race = _picture(choice, float(limit)).race
    job = _job(choice, race)
    active = job is not None and job.active
    if button(
        "Race",
        place=begun,
        type="primary",
        key="race_begin",
        shortcut=FIT_KEY,
        disabled=active,
        help="Start the race again",
    ):
        ask_for(race.key, race.work, new=True)
        st.rerun()
    jobs = [job] if job is not None else []
    state = "" if job is None else job.state  # Continue leads on from a stop, or past the limit
    more = state == "paused" or (state == "finished" and job is not None and job.run is not None and job.run.extendable)
    with buttons:
        stop_button("stop", *jobs, by_key=True, disabled=not active)
        continue_button("continue", *jobs, by_key=True, disabled=not more, help="Give the slow ones as much time again")
    return job, drawn


def _job(choice: Loaded, race: SolversRace) -> Job[SolverRace] | None:
    job: Job[SolverRace] | None = job_for(race.key)
    data = choice.fold.train
    if job is None and data.n_documents * data.n_features <= headline.QUICK_ENTRIES:
        job = ask_for(race.key, race.work)
    return job


def _picture(choice: Loaded, limit: float, **looks: Any) -> RacePicture:
    """The race as it is drawn; without looks, as it is run."""
    return RacePicture(
        choice.fold,
        choice.method_id,
        C=choice.c,
        seconds=limit,
        tol=choice.tol,
        convention=choice.convention,
        where=choice.where,
        training=choice.training,
        **method_of(choice, choice.method_id).options,
        **looks,
    )


def _standings(choice: Loaded, job: Job[SolverRace]) -> list[Standing]:
    return standings(choice.method, job.run.fits()) if job.run is not None else []


def _headline(choice: Loaded, job: Job[SolverRace] | None) -> str:
    if job is None or job.active or job.run is None:
        count = len(choice.method.solvers)
        return f"{count} solvers of {choice.title} race to {tolerance(choice.tol)} on {choice.where}"
    return race_sentence(_standings(choice, job), job.run.tol, job.run.limit)


def _live(choice: Loaded, job: Job[SolverRace], drawn: Axes) -> None:
    active = job.active  # asked before what has been reached: the last steps may come meanwhile
    known = None if job.run is None else Raced.of(job.run)
    if known is not None and known.fits:
        picture = _picture(choice, known.limit, **axes_options(drawn), headed=not active, same=f"{job.key} {drawn}")
        optimum = optimum_of(choice, choice.training) if drawn.y == "suboptimality" else Optimum()
        if active:  # drawn without a look into the cache: its traces are long, and grow
            found = picture.result({"race": known, "optimum": optimum})
            words = picture.words(found)
            live_chart(picture.drawing(found, words), picture.chart, alt=words.alt, script="", main=True)
        else:
            show_chosen(picture, choice, known={"race": known, "optimum": optimum}, main=True)
    else:
        with main_picture():
            st.info("The race is about to begin.")
    _status(job)
    if known is not None and known.fits and drawn.slopes:
        st.caption(SLOPES_EXPLAINED)


def _status(job: Job[SolverRace]) -> None:
    if job.state == "failed":
        st.error(f"{in_markdown(job.problem)} Change the choice in the sidebar, or press Race to try again.")
    elif job.state == "queued" and (waiting := board().waiting(job).words):
        st.progress(0.0, f"Waiting: {waiting}. It starts by itself.")
    elif job.active and job.run is not None:
        st.progress(job.run.share, f"Racing; {duration(job.run.seconds_left)} left at most")
    elif job.state == "paused":
        st.warning("The race is stopped; unfinished solvers have had about the same time. Press Continue to go on.")
    for solver, problem in (job.run.problems if job.run is not None else {}).items():
        st.warning(f"{solver} does not take part: {in_markdown(problem)}")


def _table(choice: Loaded, job: Job[SolverRace]) -> None:
    """One row a solver, in the order of the standings, and the way to take one of them."""
    known = _standings(choice, job)
    if not known:
        return
    table = race_table(choice.method, known)
    number = st.column_config.NumberColumn
    picked = picked_row(
        table,
        known,
        key="race_table",
        formats={
            "seconds": number(format="%.2g", help="The solver's own time in this race, on this machine"),
            "certificate": number(
                format="%.1e", help="The most that the objective may be above the optimum, or the residual"
            ),
            "objective": number(format="%.8g"),
            "passes over X": number(format="%.0f", help="How often the whole feature matrix was read"),
            "in theory": st.column_config.TextColumn(help="The solver's known rate of convergence"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use this solver" if picked is None else f"Use {picked.solver.title}",
            key="race_use",
            disabled=picked is None,
            on_click=_use,
            args=("" if picked is None else picked.solver.id,),
            help="Uses this solver on every page and returns to one fit. Select a row first.",
        )
        csv_button(table, "race", key="race_csv", icon=":material/save:", help="The table with all digits")


def _use(solver_id: str) -> None:
    use_model(solver_id=solver_id)
    _close()
