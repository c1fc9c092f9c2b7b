"""Presentation: the same page for the last row of a room, with large letters, thick lines and no controls."""

from __future__ import annotations

from contextlib import nullcontext

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.look.large import SCALE, enlarged
from pages.shared.choice import address
from pages.shared.server.visits import travelled

_PRESENT = "present"  # in the address, too
KEY = "F2"


def presenting() -> bool:
    """Whether the page is shown to a room."""
    return bool(st.session_state.get(_PRESENT))


def begin() -> None:
    """Read from the address whether a presentation was linked."""
    if _PRESENT not in st.session_state or travelled():
        st.session_state[_PRESENT] = st.query_params.get(_PRESENT) == "1"
    address.write(_PRESENT, "1" if presenting() else None)


def switch() -> None:
    """Draw the way in or out."""
    on = presenting()
    st.button(
        "" if on else "Present",
        key="present_switch",
        icon=":material/close_fullscreen:" if on else ":material/slideshow:",
        type="tertiary",
        shortcut=KEY,
        on_click=_switch,
        help="Back to the controls" if on else "Large letters, no controls",
    )


def stage() -> DeltaGenerator | nullcontext[None]:
    """Where the page is drawn: in a presentation in another place, so that each of its tables is a new one."""
    return st.container(key="presented") if presenting() else nullcontext()


def picture(figure: go.Figure) -> go.Figure:
    """The figure as this page shows it: larger for a room."""
    return enlarged(figure) if presenting() else figure


def scale() -> float:
    """How much larger than usual everything is."""
    return SCALE if presenting() else 1.0


def _switch() -> None:
    st.session_state[_PRESENT] = not presenting()
