"""What a page uses of the choice: the sidebar shows no other control, and the strip stands only over a model in use.

Controls that a page does not use are only out of sight. Their state and the address are the same on every page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

DATA, FOLD, METHOD, C = "data", "fold", "method", "c"
PARAMETERS, MODEL = "parameters", "model"
CONTROLS = (DATA, FOLD, METHOD, C)
UNDER_MORE = (DATA, PARAMETERS, C)
EVERYTHING = frozenset((*CONTROLS, PARAMETERS, MODEL))
Uses = frozenset[str]


def _methods() -> Uses:
    """C is the sidebar's unless each method's is chosen on validation."""
    own = frozenset({DATA, FOLD, METHOD, PARAMETERS})
    return own if _chosen("bench_c") == "validation" else own | {C}


def _penalties() -> Uses:
    """The curves are of penalties alone; the other parts look at two features and at λ/λ_max.

    The page has sliders for the parameters of all penalties.
    """
    return frozenset({METHOD} if _chosen("part") in (None, "Curves") else CONTROLS)


_PAGES: Mapping[str, Uses | Callable[[], Uses]] = {
    "data": frozenset({DATA, FOLD}),
    "ten": frozenset({DATA, FOLD, METHOD, PARAMETERS}),
    "methods": _methods,
    "reproduce": frozenset({DATA}),
    "penalties": _penalties,
    "lessons": frozenset({DATA, FOLD}),
    "numbers": frozenset(),
    "docs": frozenset(),
}


def uses(page: str) -> Uses:
    """Return what a page uses, by its name in the address; a page that is not listed uses everything."""
    found = _PAGES.get(page, EVERYTHING)
    return found() if callable(found) else found


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


def _chosen(key: str) -> str | None:
    """What a control of the page is at; on a first visit the link says so."""
    found: str | None = st.session_state.get(key, st.query_params.get(key))
    return found
