"""What menus offer: methods with families and parameters, measures that tell models apart, and parts of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import streamlit as st

from core.data.nouns import Nouns
from core.figures.path.lines import PART_TITLES
from core.methods import Method, get_method
from core.methods.registry import FAMILIES, full_title
from core.metrics.measures import MeasureName, telling_measures
from core.solvers import Stop
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.server.visits import travelled

IDS = tuple(method.id for family in FAMILIES.values() for method in family)
TITLES = {method_id: get_method(method_id).title for method_id in IDS}
"""Short ones, where the family is known."""


@cache
def menu_title(method_id: str) -> str:
    """The title with its family where that is needed, by id."""
    return full_title(get_method(method_id))


def in_menu_order(method_ids: Iterable[str]) -> list[str]:
    """Family by family, in whatever order they were picked."""
    wanted = set(method_ids)
    return [method_id for method_id in IDS if method_id in wanted]


def compare_with(
    method_id: str, offered: Sequence[str], *, key: str, begins: str = "", most: int | None = None, help: str
) -> list[str]:
    """Methods beside the chosen one, in the address by their ids; at first those of a link, or else ``begins``."""
    if key not in st.session_state or travelled():
        st.session_state[key] = st.query_params.get(key, begins).split(",")
    st.session_state[key] = [one for one in st.session_state[key] if one in offered]
    if most is not None:  # the chosen one may be among them, and is drawn anyway
        most += method_id in st.session_state[key]
        st.session_state[key] = st.session_state[key][:most]
    names = [menu_title(one) for one in st.session_state[key] if one != method_id]
    with st.popover(f"Compare with: {', '.join(names) or 'nothing'}", key=f"{key}_more"):
        picked: list[str] = st.multiselect(
            "Compare with", offered, format_func=menu_title, key=key, max_selections=most, persist_state="session",
            help=help,
        )  # fmt: skip
    address.write(key, ",".join(picked) if picked or begins else None)
    return picked


def parameter_key(method_id: str, name: str) -> str:
    """Of a parameter in the session and in the address; methods with the same loss share what belongs to the loss."""
    return name if name in get_method(method_id).loss.parameters else f"{method_id}.{name}"


def tol_key(method: Method) -> str:
    """Methods whose paper has a tolerance of its own keep theirs; all others share one."""
    return keys.TOL if method.stop.tol == Stop().tol else f"{method.id}.tol"


def method_pills(prefix: str, shown_first: Iterable[str], *, help: str) -> list[str]:
    """Draw the rows of pills, and return the picked methods in the order of the menus.

    The session's keys begin with ``prefix``, and ``{prefix}_methods`` holds the ids in the address. A new visitor gets
    those that are ``shown_first``.
    """
    linked_as = f"{prefix}_methods"
    rows = {f"{prefix}_family_{number}": family for number, family in enumerate(FAMILIES)}
    if linked_as not in st.session_state:
        linked = set(st.query_params.get(linked_as, "").split(",")) & set(IDS)
        st.session_state[linked_as] = True
        for key, family in rows.items():
            ids = [method.id for method in FAMILIES[family]]
            st.session_state[key] = [method_id for method_id in ids if method_id in (linked or set(shown_first))]
    picked: list[str] = []
    for key, family in rows.items():
        ids, title = [method.id for method in FAMILIES[family]], family[:1].upper() + family[1:]
        how: dict[str, Any] = {"selection_mode": "multi", "persist_state": "session", "help": help}
        picked += st.pills(title, ids, format_func=menu_title, key=key, **how) or []
    methods = in_menu_order(picked)
    address.write(linked_as, ",".join(methods))
    return methods


Name = TypeVar("Name", bound=str)


def measures_of(choice: Loaded) -> tuple[MeasureName, ...]:
    """The measures to offer, the most telling first."""
    return telling_measures(choice.fold.train)


def measure_control(choice: Loaded, label: str, *, key: str, help: str, **options: Any) -> MeasureName:
    """One of the measures of the chosen data; ``options`` as for `address.one_of`."""
    return choose_measure(measures_of(choice), label, key=key, help=f"{help} {explained(choice.nouns)}", **options)


def choose_measure(offered: Sequence[Name], label: str, *, key: str, **options: Any) -> Name:
    """One of some measures, in the address; the first of another kind of data where the choice has gone over to it."""
    seen = f"{key}_offered"
    if st.session_state.get(seen, offered) != offered:
        st.session_state[key] = offered[0]
    st.session_state[seen] = offered
    chosen: Name = address.one_of(label, offered, key=key, **options)
    return chosen


def explained(nouns: Nouns) -> str:
    """What the measures say, in a sentence each."""
    if nouns.by_class:
        return (
            "Top is the share of positives above every negative; MAP is average precision; NDCG@10 looks at the first "
            "ten rows."
        )
    return (
        "MAP is the mean over queries of average precision; NDCG@10 looks at the ten first documents and at how "
        "relevant they are; Top is the share of relevant documents above every irrelevant one."
    )


def choose_limit(label: str, choice: Loaded, *, key: str, **options: Any) -> int:
    """Let a person say how many features they can afford, from 1 to all; the other arguments are those of a slider."""
    n_features = choice.fold.train.n_features
    if n_features <= 1:
        return 1
    if not 1 <= st.session_state.get(key, 1) <= n_features:
        st.session_state.pop(key, None)
    return int(
        st.slider(
            label, 1, n_features, min(10, n_features), key=key, format="at most %d",
            label_visibility="collapsed", **options,
            help=f"Every feature has to be computed for every {choice.nouns.row}. Say how many you can afford.",
        )
    )  # fmt: skip


def choose_part(choice: Loaded, *, key: str, help: str, first: bool = False) -> str:
    """One of the parts the data has: the last one, or the first, under a label; a part of other data is forgotten."""
    parts = list(choice.fold.parts())
    if st.session_state.get(key) not in (None, *parts):
        st.session_state.pop(key, None)
    return address.one_of(
        "Measured on",
        {part: PART_TITLES[part] for part in parts},
        begins=parts[0 if first else -1],
        key=key,
        bind=None,
        persist_state="session",
        help=help,
        label_visibility="visible" if first else "collapsed",
    )
