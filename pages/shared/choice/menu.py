"""Methods in menus: their families, the order that people expect, and where the session keeps their parameters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import streamlit as st

from core.methods import Method, get_method
from core.methods.registry import FAMILIES, full_title
from core.solvers import Stop
from pages.shared import keys
from pages.shared.choice import address

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
        picked += (
            st.pills(
                family[:1].upper() + family[1:],
                [method.id for method in FAMILIES[family]],
                selection_mode="multi",
                format_func=menu_title,
                key=key,
                persist_state="session",
                help=help,
            )
            or []
        )
    methods = in_menu_order(picked)
    address.write(linked_as, ",".join(methods))
    return methods
