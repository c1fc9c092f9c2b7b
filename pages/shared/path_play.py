"""Playing a path: models appear as lambda falls, a step a tick, until someone stops where the curve turns."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.style import short
from pages.shared.c_choice import set_c
from pages.shared.path_words import frame_words

TICK = 0.25  # seconds a model
_FRAME = "path_frame"
_SLIDER = "path_slider"
_PLAYING = "path_playing"
_REDRAW = "path_redraw"


def playing() -> bool:
    """Whether models are appearing by themselves."""
    return bool(st.session_state.get(_PLAYING))


def take(c: float, ratio: float) -> None:
    """Make this the C of every page; for callbacks. The fragment they belong to then reruns the whole page."""
    set_c(c, ratio)
    st.session_state[_PLAYING] = False
    st.session_state[_REDRAW] = True


def controls(points: Sequence[PathPoint], measure: str) -> PathPoint:
    """Play, Pause, a slider and "Take this C"; call it first in a fragment.

    Returns the last model to be drawn: where Play stands, or the end of the path.
    """
    if st.session_state.pop(_REDRAW, False):
        st.rerun()
    last = len(points) - 1
    frame = _advance(last)
    with st.container(horizontal=True, vertical_alignment="bottom", key="play_bar"):
        if playing():
            st.button("Pause", key="pause", icon="⏸️", shortcut="P", on_click=_pause, help="Stay at this λ")
        else:
            st.button(
                "Play", key="play", icon="▶️", shortcut="P", on_click=_play, args=(last,), disabled=last < 1,
                help="Draw the path as λ falls, four models a second",
            )  # fmt: skip
        point = points[frame]
        st.button(
            f"Take C = {short(point.fit.c)}", key="take", icon="🎯", on_click=take, type="primary",
            args=(point.fit.c, ratio_of(point)), disabled=frame == last,
            help="Make the C of the last model drawn the C of every page",
        )  # fmt: skip
        _how_far(points, frame, last)
    st.caption(frame_words(point, measure) if frame < last else "The whole path is drawn.")
    if playing() and frame == last:
        st.session_state[_PLAYING] = False
        st.rerun()
    return point


def _how_far(points: Sequence[PathPoint], frame: int, last: int) -> None:
    """A slider, or a bar while it plays: a slider that moves by itself would send old places back."""
    if playing():
        st.progress((frame + 1) / (last + 1), f"{frame + 1} of {last + 1} models")
    elif last > 0:
        if st.session_state.get(_SLIDER) != frame:
            st.session_state[_SLIDER] = frame
        st.select_slider(
            "λ/λ_max down to",
            range(last + 1),
            format_func=lambda k: short(ratio_of(points[min(k, last)])),
            key=_SLIDER,
            on_change=_slide,
            help="How much of the path is drawn",
        )


def _advance(last: int) -> int:
    """The frame to draw; one further than before while playing."""
    frame = int(min(st.session_state.get(_FRAME, last), last))
    if playing():
        frame = min(frame + 1, last)
    st.session_state[_FRAME] = frame
    return frame


def _slide() -> None:
    st.session_state[_FRAME] = st.session_state[_SLIDER]


def _play(last: int) -> None:
    if st.session_state.get(_FRAME, last) >= last:
        st.session_state[_FRAME] = 0
    st.session_state[_PLAYING] = True
    st.session_state[_REDRAW] = True


def _pause() -> None:
    st.session_state[_PLAYING] = False
    st.session_state[_REDRAW] = True
