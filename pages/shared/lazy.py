"""Fragments; and popovers, expanders and dialogs: rendered only while open.

Popovers and expanders are fragments: opening and closing reruns the box, not the page. A callback in one that changes
what stands outside has to call ``st.rerun``.

When a fragment runs again before all that it has drawn is sent, Streamlit drops its messages, but not those of
fragments within it, and the browser finds no place for them. So a fragment within another is a part of that one; a live
part, in which boxes stay fragments, ends with a pause in which all is sent, as a tick that takes long is followed at
once by the next.

A run of the whole page takes an open dialog out of the document and puts another in its place. A file that is being
chosen in it, or words that are being typed, would be lost; a dialog that opens at a click would not come back. So while
one is open, a page that something else than a person would run again waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any, Literal, ParamSpec

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.server.visits import begin_run

SENT = 0.1
"""Seconds in which all that has been drawn is sent: Streamlit sends every 0.01 s."""
_OPEN = "dialog_is_open"
_INSIDE = ContextVar("inside a fragment", default=False)
_PARTS = ContextVar("the fragment has fragments within it", default=False)
_TICKS: ContextVar[list[float] | None] = ContextVar("seconds between ticks of parts of the whole page", default=None)
Given = ParamSpec("Given")


def fragment(
    draw: Callable[Given, None], *, run_every: float | None = None, parted: bool = False
) -> Callable[Given, None]:
    """As ``st.fragment``, and told of as a run; inside another it is a part of that one, unless it runs by itself.

    With ``parted``, fragments inside stay fragments, as in a live part: an open box then outlasts its last tick.
    """

    def told(*args: Given.args, **kwargs: Given.kwargs) -> None:
        begin_run()
        _PARTS.set(False)
        draw(*args, **kwargs)
        if _TICKS.get() is None and _PARTS.get():
            time.sleep(SENT)

    alone = st.fragment(_inside(wraps(draw)(told), not parted), run_every=run_every)

    @wraps(draw)
    def shown(*args: Given.args, **kwargs: Given.kwargs) -> None:
        if _INSIDE.get() and run_every is None:
            draw(*args, **kwargs)
        else:
            if run_every is not None and (ticks := _TICKS.get()) is not None:
                ticks.append(run_every)
            alone(*args, **kwargs)
            _PARTS.set(True)

    return shown


@contextmanager
def whole_page() -> Iterator[None]:
    """Run the whole page; wait at its end until a live part is sent, which would be taken away if a tick dropped it."""
    ticks: list[float] = []
    token = _TICKS.set(ticks)
    try:
        yield
    finally:
        _TICKS.reset(token)
    if ticks:
        time.sleep(SENT)


def _inside(draw: Callable[Given, None], inside: bool = True) -> Callable[Given, None]:
    @wraps(draw)
    def shown(*args: Given.args, **kwargs: Given.kwargs) -> None:
        before = _INSIDE.set(inside)
        try:
            draw(*args, **kwargs)
        finally:
            _INSIDE.reset(before)

    return shown


@fragment
def _unfolding(
    make: Callable[..., DeltaGenerator], label: str, draw: Callable[[], None], *, key: str, **options: Any
) -> None:
    # Fragments are told apart by where they stand, so several of a page do not meet.
    box = make(label, key=key, on_change="rerun", **options)
    if is_open(box):
        with box:
            draw()


lazy_popover, lazy_expander = partial(_unfolding, st.popover), partial(_unfolding, st.expander)
"""A popover, and an expander, whose content is drawn while it is open; ``key`` is then true in the session.

``draw`` must not hold controls whose values the page reads, unless their state persists. ``options`` are others of
``st.popover``.
"""


def is_open(box: DeltaGenerator) -> bool:
    """Whether a person has unfolded the box."""
    return bool(getattr(box, "open", False))


def forget_dialog() -> None:
    """Note that a run of the whole page begins: no dialog is open until it is called."""
    st.session_state[_OPEN] = False


def dialog_is_open() -> bool:
    """Whether this visitor has a dialog open."""
    return bool(st.session_state.get(_OPEN))


def dialog(
    title: str,
    *,
    icon: str | None = None,
    width: Literal["small", "medium", "large"] = "small",
    on_dismiss: Callable[[], None] = lambda: None,
) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Return a decorator like ``st.dialog`` that notes that it is open; ``on_dismiss`` is called when it is closed."""

    def dismissed() -> None:
        st.session_state[_OPEN] = False
        on_dismiss()

    def decorate(draw: Callable[Given, None]) -> Callable[Given, None]:
        drawn = st.dialog(title, icon=icon, width=width, on_dismiss=dismissed)(_inside(draw))

        @wraps(draw)
        def shown(*args: Given.args, **kwargs: Given.kwargs) -> None:
            st.session_state[_OPEN] = True
            drawn(*args, **kwargs)

        return shown

    return decorate
