"""Any set of methods, picked from a row of pills a family; in the address by their ids."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.methods.families import FAMILIES
from pages.shared.choice import address
from pages.shared.choice.menu import IDS, in_menu_order, menu_title


def method_pills(prefix: str, shown_first: Iterable[str], *, help: str) -> list[str]:
    """Draw the rows of pills, and return the picked methods in the order of the menus.

    Parameters
    ----------
    prefix : str
        Prefix of the keys; ``{prefix}_methods`` holds the ids in the address.
    shown_first : iterable of str
        Methods that a new visitor gets.
    help : str
    """
    linked_as = f"{prefix}_methods"
    keys = {f"{prefix}_family_{number}": family for number, family in enumerate(FAMILIES)}
    if linked_as not in st.session_state:
        linked = set(st.query_params.get(linked_as, "").split(",")) & set(IDS)
        st.session_state[linked_as] = True
        for key, family in keys.items():
            ids = [method.id for method in FAMILIES[family]]
            st.session_state[key] = [method_id for method_id in ids if method_id in (linked or set(shown_first))]
    picked: list[str] = []
    for key, family in keys.items():
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
