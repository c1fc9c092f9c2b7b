"""Popovers and expanders rendered only while open.

Each is a fragment: opening and closing reruns the box, not the page. A callback in it that changes what stands
outside has to call ``st.rerun``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.server.visits import begin_run


def lazy_popover(label: str, draw: Callable[[], None], *, key: str, **options: Any) -> None:
    """A popover whose content is drawn while it is open.

    Parameters
    ----------
    label : str
    draw : callable
        Draws the content. It must not hold controls whose values the page reads, unless their state persists.
    key : str
        True in the session while it is open.
    **options
        Others of ``st.popover``.
    """
    _unfolding(st.popover, label, draw, key, options)


def lazy_expander(label: str, draw: Callable[[], None], *, key: str, **options: Any) -> None:
    """An expander whose content is drawn while it is open; as `lazy_popover`."""
    _unfolding(st.expander, label, draw, key, options)


@st.fragment
def _unfolding(
    make: Callable[..., DeltaGenerator], label: str, draw: Callable[[], None], key: str, options: dict[str, Any]
) -> None:
    begin_run()
    # Fragments are told apart by where they stand, so several of a page do not meet.
    box = make(label, key=key, on_change="rerun", **options)
    if is_open(box):
        with box:
            draw()


def is_open(box: DeltaGenerator) -> bool:
    """Whether a person has unfolded the box."""
    return bool(getattr(box, "open", False))
