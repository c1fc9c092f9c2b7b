"""Undo, redo and reset of the choice: the browser's Back does not undo a widget, so the frame does."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.methods import METHODS
from pages.shared import keys
from pages.shared.choice.c import DEFAULT_STEP
from pages.shared.choice.data import DEFAULT_DATASET, TEN_SPLITS
from pages.shared.choice.menu import parameter_key

_HISTORY = "history"
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
    **{
        parameter_key(method.id, p.name): p.text(p.default) if p.choices else p.default
        for method in METHODS
        for p in method.parameters
    },
}
LONGEST = 100
RUN = 2.0  # seconds between steps of C that are one move of the hand

State = dict[str, Any]


@dataclass
class History:
    """States in order, and where one stands among them."""

    states: list[State] = field(default_factory=list)
    position: int = -1
    _last_step: float | None = None  # when C was moved, if nothing else has been changed since

    def record(self, state: State, step_of_c: float | None = None) -> None:
        """Remember a state that differs from the present one; what was undone is then forgotten.

        ``step_of_c`` is the time (seconds) of a change of C alone: steps that follow each other within `RUN` are one
        state.
        """
        if self.states and self.states[self.position] == state:
            return
        before, self._last_step = self._last_step, step_of_c
        if before is not None and step_of_c is not None and step_of_c - before < RUN and not self.can_redo:
            self.states[self.position] = state
            return
        self.states = [*self.states[: self.position + 1], state][-LONGEST:]
        self.position = len(self.states) - 1

    def replace(self, state: State) -> None:
        """The present state, completed: the same choice with widgets that have appeared since."""
        if self.states:
            self.states[self.position] = state

    @property
    def can_undo(self) -> bool:
        return self.position > 0

    @property
    def can_redo(self) -> bool:
        return self.position < len(self.states) - 1

    def step(self, by: int) -> State:
        """Move and return the state there."""
        self.position = min(max(self.position + by, 0), len(self.states) - 1)
        self._last_step = None
        return self.states[self.position]


def history() -> History:
    """This session's."""
    kept: History = st.session_state.setdefault(_HISTORY, History())
    return kept


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
    """Record the choice once the sidebar has drawn it."""
    state, kept, of_c = snapshot(), history(), only_c_changed()
    if kept.states and _settled(state) == _settled(kept.states[kept.position]):
        kept.replace(state)
    else:
        kept.record(state, time.monotonic() if of_c else None)


def only_c_changed() -> bool:
    """Whether the session tells another C than when the sidebar was drawn last, and otherwise the same choice."""
    kept = history()
    if not kept.states:
        return False
    before, now = _settled(kept.states[kept.position]), _settled(snapshot())
    changed = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
    return bool(changed) and changed <= {keys.C, keys.RATIO_STEP}


def _settled(state: State) -> State:
    """Without what only other methods or datasets use: that is not a change of the choice."""
    method = state.get(keys.METHOD, DEFAULTS[keys.METHOD])
    used = {key: value for key, value in state.items() if "." not in key or key.startswith(f"{method}.")}
    return {key: value for key, value in used.items() if value != DEFAULTS[key]}


def controls() -> None:
    """Undo, redo and reset, on top of the sidebar."""
    kept = history()
    can_undo = kept.can_undo or _is_unrecorded(kept)
    with st.container(horizontal=True, key=_HISTORY):
        st.button(
            "Undo", key="undo", icon=":material/undo:", disabled=not can_undo, on_click=_move, args=(-1,),
            help="The choice before", type="tertiary", shortcut="Ctrl+Z",
        )  # fmt: skip
        st.button(
            "Redo", key="redo", icon=":material/redo:", disabled=not kept.can_redo, on_click=_move, args=(1,),
            help="The choice after", type="tertiary", shortcut="Ctrl+Y",
        )  # fmt: skip
        st.button(
            "Start over", key="reset", icon=":material/restart_alt:", on_click=restore, args=({},),
            help="Every choice of this sidebar as at the start; Undo takes it back", type="tertiary",
        )  # fmt: skip


def _is_unrecorded(kept: History) -> bool:
    """Whether the present choice is not among the states, because nothing could be made of it."""
    return bool(kept.states) and _settled(snapshot()) != _settled(kept.states[kept.position])


def _move(by: int) -> None:
    kept = history()
    restore(kept.step(0 if by < 0 and _is_unrecorded(kept) else by))
