"""Every solver of the chosen method on the same problem, to the same tolerance, before one's eyes."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.analysis.solver_race import SolverRace, Standing, standings
from core.api.solver_tables import race_table
from core.export.scripts.choosing import race_script
from core.figures.fit.convergence import convergence_figure
from core.figures.fit.race import race_curves, race_sentence, tolerance
from core.figures.fit.slopes import SLOPES_EXPLAINED
from core.figures.look.style import CERTIFICATES
from core.names.plain import in_markdown
from core.names.tables import frame_csv
from core.work import duration
from pages.shared import headline, keys, scripts
from pages.shared.button import button
from pages.shared.choice import access, address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.travel import travelled
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.wording import exact_words
from pages.shared.work.board import board, session_id
from pages.shared.work.buttons import CONTINUE_KEY, FIT_KEY, STOP_KEY, continue_button, stop_button
from pages.shared.work.jobs import Job
from pages.shared.work.latest import make_latest
from pages.shared.work.panel import draw_live
from pages.views.fit.axes import Axes, axes, vertical
from pages.views.fit.full_screen import Tool, full_screen_tools

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
    if travelled():
        st.session_state[_RACE] = linked
    if linked:  # a link opens it, whether or not one has been closed here before
        st.session_state[_RACE] = True
    if not st.session_state.get(_RACE):
        return False
    address.write(_RACE, "1")
    return True


def open_button(choice: Loaded) -> None:
    """The way to the race, for the row of tools of a single fit."""
    count = len(choice.method.solvers)
    st.button(
        "Race all solvers",
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
        if job is not None:
            _full_screen(job, active=active)
    if job is None:
        with main_picture():
            st.info("This data is large. Press **Race** to run every solver of this method.")
        return
    make_latest(job, _JOB)
    draw_live(lambda: _live(choice, job, drawn), [job], active=active, tick=TICK, ended=lambda: "The race has ended.")
    if not active:
        _table(choice, job)


def _full_screen(job: Job[SolverRace], *, active: bool) -> None:
    """Stop and Continue, while the picture fills the screen."""

    def pressed(name: str) -> None:
        (board().stop if name == "stop" else board().resume)(job)

    tools = [Tool("stop", "Stop", off=not active), Tool("continue", "Continue", off=active or not _goes_on(job))]
    full_screen_tools("race", tools, pressed)


def _tools(choice: Loaded) -> tuple[Job[SolverRace] | None, Axes]:
    """The row over the picture; begins the race where the data is small enough for that to ask nobody."""
    st.button("One solver", key="race_close", icon=":material/arrow_back:", on_click=_close, help="Back to one fit")
    begun, buttons = st.container(width="content"), st.container(horizontal=True, width="content")
    y = vertical(convex=choice.method.convex, race=True)
    with st.popover("More", key="race_more", help="Axes, theoretical slopes, and how long a solver may take"):
        drawn = axes(y, race=True)
        limit = st.segmented_control(
            "Seconds for each solver",
            LIMITS,
            default="10",
            required=True,
            key=_LIMIT,
            bind="query-params",
            help="A slower solver stops there. Continue gives it as much time again.",
        )
    job = _job(choice, float(limit or "10"))
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
        board().submit(_new(choice, float(limit or "10")))
        st.rerun()
    jobs = [job] if job is not None else []
    more = job is not None and _goes_on(job)
    with buttons:
        stop_button("stop", *jobs, shortcut=STOP_KEY, disabled=not active)
        continue_button(
            "continue", *jobs, shortcut=CONTINUE_KEY, disabled=not more, help="Give the slow ones as much time again"
        )
    return job, drawn


def _goes_on(job: Job[SolverRace]) -> bool:
    """Whether Continue leads on: from a stop, or past the limit."""
    return job.state == "paused" or (job.state == "finished" and job.run is not None and job.run.extendable)


def _job(choice: Loaded, limit: float) -> Job[SolverRace] | None:
    job: Job[SolverRace] | None = board().find(_key(choice, limit), session_id())
    data = choice.fold.train
    if job is None and data.n_documents * data.n_features <= headline.QUICK_ENTRIES:
        job = board().submit(_new(choice, limit))
    return job


def _key(choice: Loaded, limit: float) -> str:
    rules = choice.rules_for(choice.method_id)
    parts = (
        choice.fingerprint,
        choice.where,
        choice.method_id,
        choice.parameters,
        rules,
        choice.lam,
        choice.tol,
        limit,
    )
    return "race-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _new(choice: Loaded, limit: float) -> Job[SolverRace]:
    method, training, lam, tol = choice.method, choice.training, choice.lam, choice.tol
    parameters = dict(choice.parameters)
    return Job(
        key=_key(choice, limit),
        owner=session_id(),
        make=lambda: SolverRace(method, training, lam, parameters=parameters, tol=tol, limit=limit),
    )


def _standings(choice: Loaded, job: Job[SolverRace]) -> list[Standing]:
    return standings(choice.method, job.run.fits()) if job.run is not None else []


def _headline(choice: Loaded, job: Job[SolverRace] | None) -> str:
    if job is None or job.active or job.run is None:
        count = len(choice.method.solvers)
        return f"{count} solvers of {choice.title} race to {tolerance(choice.tol)} on {choice.where}"
    return race_sentence(_standings(choice, job), job.run.tol, job.run.limit)


def _live(choice: Loaded, job: Job[SolverRace], drawn: Axes) -> None:
    """Curves as they grow, and how far the race is."""
    known = _standings(choice, job)
    if known:
        _picture(choice, job, known, drawn)
    else:
        with main_picture():
            st.info("The race is about to begin.")
    _status(job)
    if known and drawn.slopes:
        st.caption(SLOPES_EXPLAINED)


def _picture(choice: Loaded, job: Job[SolverRace], known: list[Standing], drawn: Axes) -> None:
    run = job.run
    assert run is not None
    optimum, reference = None, ""
    if drawn.y == "suboptimality":
        certified = access.certified_optimum(
            choice.training,
            choice.method_id,
            choice.lam,
            choice.parameters,
            choice.rules_for(choice.method_id),
        )
        optimum = None if certified is None else certified[0]
        reference = (
            " · the optimum is the lowest value of this race: no bound of it is known"
            if certified is None
            else f" · the optimum is {exact_words(certified[1].relative)}"
        )
    title = race_sentence(known, run.tol, run.limit)
    kind = CERTIFICATES[known[0].certificate.kind]
    what = (
        f"{choice.where} · {choice.title} · "
        f"to a {kind} of {tolerance(run.tol)}, {run.limit:g} s each at most{reference}"
    )
    figure = convergence_figure(
        race_curves(known, optimum),
        x=drawn.x,
        y=drawn.y,
        log_x=drawn.log_x,
        log_y=drawn.log_y,
        slopes=drawn.slopes,
        title=title if job.active else what,
        subtitle=what if job.active else "",
    )
    if drawn.y == "certificate":
        figure.add_hline(y=run.tol, line={"width": 1, "dash": "dot", "color": "rgba(128,128,128,0.8)"})
    figure.update_layout(uirevision=f"{job.key} {drawn}")
    script = race_script(
        scripts.chosen_data(choice),
        scripts.method_of(choice, choice.method_id),
        c=choice.c,
        tol=run.tol,
        seconds=run.limit,
    )
    table = None if job.active else race_table(choice.method, known)
    live_chart(figure, "race", alt=title, table=table, script=script, main=True)


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
    state = st.dataframe(
        table,
        hide_index=True,
        key="race_table",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "seconds": number(format="%.2g", help="The solver's own time in this race, on this machine"),
            "certificate": number(
                format="%.1e", help="The most that the objective may be above the optimum, or the residual"
            ),
            "objective": number(format="%.8g"),
            "passes over X": number(format="%.0f", help="How often the whole feature matrix was read"),
            "in theory": st.column_config.TextColumn(help="The solver's known rate of convergence"),
        },
    )
    picked = [known[k].solver for k in state["selection"]["rows"] if k < len(known)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Use {picked[0].title}" if picked else "Use this solver",
            key="race_use",
            disabled=not picked,
            on_click=_use,
            args=(picked[0].id if picked else "",),
            help="Uses this solver on every page and returns to one fit. Select a row first.",
        )
        st.download_button("CSV", lambda: frame_csv(table), "race.csv", "text/csv", on_click="ignore",
                           key="race_csv", icon=":material/save:", help="The table with all digits")  # fmt: skip


def _use(solver_id: str) -> None:
    use_model(solver_id=solver_id)
    _close()
