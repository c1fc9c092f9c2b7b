"""What is of the choice, and what it goes back to: by Back and Forward, Start over, and saved choices.

Back and Forward are the browser's: each choice, each look at a page, and each change of page is an entry of the tab
(``pages.shared.server.history.js``). The server learns of a step by the address alone: what the session has kept gives
way to it. Streamlit does so for controls that it binds to the address itself, and for no others. What an address does
not say, parameters of methods other than the chosen one, no step changes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from core.data.files.disk import whole_file
from core.data.reading import AS_IT_STANDS
from core.methods import METHODS, get_method
from core.names.plain import in_markdown
from core.program import home
from pages.shared import keys
from pages.shared.choice.choice import DEFAULT_STEP
from pages.shared.choice.data import DEFAULT_DATASET, TEN_SPLITS
from pages.shared.choice.menu import parameter_key
from pages.shared.choice.visitor import alone, visitor_id
from pages.shared.lazy import lazy_expander
from pages.shared.server.visits import travelled

_DRAWN = "choice_drawn"
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
_OF_DATA = {keys.DATASET, keys.FOLD, *keys.NAMING, *keys.RULES, keys.RULES_OF}
"""What may name something of a file."""
_NOTES = (keys.RULES_SEEN, keys.RULES_NOTE, keys.LINK_NOTE)
_PRESET_NEW = "preset_new"
_PRESET_SAID = "preset_said"
State = dict[str, Any]


def snapshot() -> State:
    """The choice as session state has it now."""
    held = st.session_state.to_dict()  # asked key by key, it would be looked through for each
    return {key: held[key] for key in DEFAULTS if key in held}


def restore(state: State) -> None:
    """Make the choice this; for callbacks, which run before the sidebar is drawn."""
    for key, default in DEFAULTS.items():
        st.session_state[key] = state.get(key, default)
    for note in _NOTES:
        st.session_state.pop(note, None)


def remember() -> None:
    """Note which choice the sidebar has drawn."""
    st.session_state[_DRAWN] = _settled(snapshot())


def only_c_changed() -> bool:
    """Whether the session tells another C than when the sidebar was drawn last, and otherwise the same choice."""
    before: State | None = st.session_state.get(_DRAWN)
    if before is None:
        return False
    now = _settled(snapshot())
    changed = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
    return bool(changed) and changed <= {keys.C, keys.RATIO_STEP}


def _settled(state: State) -> State:
    """Without what only other methods or datasets use: that is not a change of the choice."""
    method = state.get(keys.METHOD, DEFAULTS[keys.METHOD])
    used = {key: value for key, value in state.items() if "." not in key or key.startswith(f"{method}.")}
    return {key: value for key, value in used.items() if value != DEFAULTS[key]}


def start_over() -> None:
    """Draw the sidebar's button for the choice of a new visitor."""
    st.button(
        "Start over", key="reset", icon=":material/restart_alt:", on_click=restore, args=({},),
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


@dataclass(frozen=True)
class Guided:
    """A prepared view: what to look for, the choice that shows it, and the page to see it on."""

    title: str
    sentence: str
    page: str
    state: State


GUIDED = (
    Guided(
        "Why log is sparser than ℓ1",
        "ℓ1 pulls every weight towards 0 with the same force, so it needs more features to make up for that. log "
        "hardly shrinks large weights, so it needs fewer features for the same NDCG@10.",
        "path",
        {keys.DATASET: "python-docs", keys.METHOD: "log", keys.RATIO_STEP: 52},
    ),
    Guided(
        "C too large, C too small",
        "If C is too small, the model is empty. If C is too large, it keeps every feature and ranks worse on the "
        "validation part. The best C lies in between.",
        "path",
        {keys.DATASET: "planted", keys.METHOD: "l1", keys.RATIO_STEP: 24},
    ),
    Guided(
        "Redundant features",
        "Eight features matter, and each has near copies. Which of them does a penalty keep?",
        "features",
        {keys.DATASET: "planted", keys.METHOD: "l1", keys.RATIO_STEP: 20},
    ),
)


def file() -> Path:
    """Where saved choices are kept: of one person on his own machine, or of each visitor of a server."""
    return home() / ("presets.json" if alone() else f"presets/{visitor_id()}.json")


def saved() -> dict[str, State]:
    """Saved choices by name.

    Raises
    ------
    ValueError
        If the file is damaged, with its name and what to do.
    """
    try:
        read = json.loads(file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        read = None
    if not isinstance(read, dict) or not all(isinstance(state, dict) for state in read.values()):
        msg = f"{file().name} cannot be read and has not been changed; fix or move it to save choices again"
        raise ValueError(msg)
    return {name: {key: state[key] for key in state if key in DEFAULTS} for name, state in read.items()}


def save(name: str, state: State) -> None:
    """Keep a choice under a name, in place of one of the same name. Written whole or not at all."""
    _write(saved() | {name: state})


def delete(name: str) -> None:
    """Forget a saved choice."""
    _write({kept: state for kept, state in saved().items() if kept != name})


def _write(states: dict[str, State]) -> None:
    with whole_file(file()) as written:
        written.write(json.dumps(states, indent=1, ensure_ascii=False).encode())


def panel() -> None:
    """Save, open and delete, in the sidebar."""
    lazy_expander("Saved choices", _panel, key="presets", icon=":material/star:")


def _panel() -> None:
    try:
        names = list(saved())
    except ValueError as error:
        st.error(in_markdown(str(error)))
        return
    if names:
        name = st.selectbox(
            "Open", names, key="preset_name", persist_state="session", help="Your choices, saved on this machine"
        )
        with st.container(horizontal=True):
            st.button("Open", key="preset_open", on_click=_open, args=(name,))
            st.button("Delete", key="preset_delete", on_click=_delete, args=(name,), type="tertiary")
    else:
        st.caption("None saved yet.")
    st.text_input("Save the current choices as", key=_PRESET_NEW, persist_state="session", placeholder="a name")
    st.button(
        "Save",
        key="preset_save",
        on_click=_save,
        help="Data, penalty, solver and C, but nothing from your own files",
    )
    # Not a toast: what a callback of a fragment sends takes the place of the page's style sheet. It stays while the
    # name does, until the next action here: a run that follows at once would take it away before anybody has read it.
    said, about = st.session_state.get(_PRESET_SAID, ("", None))
    if said and about == _typed():
        st.caption(said)


def _typed() -> str:
    return str(st.session_state.get(_PRESET_NEW) or "")


def _say(sentence: str) -> None:
    st.session_state[_PRESET_SAID] = (sentence, _typed())


def _delete(name: str) -> None:
    _say("")
    delete(name)


def _open(name: str) -> None:
    _say("")
    restore(saved().get(name, {}))
    st.rerun()  # the sidebar and the page stand outside of the panel


def _save() -> None:
    name = _typed().strip()
    if not name:
        _say("Enter a name first.")
        return
    try:
        own = st.session_state.get(keys.DATASET) in st.session_state.get(keys.MY_UPLOADS, {})
        save(name, {key: value for key, value in snapshot().items() if not (own and key in _OF_DATA)})
        _say(f"Saved as “{in_markdown(name)}”.")
    except OSError as error:
        _say(f"The choices could not be saved: {error.strerror}.")
