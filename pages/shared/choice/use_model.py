"""The choice as a whole: a model becomes that of every page; Start over; and what Back and Forward take back.

Back and Forward are the browser's: each choice, each look at a page, and each change of page is an entry of the tab
(``pages.shared.server.history.js``). The server learns of a step by the address alone: what the session has kept gives
way to it. Streamlit does so for controls that it binds to the address itself, and for no others. What an address does
not say, parameters of methods other than the chosen one, no step changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.data.reading import AS_IT_STANDS
from core.methods import METHODS, get_method
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import DEFAULT_STEP, Source
from pages.shared.choice.data import DEFAULT_DATASET, GRADED_DIVISIONS, TEN_SPLITS
from pages.shared.choice.menu import parameter_key, tol_key
from pages.shared.choice.rules import forget_rules
from pages.shared.controls import button
from pages.shared.server.visits import travelled

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
_NOTES = (keys.RULES_SEEN, keys.RULES_NOTE, keys.LINK_NOTE)


def reset() -> None:
    """Make the choice that of a new visitor; for callbacks."""
    for key, default in DEFAULTS.items():
        st.session_state[key] = default
    for key in _READING:  # the sample has no control that would write it
        address.write(key, None)
    for note in _NOTES:
        st.session_state.pop(note, None)


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
    follows them. The slider goes to the step nearest to ``c``. ``parameters`` are some of the method's, by default of
    the chosen one; ``source`` is a dataset under its name in the sidebar's list, and ``fold_number`` counts from 1.
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
    was = st.session_state.get(keys.METHOD, METHODS[0].id)
    drawn = {parameter_key(was, one.name) for one in get_method(was).parameters}
    if method_id is not None:
        st.session_state[keys.METHOD] = method_id
    if solver_id is not None:
        st.session_state[keys.SOLVER] = solver_id
    if tol is not None:
        st.session_state[tol_key(get_method(st.session_state[keys.METHOD]))] = tol
    for name, value in (parameters or {}).items():
        method = get_method(st.session_state[keys.METHOD])
        (parameter,) = (one for one in method.parameters if one.name == name)
        key = parameter_key(method.id, name)
        st.session_state[key] = parameter.text(value) if parameter.choices else value
        if key not in drawn and not parameter.choices:  # a new control does not write the value with which it comes
            address.write(key, None if value == parameter.default else f"{value:.15g}")
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
