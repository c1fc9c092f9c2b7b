"""Rules for features in the choice: kept by the session, written to the address, undone like the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.features.rules import RULE_NAMES, Rules, read_rules
from core.content import text_key
from core.methods import Method
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.choice import Source

_KEYS = dict(zip(RULE_NAMES, keys.RULES, strict=True))
_OF_OTHER_DATA = "rules_of_other_data"
Texts = Mapping[str, str]
NONE: Texts = dict.fromkeys(RULE_NAMES, "")


@dataclass(frozen=True)
class _Seen:
    """Of which data the session's rules are."""

    data: tuple[str, str]
    names: tuple[str, ...]
    texts: Texts


def choose_rules(source: Source, names: Sequence[str]) -> Rules:
    """The rules for the chosen data; a link's for a new visitor, and none for data that never had any."""
    data, names = (source.name, source.upload), tuple(names)
    given = _go_over_to(data, names, {name: address.read(key, "") for name, key in _KEYS.items()})
    rules, problem = read_rules(given, len(names))
    if problem:
        st.session_state[keys.RULES_NOTE] = problem
    texts = rules.texts()
    if texts != given:
        _keep(texts)
    st.session_state[keys.RULES_SEEN] = _Seen(data, names, texts)
    st.session_state[keys.RULES_OF] = _mark(names) if any(texts.values()) else ""
    for key in (*_KEYS.values(), keys.RULES_OF):
        address.write(key, st.session_state[key] or None)
    return rules


def rules_line(rules: Rules, method: Method, refusal: str) -> None:
    """What holds, in the sidebar, with the way to take it back; nothing where there are no rules.

    ``refusal`` says why the chosen method or solver cannot keep to them, if it cannot.
    """
    if note := st.session_state.get(keys.RULES_NOTE):
        st.warning(note)
    if not rules.active:
        return
    if refusal:
        st.warning(f"These rules cannot be used here: {in_markdown(refusal)}.")
    with st.container(horizontal=True, vertical_alignment="center", key="rules_line"):
        beside = "" if method.separable else f", but {method.title} keeps every feature"
        st.caption(f":material/science: {in_markdown(rules.words)}{beside}", width="content")
        no_rules_button("Remove", rules, key="rules_reset", type="tertiary")


def no_rules_button(label: str, rules: Rules, **options: Any) -> None:
    """Draw a button that takes all rules back; options are those of ``st.button``."""
    st.button(
        label, on_click=use_rules, args=(Rules(rules.n_features),), **options,
        help="Removes all rules: every feature on, none forced in, signs free, costs 1. Back brings them back.",
    )  # fmt: skip


def use_rules(rules: Rules) -> None:
    """Make these the rules of every page; for callbacks, which run before the sidebar is drawn."""
    _keep(rules.texts())
    st.session_state.pop(keys.RULES_NOTE, None)


def forget_rules() -> None:
    """The data becomes another one, which has no rules; for callbacks."""
    _keep(NONE)
    st.session_state.pop(keys.RULES_SEEN, None)
    st.session_state.pop(keys.RULES_NOTE, None)


def _mark(names: tuple[str, ...]) -> str:
    return text_key(names)[:8]


def _keep(texts: Texts) -> None:
    for name, key in _KEYS.items():
        st.session_state[key] = texts[name]


def _go_over_to(data: tuple[str, str], names: tuple[str, ...], texts: Texts) -> Texts:
    """Return the rules for this data, where the session has ``texts``.

    Rules are of one dataset: each has its own, and where its columns change they go along by name.
    """
    seen: _Seen | None = st.session_state.get(keys.RULES_SEEN)
    if seen is None and any(texts.values()) and address.read(keys.RULES_OF, "") not in ("", _mark(names)):
        st.session_state[keys.RULES_NOTE] = (
            "The rules for features were set for other columns, or for these in another order: none is used. Set them "
            "again."
        )
        _keep(NONE)
        return NONE
    if seen is None or (seen.data, seen.names) == (data, names):
        return texts
    if seen.data != data:
        others: dict[tuple[str, str], _Seen] = st.session_state.setdefault(_OF_OTHER_DATA, {})
        others[seen.data] = seen
        seen = others.get(data, _Seen(data, names, NONE))
        st.session_state.pop(keys.RULES_NOTE, None)
    texts = seen.texts
    if seen.names != names:
        old, _ = read_rules(texts, len(seen.names))
        place = {name: j for j, name in enumerate(names)}
        there = {j: place[name] for j, name in enumerate(seen.names) if name in place}
        texts = old.renumbered(there, len(names)).texts()
    _keep(texts)
    return texts
