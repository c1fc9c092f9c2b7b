"""The one place that makes a model the model of every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.methods import get_method
from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import Source
from pages.shared.choice.data import GRADED_DIVISIONS, TEN_SPLITS
from pages.shared.choice.menu import parameter_key, tol_key
from pages.shared.choice.rules import forget_rules


def use_model(
    *,
    c: float | None = None,
    method_id: str | None = None,
    parameters: Mapping[str, float] | None = None,
    solver_id: str | None = None,
    tol: float | None = None,
    source: Source | None = None,
    fold_number: int | None = None,
) -> None:
    """Make a model that of every page; what is not given stays as the sidebar has it.

    For callbacks, which run before the sidebar is drawn: it draws its controls from the session, and the address
    follows them.

    Parameters
    ----------
    c : float, optional
        The slider goes to its nearest step.
    method_id : str, optional
    parameters : mapping of str to float, optional
        Parameters of this method (by default of the chosen one); its other parameters stay.
    solver_id : str, optional
    tol : float, optional
    source : Source, optional
        A dataset, under its name in the sidebar's list.
    fold_number : int, optional
        Counting from 1.
    """
    if source is not None:
        reading = source.reading
        if source.name != st.session_state.get(keys.DATASET):
            forget_rules()
        st.session_state[keys.DATASET] = source.name
        st.session_state.update(keys.in_session(reading))
        # Classes have a control of their own, whose usual value is another.
        st.session_state[keys.SCALE] = st.session_state[keys.CLASS_SCALE] = reading.scale
        if reading.repeats is not None:
            st.session_state[keys.DIVISION] = TEN_SPLITS
        if reading.folds is not None:
            st.session_state[keys.HOLDOUT] = True
            st.session_state[keys.GRADED_DIVISION] = next(iter(GRADED_DIVISIONS))
    if fold_number is not None:
        st.session_state[keys.FOLD] = fold_number
    if method_id is not None:
        st.session_state[keys.METHOD] = method_id
    if solver_id is not None:
        st.session_state[keys.SOLVER] = solver_id
    if tol is not None:
        st.session_state[tol_key(get_method(st.session_state[keys.METHOD]))] = tol
    for name, value in (parameters or {}).items():
        method = get_method(st.session_state[keys.METHOD])
        (parameter,) = (one for one in method.parameters if one.name == name)
        st.session_state[parameter_key(method.id, name)] = parameter.text(value) if parameter.choices else value
    if c is not None:
        st.session_state[keys.C] = repr(c)


PAGES = {
    "fit": ("Fit", ":material/show_chart:"),
    "path": ("Path", ":material/timeline:"),
    "features": ("Features", ":material/extension:"),
}


def open_buttons(prefix: str, take: Callable[[], None] | None, *, help: str) -> None:
    """Draw one button a page, with keys that begin with ``prefix``.

    ``take`` makes the model that of every page, before the sidebar is drawn; None where there is no model to open.
    """
    for page, (title, icon) in PAGES.items():
        if button(
            f"Open on {title}",
            key=f"{prefix}_{page}",
            icon=icon,
            disabled=take is None,
            on_click=_open,
            args=(take, page),
            help=help,
        ):
            st.switch_page(f"pages/{page}.py", query_params=ratio_query())


def _open(take: Callable[[], None] | None, page: str) -> None:
    if take is not None:
        take()
        if page == "fit":
            st.session_state[keys.AUTOSTART] = True
