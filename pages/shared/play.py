"""Playing a path: models appear as lambda falls, a step a tick, until someone stops where the curve turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.look.style import short
from pages.shared.choice.use_model import use_model

TICK = 0.25  # seconds a model


@dataclass(frozen=True)
class Player:
    """The play bar of a page, whose state the session keeps under the page's ``name``."""

    name: str

    def _key(self, what: str) -> str:
        return f"{self.name}_{what}"

    @property
    def playing(self) -> bool:
        """Whether models are appearing by themselves."""
        return bool(st.session_state.get(self._key("playing")))

    def take(self, c: float, ratio: float) -> None:
        """Make this the C of every page; for callbacks. The fragment they belong to then reruns the whole page."""
        use_model(c=c, ratio=ratio)
        self._stop()

    def controls(self, points: Sequence[PathPoint], home: int) -> int:
        """Play, Pause, a slider and "Take this C", in the row of a fragment's tools.

        Parameters
        ----------
        points : sequence of PathPoint
            In falling order of lambda.
        home : int
            The model that is shown until someone plays or slides, and again when it changes.

        Returns
        -------
        int
            Where it stands.
        """
        if st.session_state.pop(self._key("redraw"), False):
            st.rerun()
        last = len(points) - 1
        frame = self._advance(home, last)
        if self.playing:
            st.button("Pause", key="pause", icon="⏸️", shortcut="P", on_click=self._stop, help="Stay at this λ")
        else:
            st.button(
                "Play", key="play", icon="▶️", shortcut="P", on_click=self._play, args=(home, last),
                disabled=last < 1, help="Draw the path as λ falls, four models a second",
            )  # fmt: skip
        point = points[frame]
        st.button(
            f"Take C = {short(point.fit.c)}", key="take", icon="🎯", on_click=self.take, type="primary",
            args=(point.fit.c, ratio_of(point)), disabled=frame == home,
            help="Make the C of the last model drawn the C of every page",
        )  # fmt: skip
        self._how_far(points, frame, home)
        if self.playing and frame == last:
            st.session_state[self._key("playing")] = False
            st.rerun()
        return frame

    def _how_far(self, points: Sequence[PathPoint], frame: int, home: int) -> None:
        """A slider, or a bar while it plays: a slider that moves by itself would send old places back."""
        last = len(points) - 1
        if self.playing:
            st.progress((frame + 1) / (last + 1), f"{frame + 1} of {last + 1} models")
        elif last > 0:
            if st.session_state.get(self._key("slider")) != frame:
                st.session_state[self._key("slider")] = frame
            st.select_slider(
                "λ/λ_max down to" if home == last else "λ/λ_max",
                range(last + 1),
                format_func=lambda k: f"λ/λ_max {short(ratio_of(points[min(k, last)]))}",
                key=self._key("slider"),
                on_change=self._slide,
                label_visibility="collapsed",
                help="How far along the path; C stays as it is until it is taken",
            )

    def _advance(self, home: int, last: int) -> int:
        """The frame to draw; one further than before while playing."""
        if st.session_state.get(self._key("home")) != home:
            st.session_state[self._key("home")] = home
            st.session_state.pop(self._key("frame"), None)
        frame = int(min(st.session_state.get(self._key("frame"), home), last))
        if self.playing:
            frame = min(frame + 1, last)
        st.session_state[self._key("frame")] = frame
        return frame

    def _slide(self) -> None:
        st.session_state[self._key("frame")] = st.session_state[self._key("slider")]

    def _play(self, home: int, last: int) -> None:
        if st.session_state.get(self._key("frame"), home) in (home, last):
            st.session_state[self._key("frame")] = 0
        st.session_state[self._key("playing")] = True
        st.session_state[self._key("redraw")] = True

    def _stop(self) -> None:
        st.session_state[self._key("playing")] = False
        st.session_state[self._key("redraw")] = True
