"""What is of the choice, and what it goes back to: by Back and Forward, and Start over.

Back and Forward are the browser's: each choice, each look at a page, and each change of page is an entry of the tab
(``pages.shared.server.history.js``). The server learns of a step by the address alone: what the session has kept gives
way to it. Streamlit does so for controls that it binds to the address itself, and for no others. What an address does
not say, parameters of methods other than the chosen one, no step changes.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.data.reading import AS_IT_STANDS
from core.methods import METHODS, get_method
from pages.shared import keys
from pages.shared.choice.choice import DEFAULT_STEP
from pages.shared.choice.data import DEFAULT_DATASET, TEN_SPLITS
from pages.shared.choice.menu import parameter_key
from pages.shared.server.visits import travelled

# What session state holds of the choice, with the values a new visitor gets. Widgets of these keys are bound to the
# address, so a key that is taken away would come back from there: it is set to its default instead.
DEFAULTS: dict[str, Any] = {
    keys.DATASET: DEFAULT_DATASET,
    keys.FOLD: 1,
    keys.SCALE: "none",
    keys.CLASS_SCALE: "standard",
    keys.HOLDOUT: True,
    keys.GRADED_DIVISION: "five folds",
    keys.DIVISION: TEN_SPLITS,
    **keys.in_session(AS_IT_STANDS),
    keys.METHOD: METHODS[0].id,
    keys.SOLVER: METHODS[0].solvers[0].id,
    keys.TOL: 1e-6,
    **{f"{method.id}.tol": method.stop.tol for method in METHODS},
    keys.C: "",
    keys.RATIO_STEP: DEFAULT_STEP,
    **dict.fromkeys((*keys.RULES, keys.RULES_OF), ""),
    **{
        parameter_key(method.id, p.name): p.text(p.default) if p.choices else p.default
        for method in METHODS
        for p in method.parameters
    },
}
_READING = tuple(name for name in keys.in_session(AS_IT_STANDS) if name not in keys.BOUND)
_OURS = (keys.METHOD, keys.SOLVER, keys.C, *_READING, *keys.RULES, keys.RULES_OF)
"""Of the choice, written to the address by the pages themselves; where an address says nothing it means the default."""
_NOTES = (keys.RULES_SEEN, keys.RULES_NOTE, keys.LINK_NOTE)


def _reset() -> None:
    """Make the choice that of a new visitor."""
    for key, default in DEFAULTS.items():
        st.session_state[key] = default
    for note in _NOTES:
        st.session_state.pop(note, None)


def start_over() -> None:
    """Draw the sidebar's button for the choice of a new visitor."""
    st.button(
        "Start over", key="reset", icon=":material/restart_alt:", on_click=_reset,
        help="Resets all choices; Back brings them back.", type="tertiary",
    )  # fmt: skip


def begin() -> None:
    """After Back and Forward, forget what the address tells; each control then reads it as on a first visit.

    What only other methods or pages use is not in the address and stays.
    """
    if not travelled():
        return
    for key in (*_OURS, *_parameters(), *_NOTES):
        st.session_state.pop(key, None)
    for key in st.query_params:
        if isinstance(st.session_state.get(key), str | bool | list):
            st.session_state.pop(key)


def _parameters() -> list[str]:
    """Names of the linked method's parameters with named values."""
    named = st.query_params.get(keys.METHOD)
    if named not in {method.id for method in METHODS}:
        return []
    return [parameter_key(named, parameter.name) for parameter in get_method(named).parameters if parameter.choices]
