"""One history: Undo, Redo, Back and Forward are the same steps of one list.

The list is the browser's: each choice, each look at a page, and each change of page is an entry of the tab, and what
follows is forgotten when something else is chosen. On a page, Undo *is* Back and Redo is Forward. Only Undo never
leaves the page: where the entry before is of another page, the last choice made there is taken back here, and the
change of page is put before it, as though one had come to this page first.

For instance, Back from ``Path l1, Path log, Fit log`` leads to ``Path log``; Undo leads to ``Fit l1`` in ``Path l1,
Fit l1, Fit log``, so that Redo and Forward lead to ``Fit log``, and Back to ``Path l1``. Touches of C alone that follow
each other within two seconds are one entry. All of this is in ``pages.shared.server.history.js``; the server learns of
a step by the address alone (`pages.shared.choice.travel`), in a new session as well: after a reload or a cut, steps
lead where they led before.

Limits:

- What an address does not say, parameters of methods other than the chosen one, no step changes.
- A browser keeps fifty entries of a tab, and so many steps can be taken back.
- A link that is followed into the tab begins a new list: Back leads over it, Undo does not.
- A step back before the server has answered a press takes the press back, and the entry before it as well where the
  answer would have made the press an entry.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.methods import METHODS
from pages.shared import keys
from pages.shared.choice.data import DEFAULT_DATASET, TEN_SPLITS
from pages.shared.choice.menu import parameter_key
from pages.shared.choice.regularization import DEFAULT_STEP

_DRAWN = "choice_drawn"
_STEPS = st.components.v2.component(
    "steps",
    js=Path(__file__).with_name("steps.js").read_text(encoding="utf-8"),
    css=Path(__file__).with_name("steps.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)
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
    keys.POSITIVE: "",
    keys.CLASS_COLUMN: None,
    keys.QUERY_COLUMN: None,
    keys.RELEVANCE_COLUMN: None,
    keys.DOCUMENT_COLUMN: None,
    keys.DROP_COLUMNS: None,
    keys.MISSING: None,
    keys.GROUP: False,
    keys.DROP_COPIES: False,
    keys.METHOD: METHODS[0].id,
    keys.SOLVER: METHODS[0].solvers[0].id,
    keys.TOL: 1e-6,
    **{f"{method.id}.tol": method.stop.tol for method in METHODS},
    keys.C: "",
    keys.RATIO_STEP: DEFAULT_STEP,
    keys.OFF: "",
    keys.FORCED: "",
    keys.COST: "",
    keys.HELPS: "",
    keys.HURTS: "",
    keys.RULES_OF: "",
    **{
        parameter_key(method.id, p.name): p.text(p.default) if p.choices else p.default
        for method in METHODS
        for p in method.parameters
    },
}
_TOLD = [
    [*DEFAULTS, keys.RATIO],
    [
        {"key": "undo", "way": -1, "label": "Undo", "help": "Undo the last change", "letter": "z"},
        {"key": "redo", "way": 1, "label": "Redo", "help": "Redo the change", "letter": "y"},
    ],
]
"""The keys of the choice, and the buttons for steps of the browser, with Ctrl and a letter; each is off where there is
no such step."""
State = dict[str, Any]


def snapshot() -> State:
    """The choice as session state has it now."""
    held = st.session_state.to_dict()  # asked key by key, it would be looked through for each
    return {key: held[key] for key in DEFAULTS if key in held}


def restore(state: State) -> None:
    """Make the choice this; for callbacks, which run before the sidebar is drawn."""
    for key, default in DEFAULTS.items():
        st.session_state[key] = state.get(key, default)
    for note in (keys.LINK_NOTE, keys.RULES_NOTE, keys.RULES_SEEN):
        st.session_state.pop(note, None)


def remember() -> None:
    """Note which choice the sidebar has drawn."""
    st.session_state[_DRAWN] = _settled(snapshot())


def only_c_changed() -> bool:
    """Whether the session tells another C than when the sidebar was drawn last, and otherwise the same choice.

    That choice is then remembered as drawn, for the sidebar is about to draw it.
    """
    before: State | None = st.session_state.get(_DRAWN)
    if before is None:
        return False
    now = _settled(snapshot())
    changed = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
    only = bool(changed) and changed <= {keys.C, keys.RATIO_STEP}
    if only:
        st.session_state[_DRAWN] = now
    return only


def _settled(state: State) -> State:
    """Without what only other methods or datasets use: that is not a change of the choice."""
    method = state.get(keys.METHOD, DEFAULTS[keys.METHOD])
    used = {key: value for key, value in state.items() if "." not in key or key.startswith(f"{method}.")}
    return {key: value for key, value in used.items() if value != DEFAULTS[key]}


def row() -> DeltaGenerator:
    """Make the row of the sidebar for `controls`."""
    return st.container(horizontal=True, key="history")


def controls() -> None:
    """Undo, redo and reset of the sidebar."""
    _STEPS(data=_TOLD, width="content")
    st.button(
        "Start over", key="reset", icon=":material/restart_alt:", on_click=restore, args=({},),
        help="Reset all choices (Undo brings them back)", type="tertiary",
    )  # fmt: skip
