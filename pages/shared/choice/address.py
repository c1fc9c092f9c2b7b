"""Values of controls between session, address and browser, and one notice of what a link asked for and has not got.

A browser's message brings along the values of all controls. Where it has not met the last answer, these are the values
from before, and Streamlit would take them for the visitor's. So a control that a page may set itself is `versioned`: it
has a new key whenever a page has set its value, which stands in the session under a name of its own. What comes under
an older key no longer counts.

Controls read their values from the address and write back what they took: what a link asked for and is not there any
more was replaced. It is compared once, after the first page of a visit has been drawn.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.cli.options import HUGE, TINY
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice.choice import read_c
from pages.shared.server.visits import travelled

_SHOWN = "versioned_controls"


def write(key: str, value: str | None) -> None:
    """Have the address say so, for links; of None it says nothing.

    Where it does already, nothing is sent: every message costs the server and the browser work.
    """
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != [value]:
        st.query_params[key] = value


def read(key: str, usual: str | None = None) -> Any:
    """What the session has by this name; for a new visitor what the address says, else ``usual``."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, usual)
    return st.session_state[key]


def begin(key: str, offered: Collection[str], first: str) -> None:
    """Have the session hold one of the values offered: for a new visitor what the address says, else ``first``."""
    if st.session_state.get(key) not in offered:
        named = st.query_params.get(key)
        st.session_state[key] = named if named in offered else first


def versioned(name: str, then: Callable[[], None] | None = None, *, of: str = "") -> dict[str, Any]:
    """Options of a control (key and callback) that shows ``st.session_state[name]``, where it begins, and writes it.

    ``then`` is called after the visitor has changed it. ``of`` is what the control's options are made from: others make
    another control.
    """
    shown: dict[str, tuple[int, str, object]] = st.session_state.setdefault(_SHOWN, {})
    number, _, value = shown.get(name, (0, "", None))
    if not number or value != st.session_state[name]:
        number += 1
    key = f"{name}~{number}{of}"
    shown[name] = number, key, st.session_state[name]
    return {"key": key, "on_change": _take, "args": (name, key, then)}


def _take(name: str, key: str, then: Callable[[], None] | None) -> None:
    """Take what the visitor has chosen, unless the page has set another value since the control was drawn."""
    shown: dict[str, tuple[int, str, object]] = st.session_state[_SHOWN]
    number, now, _ = shown[name]
    if now != key:
        return
    st.session_state[name] = st.session_state[key]
    shown[name] = number, key, st.session_state[key]
    if then is not None:
        then()


Value = TypeVar("Value")
Name = TypeVar("Name", bound=str)
_LINK = "link"
_FIRST = (keys.DATASET, keys.FOLD, keys.METHOD)
_MOST, _LONGEST = 12, 40  # parameters named, and characters of one
_NEAR = 0.13  # a step of the slider of C is 12 %


@dataclass
class _Link:
    asked: dict[str, str] = field(default_factory=dict)  # what it asks for, until the first page has been drawn
    # Values of controls by their labels, by the names of the controls.
    labels: dict[str, dict[str, Any]] = field(default_factory=dict)


def _link() -> _Link:
    found: _Link | None = st.session_state.get(_LINK)
    return _Link() if found is None else found


def begin_visit() -> None:
    """Remember what the address asks for when a visit begins."""
    if _LINK not in st.session_state:
        st.session_state[_LINK] = _Link(st.query_params.to_dict())


def asked(key: str) -> str | None:
    """What the link of this visit says of a parameter, until the first page has been drawn."""
    return _link().asked.get(key)


def spell(key: str, labels: Mapping[Any, str]) -> None:
    """Let a link name a value as well as its label, which is all that a control bound to the address reads."""
    text = asked(key)
    if text is None:
        return
    _link().labels[key] = {label: value for value, label in labels.items()}
    meant = [value for value in labels if _denotes(text, value)]
    if meant and text not in labels.values():
        _link().asked[key] = labels[meant[0]]
        write(key, labels[meant[0]])
        st.rerun()  # the browser takes a spelling that it does not know out of the address in this run


def one_of(
    label: str, values: Mapping[Value, str] | Sequence[Value], *, key: str, begins: Value | None = None, **options: Any
) -> Value:
    """One of some values in a row, in the address by its title; a link may also have the value.

    ``values`` have titles where these are not what they are called themselves; a new visitor ``begins`` with the first,
    unless it says otherwise. The label is out of sight, unless ``options``, others of ``st.segmented_control``, say so;
    with ``bind=None`` the address says nothing of it.
    """
    titles = dict(values) if isinstance(values, Mapping) else {value: str(value) for value in values}
    how = {"label_visibility": "collapsed", "bind": "query-params"} | options
    if how["bind"] is not None:
        spell(key, titles)
    first = next(iter(titles)) if begins is None else begins
    chosen = st.segmented_control(
        label, list(titles), default=first, required=True, format_func=titles.__getitem__, key=key, **how
    )
    return first if chosen is None else chosen


def by_id(label: str, titles: Mapping[Name, str], first: Name, *, key: str, **options: Any) -> Name:
    """The same with a value that is in the address by itself rather than by its title."""
    begin(key, titles, first)
    picked: Name | None = st.segmented_control(
        label, list(titles), format_func=lambda name: titles.get(name, name), required=True, key=key,
        persist_state="session", **options,
    )  # fmt: skip
    write(key, picked or first)
    return picked or first


