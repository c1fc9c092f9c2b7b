"""The choice all pages share: data, method, solver and C, drawn in the sidebar and kept in the address."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.methods import Method, get_method
from core.names.plain import in_markdown
from core.penalties import Parameter
from pages.shared import keys
from pages.shared.choice import access, address, use_model
from pages.shared.choice.c import choose_c
from pages.shared.choice.choice import Choice, Loaded, Source
from pages.shared.choice.data import choose_fold, choose_source, reading_changes
from pages.shared.choice.menu import IDS, menu_title, parameter_key, tol_key
from pages.shared.choice.rules import choose_rules, rules_line
from pages.shared.hidden import CONTROLS, UNDER_MORE, more_slot, slot

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
SCALE_STEPS = 100
_QUICK = "quick_method"
QUICK = {"l1": "ℓ1", "log": "log", "mcp": "MCP", "l0.5": "ℓ0.5", "infinite-push-l1": "push"}
"""What a person asks for first, one click away; all others are in the list."""


def choose() -> Loaded:
    """Draw the sidebar and return what is chosen.

    Raises
    ------
    DataError
        If the chosen data cannot be used; the rest of the sidebar is drawn all the same.
    """
    st.session_state[keys.READABLE] = None
    data_slot, fold_slot, method_slot, c_slot = (st.container(key=slot(one)) for one in CONTROLS)
    notes_slot = st.container()
    with st.expander("More", key="more"):
        data_more, method_more, c_more = (st.container(key=more_slot(one)) for one in UNDER_MORE)
        st.button(
            "Start over", key="reset", icon=":material/restart_alt:", on_click=use_model.reset,
            help="Resets all choices; Back brings them back.", type="tertiary",
        )  # fmt: skip
    with method_slot:
        method = _choose_method()
    with method_more:
        st.caption(method.explanation)
        parameters = _choose_parameters(method)
        solver_id, tol = _choose_solver(method)
    with data_slot:
        source = choose_source(data_more)
    with fold_slot:
        number = choose_fold(source)
    if changed := _changed(source, method, parameters, solver_id, tol):
        notes_slot.caption(f"Not as usual: {in_markdown(', '.join(changed))}")
    # There may be data to look at that nothing can be learned from.
    st.session_state[keys.READABLE] = (source, number)
    data = access.load_data(source, number, method.id, parameters)
    with c_slot:
        regularization = choose_c(data.training, c_more)
    rules = choose_rules(source, data.fold.train.feature_names)
    choice = Choice(
        source=source,
        fold_number=number,
        convention=data.judge.convention,
        fingerprint=data.fold.fingerprint,
        method_id=method.id,
        solver_id=solver_id,
        parameters=parameters,
        regularization=regularization,
        tol=tol,
        rules=rules,
    )
    loaded = Loaded.of(choice, data)
    with notes_slot:
        rules_line(rules, method, loaded.refusal)
    return loaded


def _changed(
    source: Source, method: Method, parameters: tuple[tuple[str, float], ...], solver_id: str, tol: float
) -> list[str]:
    """What stands under More and is not at its default: nothing that changes numbers is hidden."""
    defaults = {parameter.name: parameter.default for parameter in method.parameters}
    changed = [name.replace("_", " ") for name, value in parameters if value != defaults[name]]
    if solver_id != method.solvers[0].id:
        changed.append("solver")
    if tol != method.stop.tol:
        changed.append("stop at")
    return changed + reading_changes(source)


def _choose_method() -> Method:
    """The penalties of RankSVM and the infinite push as buttons, every method in a list."""
    titles = {method_id: menu_title(method_id) for method_id in IDS}
    method = get_method(_choose_by_id("Method", titles, key=keys.METHOD))
    now = st.session_state[_QUICK] = method.id if method.id in QUICK else None
    with st.container(key=_QUICK):
        st.segmented_control(
            "Penalty",
            list(QUICK),
            default=now,
            format_func=QUICK.__getitem__,
            label_visibility="collapsed",
            **address.versioned(_QUICK, _take_quick),
        )
    return method


def _take_quick() -> None:
    """A press on the button that is pressed already changes nothing."""
    chosen = st.session_state[_QUICK]
    if chosen is not None:
        st.session_state[keys.METHOD] = chosen


def _choose_by_id(
    label: str,
    titles: Mapping[str, str],
    *,
    key: str,
    help: str | None = None,
    default: str | None = None,
    of: str = "",
) -> str:
    """A list of titles whose choice is in the address by its id, as on the command line.

    A list that Streamlit binds to the address itself would write titles there, and read nothing else. A default is not
    written: an address tells what somebody has chosen.
    """
    address.begin(key, titles, default or next(iter(titles)))
    ids = list(titles)
    with st.container(key=key):
        chosen: str = st.selectbox(
            label,
            ids,
            ids.index(st.session_state[key]),
            format_func=titles.__getitem__,
            help=help,
            **address.versioned(key, of=of),
        )
    address.write(key, None if chosen == default else chosen)
    return chosen


def _choose_parameters(method: Method) -> tuple[tuple[str, float], ...]:
    """Every parameter; one that has no effect beside the others keeps its value and has no control."""
    chosen: list[tuple[str, float]] = []
    for parameter in method.parameters:
        key = parameter_key(method.id, parameter.name)
        if not parameter.matters(dict(chosen)):
            chosen.append((parameter.name, parameter.default))
            continue
        if parameter.choices:
            titles = {name: name for name in parameter.choices}
            default = parameter.text(parameter.default)
            named = _choose_by_id(parameter.name, titles, key=key, help=parameter.help, default=default)
            chosen.append((parameter.name, parameter.check(named)))
        else:
            chosen.append((parameter.name, _choose_number(parameter, key)))
    return tuple(chosen)


def _choose_number(parameter: Parameter, key: str) -> float:
    """A number to type; a slider with what its ends mean beneath it, where they mean something."""
    low, high, usual = parameter.minimum, parameter.maximum, parameter.default
    how: dict[str, Any] = {"format": "%g", "key": key, "bind": "query-params", "help": parameter.help}
    if parameter.ends is None:
        step = 1.0 if parameter.counts else max(usual / 10, 0.01)
        return float(st.number_input(_label(parameter), low, high, usual, step, **how))
    step = (high - low) / SCALE_STEPS
    value = st.slider(_label(parameter), low, high, usual, step, persist_state="session", **how)
    left, right = map(html.escape, parameter.ends)
    st.html(
        '<div style="display:flex; justify-content:space-between; margin-top:-.9rem; font-size:.8rem; opacity:.75">'
        f"<span>{left}</span><span>{right}</span></div>"
    )
    return float(value)


def _label(parameter: Parameter) -> str:
    name = parameter.name.replace("_", " ")
    return f"{name} ({parameter.symbol})" if parameter.name != parameter.symbol else name


def _choose_solver(method: Method) -> tuple[str, float]:
    solver_id = _choose_by_id(
        "Solver",
        {solver.id: solver.title for solver in method.solvers},
        key=keys.SOLVER,
        of=method.id,
        help="\n\n".join(f"**{solver.title}**: {solver.explanation}" for solver in method.solvers),
    )
    address.spell(tol_key(method), {tol: f"{tol:.0e}" for tol in TOLERANCES})
    tol = st.select_slider(
        "Stop at",
        TOLERANCES,
        value=method.stop.tol,
        format_func=lambda t: f"{t:.0e}",
        key=tol_key(method),
        bind="query-params",
        help="The fit has converged when the duality gap is at most this share of the objective or, for a non-convex "
        "penalty, the stationarity residual is at most this share of λ. At its own tolerance, a method whose "
        "paper gives a stopping rule or a step limit stops by that; at any other it continues until the "
        "certificate holds.",
    )
    return solver_id, float(tol)
