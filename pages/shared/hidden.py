"""What is in sight: controls that the page uses, what ``hide=`` of the address leaves; in a presentation no control.

``hide=`` names controls and parts of pages, for a teacher who shows few at a time; `core.lessons.addresses` has the
names. They are only out of sight: what they have chosen goes on to hold, and state and address are the same on every
page. A presentation shows the same page to the last row of a room, with large letters, thick lines and no controls.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import plotly.graph_objects as go
import streamlit as st

from core.figures.browser.drawing_code import SCALE
from core.lessons.addresses import PARTS_OF_A_PAGE, to_hide
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.server.visits import travelled

DATA, FOLD, METHOD, C = "data", "fold", "method", "c"
PARAMETERS, MODEL = "parameters", "model"
CONTROLS = (DATA, FOLD, METHOD, C)
UNDER_MORE = (DATA, PARAMETERS, C)
EVERYTHING = frozenset((*CONTROLS, PARAMETERS, MODEL))
Uses = frozenset[str]


def slot(used: str) -> str:
    """Key of the container in the sidebar for the controls of what is ``used``."""
    return f"choose_{used}"


def more_slot(used: str) -> str:
    """Key of the container for those that stand under *More*."""
    return f"more_{used}"


def out_of_sight(used: Uses) -> str:
    """Return the style sheet that hides the controls which a page does not use.

    A page that uses nothing has no sidebar, but on a narrow screen, where the navigation stands in it.
    """
    if not used:
        bar = '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]'
        controls = '[data-testid="stSidebarUserContent"]'
        return f"{controls} {{ display: none; }} @media (min-width: 769px) {{ {bar} {{ display: none !important; }} }}"
    boxes = [slot(one) for one in CONTROLS if one not in used] + [
        more_slot(one) for one in UNDER_MORE if one not in used
    ]
    return f":is({', '.join(f'.st-key-{box}' for box in boxes)}) {{ display: none; }}" if boxes else ""


def at(key: str) -> str | None:
    """What a control of the page is at; on a first visit the link says so."""
    found: str | None = st.session_state.get(key, st.query_params.get(key))
    return found


HIDE = "hide"  # in the address, too
_NAMES = "hidden_names"
_MOST, _LONGEST = 20, 40  # names that are read of an address, and letters of one that are quoted
_OF_CHOICE = {
    keys.DATASET: DATA,
    keys.FOLD: FOLD,
    keys.METHOD: METHOD,
    keys.C: C,
    keys.RATIO: C,
}
_PLACES = {
    "sidebar": '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    "strip": ".st-key-headline",
    "tools": ".st-key-tools, .st-key-lab_tools",
    "handle": ".handle, .handle-grip",
    "legend": ".js-plotly-plot .legend",
    "title": '[data-testid="stMain"] h2, [class^="heading-"]',
    "table": '[class*="st-key-keep_"]',
}
"""Where the parts of a page stand."""
assert set(_PLACES) == set(PARTS_OF_A_PAGE)


def begin(step: Collection[str] = ()) -> None:
    """Read what is hidden, hide it, and draw the line with the way out.

    ``step`` is what the step of a lesson hides here until its result is shown.
    """
    if travelled():
        st.session_state.pop(HIDE, None)
    asked: str = address.read(HIDE, "")
    hidden = frozenset(step) | {name for name in _named(asked) if name in to_hide()}
    st.session_state[_NAMES] = hidden
    address.write(HIDE, asked or None)
    if places := [_place(name) for name in sorted(hidden)]:
        st.html(f"<style>:is({', '.join(places)}) {{ display: none !important; }}</style>")


def notice() -> None:
    """Say what the address hides, and what of it there is not; with a button that shows everything."""
    asked = _named(st.session_state.get(HIDE) or "")
    if not asked:
        return
    unknown = [name for name in asked if name not in to_hide()]
    with st.container(key="hidden_note", horizontal=True, vertical_alignment="center"):
        if unknown:
            named = ", ".join(f"“{name[:_LONGEST]}”" for name in unknown)
            st.warning(in_markdown(f"There is no control {named} to hide."))
        else:
            st.caption("The address of this page hides some of it.")
        st.button(
            "Show everything", key="show_everything", icon=":material/visibility:", type="tertiary",
            on_click=st.session_state.update, args=({HIDE: ""},),
        )  # fmt: skip


def names() -> frozenset[str]:
    """What is hidden on this page, as `begin` has read it."""
    found: frozenset[str] = st.session_state.get(_NAMES, frozenset())
    return found


def description(figure: go.Figure, alt: str) -> str:
    """What a screen reader says of a picture: of one whose title is hidden only which series it has."""
    if "title" not in names():
        return alt
    named = dict.fromkeys(re.sub(r"<[^>]*>", "", trace.name or "").strip() for trace in figure.data)
    told = [name for name in named if name][:_MOST]
    return f"Some of this picture is hidden. It shows {', '.join(told)}." if told else "Some of this picture is hidden."


def _named(asked: str) -> list[str]:
    return [name.strip() for name in asked.split(",") if name.strip()][:_MOST]


def _place(name: str) -> str:
    """Selectors of a part of the page, or of a control with what holds it; names are known ones."""
    if name in _PLACES:
        return _PLACES[name]
    own = f".st-key-{name}, .st-key-{name}_more"
    used = _OF_CHOICE.get(name)
    return own if used is None else f"{own}, .st-key-{slot(used)}, .st-key-{more_slot(used)}"


_PRESENT = "present"  # in the address, too


def presenting() -> bool:
    """Whether the page is shown to a room."""
    return bool(st.session_state.get(_PRESENT))


def begin_presentation() -> None:
    """Read from the address whether a presentation was linked."""
    if _PRESENT not in st.session_state or travelled():
        st.session_state[_PRESENT] = st.query_params.get(_PRESENT) == "1"
    address.write(_PRESENT, "1" if presenting() else None)


def present_switch() -> None:
    """Draw the way in or out."""
    on = presenting()
    st.button(
        "" if on else "Present",
        key="present_switch",
        icon=":material/close_fullscreen:" if on else ":material/slideshow:",
        type="tertiary",
        shortcut="F2",
        on_click=_switch,
        help="Back to the controls" if on else "Large letters, no controls",
    )


def scale() -> float:
    """How much larger than usual everything is."""
    return SCALE if presenting() else 1.0


def _switch() -> None:
    st.session_state[_PRESENT] = not presenting()