def from_list(label: str, offered: Sequence[Name], *, key: str, **options: Any) -> Name:
    """One of some values in a list, at first the first, in the address as it is called.

    ``options`` are others of ``st.selectbox``.
    """
    begin(key, offered, offered[0])
    chosen: Name = st.selectbox(label, offered, key=key, label_visibility="collapsed", **options)
    write(key, chosen)
    return chosen


def ask_further(questions: Mapping[str, str], *, key: str, help: str = "") -> str | None:
    """Let a reader ask one of the further questions of a page; the address has its name. None is asked at first.

    A link may have the question itself.
    """
    if key not in st.session_state or travelled():
        text = st.query_params.get(key)
        named = (name for name, question in questions.items() if text in (name, question))
        st.session_state[key] = next(named, None)
        if text is not None and st.session_state[key] is not None:
            _link().asked.pop(key, None)  # it is used, in whatever words
    now = st.session_state[key] if st.session_state[key] in questions else None
    with st.container(key=key):
        asked: str | None = st.pills(
            "Ask further", list(questions), default=now, format_func=questions.__getitem__,
            label_visibility="collapsed", help=f"Each answer unfolds beneath and is computed only then. {help}".strip(),
            **versioned(key, of=",".join(questions)),
        )  # fmt: skip
    write(key, asked)
    return asked


def look(used: Mapping[str, str]) -> bool:
    """Compare what the sidebar has drawn; whether there is something to say before the page, which may take a while."""
    return _noted({key: text for key, text in _link().asked.items() if key in _FIRST}, used)


def end(used: Mapping[str, str]) -> None:
    """Compare once the page has been drawn, and keep what to say.

    ``used`` is what the page has used, in the words of its controls, by the link's names; empty without a choice.
    """
    asked_for = _link().asked
    if not asked_for or keys.WANTED_DATA in st.session_state:
        return  # the rest of the link waits for its data
    _link().asked = {}
    _noted(asked_for, used)


def _noted(asked_for: Mapping[str, str], used: Mapping[str, str]) -> bool:
    """Whether some of this could not be used, which is then kept to be said."""
    bad = {key: text for key, text in asked_for.items() if not _used(key, text)}
    if bad:
        st.session_state[keys.LINK_NOTE] = _words(bad, used)
    return bool(bad)


def notice(place: DeltaGenerator, key: str = "link_notice") -> None:
    """Draw the notice, which stays until something else is chosen, in ``place``; ``key`` is that of its container."""
    if note := st.session_state.get(keys.LINK_NOTE):
        with place.container(key=key):
            st.warning(note)


def _used(key: str, text: str) -> bool:
    if key == keys.C:
        return _is_c(text) if text.strip() else True
    if key == keys.RATIO and _is_c(st.query_params.get(keys.C, "")):  # it follows from C
        return True
    now = st.query_params.get(key)
    if now == text or (now is None and key not in st.session_state):  # of another page
        return True
    if now is not None:
        try:
            return abs(math.log(float(text) / float(now))) < _NEAR
        except (ValueError, ZeroDivisionError, OverflowError):
            return sorted(text.casefold().split(",")) == sorted(now.casefold().split(","))
    value = st.session_state[key]
    return _denotes(_link().labels.get(key, {}).get(text, text), value)


def _denotes(text: Any, value: Any) -> bool:
    if text == value:
        return True
    if isinstance(value, bool):
        return str(text).casefold() == str(value).casefold()
    if isinstance(value, int | float):
        try:
            return float(text) == value
        except (TypeError, ValueError):
            return False
    if isinstance(value, list | tuple | set | frozenset):
        return _listed(str(text).split(",")) == _listed(value)
    return str(text).casefold() == str("" if value is None else value).casefold()


def _listed(values: Iterable[Any]) -> list[str]:
    return sorted(str(value) for value in values if str(value))


def _is_c(text: str) -> bool:
    with suppress(ValueError):
        read_c(text)
        return True
    return False


def _words(bad: Mapping[str, str], used: Mapping[str, str]) -> str:
    if list(bad) == [keys.C]:
        instead = f"; this page uses {used[keys.C]}" if keys.C in used else ""
        return in_markdown(
            f"The link's C “{_short(bad[keys.C])}” is not a positive number from {TINY:g} to {HUGE:g}{instead}."
        )
    named = [f"{_short(key)} “{_short(text)}”" for key, text in list(bad.items())[:_MOST]]
    more = f" and {len(bad) - _MOST} more" if len(bad) > _MOST else ""
    now = {
        key: used.get(key, None if key == keys.C else st.query_params.get(key, st.session_state.get(key)))
        for key in list(bad)[:_MOST]
    }
    shown = [f"{_short(key)} {_short(str(value))}" for key, value in now.items() if value not in (None, "")]
    instead = f"; this page uses {', '.join(shown)}" if shown else "; this page uses its defaults"
    return in_markdown(f"The link's {', '.join(named)}{more} cannot be used{instead}.")


def _short(text: str) -> str:
    return textwrap.shorten(text, _LONGEST, placeholder="…") if len(text) <= 10 * _LONGEST else f"{text[:_LONGEST]}…"
