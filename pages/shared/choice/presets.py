"""Choices with a name: guided ones for a first look, and people's own, kept in a small file where the server runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.data.whole_file import whole_file
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice.history import DEFAULTS, State, restore, snapshot
from pages.shared.choice.visitor import alone, home, visitor_id
from pages.shared.lazy import lazy_expander

_PRESET_NEW = "preset_new"
_PRESET_SAID = "preset_said"
_OF_DATA = {keys.DATASET, keys.FOLD, keys.POSITIVE, *keys.COLUMNS, *keys.RULES, keys.RULES_OF} - {keys.MISSING}
"""What may name something of a file."""


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


def open_guided(preset: Guided) -> None:
    """Make the choice that a guided preset shows; for callbacks."""
    restore(preset.state)
