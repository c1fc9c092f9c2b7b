"""What a page shows of a job: what is under way, how far it is, its place in line, time left, Stop and Continue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.names.plain import in_markdown
from core.work import CountedWork, duration
from pages.shared.lazy import dialog_is_open, fragment
from pages.shared.work.board import WORKERS, board
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.status import WAITS, say_when_ended

TICK = 0.4  # seconds
UNHURRIED = 8  # visitors who wait, as many as can look at every tick
WAY_OUT = "Change the choice in the sidebar to try again."
SOON = 0.2
"""Seconds: most steps are over by then."""
KEPT = "Stops and keeps the result so far. If others wait for it, it continues for them."
FROM_THERE = "Continue from there"
FIT_KEY, STOP_KEY, CONTINUE_KEY = "Ctrl+Enter", "F8", "F9"
"""No single letters: who dictates, or slips, would press them (WCAG 2.1.4)."""


@dataclass(frozen=True)
class Reached:
    """How far jobs are."""

    words: str  # what has been reached, such as "12 of 50 models"
    share: float | None  # how much is done, from 0 to 1; None where that is not known
    seconds_left: float | None = None


@dataclass(frozen=True, kw_only=True)
class Panel:
    """What a page says of its jobs."""

    key: str  # keys of Stop and Continue begin with it
    reached: Callable[[], Reached | None]  # how far the jobs are; None before there is anything to say
    what: str = ""  # what is under way, to stand before a colon; empty where the words say it
    ready: str = ""  # what is ready at the end, for the status line; by default what was under way
    starting: str = "starting …"  # what happens before there is anything to say
    way_out: str = WAY_OUT  # what a person can do where a job has failed, in a sentence
    stop_help: str = KEPT
    continue_help: str = FROM_THERE
    tick: float = TICK  # seconds between drawings
    # Whether the page has more to show now than when it was drawn; it is then drawn again.
    more_to_see: Callable[[], bool] = lambda: False
    # Draws what stands beneath the bar, again at every tick; by default nothing.
    beneath: Callable[[], None] = lambda: None
    in_dialog: bool = False  # whether the panel stands in a dialog: it then runs the page again though a dialog is open

    def draw(self, jobs: Sequence[Job[Any]], *, active: bool) -> None:
        """Draw it, again by itself while jobs are active, and the whole page once they have come to rest.

        An open dialog is left alone: the page is drawn when it is closed.

        Call it from a page's script, not from a fragment.

        Parameters
        ----------
        jobs : sequence of Job
            Those that Stop and Continue are for.
        active : bool
            Whether a job was active when the script looked first. What the script shows depends on it: a job that ends
            while the page is drawn must be noticed like one that ends later.
        """
        draw_live(
            lambda: _draw(self, jobs),
            jobs,
            active=active,
            tick=self.tick,
            more_to_see=self.more_to_see,
            ended=lambda: _ended(self),
            in_dialog=self.in_dialog,
        )


def draw_live(
    draw: Callable[[], None],
    jobs: Sequence[Job[Any]],
    *,
    active: bool,
    tick: float = TICK,
    more_to_see: Callable[[], bool] = lambda: False,
    ended: Callable[[], str] = str,
    in_dialog: bool = False,
) -> None:
    """As `Panel.draw`, with a drawing of the page's own.

    ``ended`` is called once for the words of the status line, after jobs that were active have come to rest; by default
    there are none.

    Where many wait, each looks less often: drawing what is under way must not slow it down, nor others.
    """

    def redrawn() -> None:
        may_rerun = active and (in_dialog or not dialog_is_open())
        if may_rerun and (not any(job.active for job in jobs) or more_to_see()):
            st.rerun()
        draw()
        if may_rerun and not any(job.active for job in jobs):
            st.rerun()  # they have ended meanwhile: what has just been drawn says so, and the page around it does not

    if active:
        say_when_ended(jobs, ended)
        tick *= max(board().waiting_visitors / UNHURRIED, 1.0)
    # Fragments are told apart by where they stand, so several of a page do not meet.
    fragment(redrawn, run_every=tick if active else None, parted=True)()


def _draw(panel: Panel, jobs: Sequence[Job[Any]]) -> None:
    active = [job for job in jobs if job.active]
    for job in jobs:
        if job.state == "failed":
            st.error(f"{in_markdown(job.problem)} {panel.way_out}")
        if job.run is not None:
            for name, problem in dict(job.run.problems).items():
                st.warning(f"{in_markdown(name)} is left out: {in_markdown(problem)}")
    paused = [job for job in jobs if job.state == "paused"]
    if active or paused:
        with st.container(horizontal=True, vertical_alignment="center"):
            _how_far(panel, active)
            if active:
                stop_button(f"{panel.key}_stop", *active, help=panel.stop_help)
            else:
                continue_button(f"{panel.key}_continue", *paused, help=panel.continue_help)
    panel.beneath()


def _ended(panel: Panel) -> str:
    """For the status line: what is ready, and how much of it."""
    reached = panel.reached()
    words = [panel.ready or panel.what, reached.words if reached is not None else ""]
    return f"{': '.join(filter(None, words))}, ready."


def _how_far(panel: Panel, active: Sequence[Job[Any]]) -> None:
    """A bar where the share is known."""
    reached = panel.reached()
    words = _words(panel, reached, active)
    if reached is not None and reached.share is None:
        st.info(words)
    else:
        st.progress(reached.share or 0.0 if reached is not None else 0.0, words)


def _words(panel: Panel, reached: Reached | None, active: Sequence[Job[Any]]) -> str:
    waiting = _waiting(active)
    if reached is None:
        words = waiting or (panel.starting if active else "stopped before it began")
        return f"{panel.what}: {words}" if panel.what else f"{words[:1].upper()}{words[1:]}"
    ending = waiting or ("" if active else "stopped")
    if not ending and reached.seconds_left is not None:
        ending = f"{duration(reached.seconds_left)} left"
    words = f"{reached.words}, {ending}" if ending else reached.words
    return f"{panel.what}: {words}" if panel.what else words


def _waiting(active: Sequence[Job[Any]]) -> str:
    """What is to be said where none of the jobs is at work."""
    if board().fits.preparing and all(job.run is None for job in active):
        return WAITS
    lines = [board().waiting(job) for job in active]
    if not lines or any(not line.words for line in lines):
        return ""
    return f"waiting, {min(lines, key=lambda line: line.place).words}"


def counted(
    jobs: Sequence[Job[Any]], noun: str, *, name: Callable[[str], str] = str, expected: int = 0
) -> Reached | None:
    """How far jobs of counted work are together; None where none of them has begun.

    Parameters
    ----------
    jobs : sequence of Job
        Their work is `CountedWork`.
    noun : str
        What is counted, in the plural; empty where the panel says it.
    name : callable
        From the name of the part under way to a person's word for it.
    expected : int
        How many things a job has to do that has not begun.
    """
    runs: list[CountedWork] = [job.run for job in jobs if job.run is not None]
    if not runs:
        return None
    count = sum(run.count for run in runs)
    total = sum(run.total for run in runs) + expected * (len(jobs) - len(runs))
    now = next((run.now for run in runs if run.now), "")
    words = f"{f'{name(now)}: ' if now else ''}{count} of {total} {noun}".rstrip()
    if len(jobs) == 1:
        return Reached(words, runs[0].share, runs[0].seconds_left)
    return Reached(words, min(count / total, 1.0) if total else 0.0, _together(jobs, runs, total - count))


def _together(jobs: Sequence[Job[Any]], runs: Sequence[CountedWork], left: int) -> float | None:
    """Seconds until jobs are done that run side by side, all at the mean of their paces so far."""
    paces = [run.seconds_each for run in runs if run.seconds_each is not None]
    at_a_time = min(sum(job.active for job in jobs), WORKERS)
    return sum(paces) / len(paces) * left / max(at_a_time, 1) if paces else None


def make_latest(job: Job[Any] | None, key: str) -> None:
    """Set aside the job of the same kind that this session had under way before, and remember this one in its place.

    One that was set aside goes on where the session comes back to it.

    Parameters
    ----------
    job : Job or None
        None where nothing of the kind has been asked for as the controls stand now.
    key : str
        Under which the session remembers the latest job of the kind.
    """
    previous: Job[Any] | None = st.session_state.get(key)
    if previous is not None and previous is not job and previous.active:
        board().set_aside(previous)
    if job is not None and job.aside:
        board().resume(job)
    st.session_state[key] = job


def stop_button(key: str, *jobs: Job[Any], help: str = KEPT, by_key: bool = False, disabled: bool = False) -> None:
    """Stop these jobs after the step under way, and draw the whole page again; ``by_key``: F8 does, too."""
    shortcut = STOP_KEY if by_key else None
    st.button("Stop", key=key, on_click=_stop, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled)


def continue_button(
    key: str, *jobs: Job[Any], help: str = FROM_THERE, by_key: bool = False, disabled: bool = False
) -> None:
    """Let these jobs go on, and draw the whole page again: a fragment that has come to rest does not tick."""
    shortcut = CONTINUE_KEY if by_key else None
    st.button("Continue", key=key, on_click=_go_on, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled)


def _stop(jobs: Sequence[Job[Any]]) -> None:
    """Stop them, and wait a moment for it: the page that is drawn next then has the last step, and only it is drawn."""
    for job in jobs:
        board().stop(job)
    for job in jobs:
        wait_a_moment(job, SOON)
    st.rerun()


def _go_on(jobs: Sequence[Job[Any]]) -> None:
    for job in jobs:
        board().resume(job)
    st.rerun()
