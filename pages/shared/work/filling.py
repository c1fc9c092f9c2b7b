"""Finer frames for the handle of C: the path of the chosen method is filled in beside the pages, once a server."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.analysis.finer_path import FinerPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import can_follow
from core.methods import Training
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job

SOONEST = 1.0
"""Seconds until a picture asks for finer frames, at least."""
_COMING = "finer_frames"


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
    st.session_state.pop(_COMING, None)
    if all(can_follow(point.fit) for point in points):
        return points
    job = board().ask(Job(f"finer-{key}", session_id(), lambda: FinerPath(points, training, judge), patient=True))
    st.session_state[_COMING] = job
    return points if job.run is None else job.run.whole


def seconds_to_finer() -> float | None:
    """When the picture whose frames were asked for last had better ask again; None where it has all it will get."""
    job: Job[FinerPath] | None = st.session_state.get(_COMING)
    if job is None or not job.active:
        return None
    seconds = job.run.seconds_to_finer if job.run is not None else None
    return round(max(seconds or 0.0, SOONEST), 1)
