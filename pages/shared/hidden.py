"""What an address hides: ``hide=`` names controls, series and parts of pages, for a teacher who shows few at a time.

Controls and parts are only out of sight: what they have chosen goes on to hold. Series are not sent to the browser, nor
are the numbers beneath their picture. `core.lessons.addresses` has the names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import plotly.graph_objects as go
import streamlit as st

from core.lessons.addresses import PARTS_OF_A_PAGE, series, to_hide
from core.methods import METHODS, get_method
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import address, uses
from pages.shared.choice.menu import menu_title
from pages.shared.server.visits import travelled

HIDE = "hide"  # in the address, too
_NAMES = "hidden_names"
_MOST, _LONGEST = 20, 40  # names that are read of an address, and letters of one that are quoted
_OF_CHOICE = {
    keys.DATASET: uses.DATA,
    keys.FOLD: uses.FOLD,
    keys.METHOD: uses.METHOD,
    keys.C: uses.C,
    keys.RATIO: uses.C,
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

    Parameters
    ----------
    step : collection of str
        What the step of a lesson hides here until its result is shown.
    """
    asked: str | None = st.session_state.get(HIDE)
    if asked is None or travelled():
        asked = st.query_params.get(HIDE, "")
        if asked:
            st.session_state[HIDE] = asked
        else:
            st.session_state.pop(HIDE, None)
    hidden = frozenset(step) | {name for name in _named(asked) if name in to_hide()}
    if hidden:
        st.session_state[_NAMES] = hidden
    else:
        st.session_state.pop(_NAMES, None)
    address.write(HIDE, asked or None)
    if places := [_place(name) for name in sorted(hidden - series())]:
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
            st.warning(in_markdown(f"There is no control or series {named} to hide."))
        else:
            st.caption("The address of this page hides some of it.")
        st.button(
            "Show everything", key="show_everything", icon=":material/visibility:", on_click=_show, type="tertiary"
        )


def names() -> frozenset[str]:
    """What is hidden on this page, as `begin` has read it."""
    found: frozenset[str] = st.session_state.get(_NAMES, frozenset())
    return found


def hidden_series() -> frozenset[str]:
    """The methods and solvers that pictures of this page leave out."""
    return names() & series()


def shown(methods: Sequence[str]) -> list[str]:
    """The methods of a picture that this page does not hide; its sentences then do not tell of the others either."""
    return [method for method in methods if method not in hidden_series()]


def looks() -> tuple[frozenset[str], bool, bool]:
    """What of this changes a picture: series that are left out, whether C can be dragged, and its sentence."""
    found = names()
    return found & series(), "handle" in found, "title" in found


def keeps_numbers() -> bool:
    """Whether the numbers of a picture may stand beneath it."""
    found = names()
    return "table" not in found and not found & series()


def picture(figure: go.Figure) -> go.Figure:
    """The figure as this page shows it: without hidden series."""
    return without(figure, hidden_series())


def description(figure: go.Figure, alt: str) -> str:
    """What a screen reader says of a picture: of one whose title or series are hidden only which series are left."""
    left = picture(figure)
    if "title" not in names() and left is figure:
        return alt
    named = dict.fromkeys(_plain(trace.name) for trace in left.data if trace.visible is not False)
    told = [name for name in named if name][:_MOST]
    return f"Some of this picture is hidden. It shows {', '.join(told)}." if told else "Some of this picture is hidden."


def without(figure: go.Figure, series: Collection[str]) -> go.Figure:
    """The figure without the traces and words of some methods or solvers, named by their ids."""
    titles = [title for name in series for title in _titles(name)]
    if not titles:
        return figure
    if not any(_is_of(one, titles) for one in _written(figure)):
        return figure
    left = go.Figure(figure)
    left.for_each_trace(lambda trace: trace.update(visible=False) if _is_of(trace.name, titles) else None)
    left.layout.annotations = [one for one in left.layout.annotations if not _is_of(one.text, titles)]
    return left


def _written(figure: go.Figure) -> list[str | None]:
    """Names of traces, and words within a figure."""
    return [*(trace.name for trace in figure.data), *(one.text for one in figure.layout.annotations)]


def _named(asked: str) -> list[str]:
    """The names in ``hide=`` of an address."""
    return [name.strip() for name in asked.split(",") if name.strip()][:_MOST]


def _show() -> None:
    st.session_state[HIDE] = ""


def _place(name: str) -> str:
    """Selectors of a part of the page, or of a control with what holds it; names are known ones."""
    if name in _PLACES:
        return _PLACES[name]
    own = f".st-key-{name}, .st-key-{name}_more"
    used = _OF_CHOICE.get(name)
    return own if used is None else f"{own}, .st-key-{uses.slot(used)}, .st-key-{uses.more_slot(used)}"


def _titles(name: str) -> list[str]:
    """How pictures call a method or solver."""
    if name in {method.id for method in METHODS}:
        return [get_method(name).title, menu_title(name)]
    return [solver.title for method in METHODS for solver in method.solvers if solver.id == name]


def _is_of(words: str | None, titles: Collection[str]) -> bool:
    """Whether a name in a picture is one of these titles, or begins with one and says more."""
    plain = _plain(words)
    return any(plain == title or re.match(rf"{re.escape(title)}\s*[,:(·]", plain) for title in titles)


def _plain(words: str | None) -> str:
    return re.sub(r"<[^>]*>", "", words or "").strip()
