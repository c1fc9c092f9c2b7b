"""Finer frames for the handle of C: the path of the chosen method is filled in beside the pages, once a server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.analysis.finer_path import FinerPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import can_follow
from core.methods import Training
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import draw_live

SOONEST = 1.0
"""Seconds until the page looks for finer frames, at least."""
_COMING = "finer_frames"


def begin_run() -> None:
    """A page is drawn anew: whether it has a picture that becomes finer is yet to be seen."""
    st.session_state.pop(_COMING, None)


def filled(key: str, points: Sequence[PathPoint], training: Training, judge: FoldJudge) -> Sequence[PathPoint]:
    """A complete path with the models that have been filled in so far; starts filling it if it has not been started.

    A path whose models can be interpolated is given back as it is.

    Parameters
    ----------
    key : str
        The same for the same path.
    points : sequence of PathPoint
        Falling in lambda, at least one.
    training : Training
        That they were fitted on.
    judge : FoldJudge
    """
    if all(can_follow(point.fit) for point in points):
        return points
    make = partial(FinerPath, points, training, judge)
    job = board().ask(Job(f"finer-{key}", session_id(), make, patient=True))
    whole = points if job.run is None else job.run.whole
    st.session_state[_COMING] = job, len(whole)
    return whole


def watch() -> None:
    """Draw the page again, once there are finer frames than those that this run of the page shows; at its end."""
    coming: tuple[Job[FinerPath], int] | None = st.session_state.get(_COMING)
    if coming is None or not coming[0].active:
        return
    job, shown = coming
    seconds = job.run.seconds_to_finer if job.run is not None else None
    draw_live(
        lambda: None,
        [job],
        active=True,
        tick=round(max(seconds or 0.0, SOONEST), 1),
        more_to_see=lambda: job.run is not None and len(job.run.whole) > shown,
    )
