"""Which penalty is looked at, and sliders for its parameters, as the penalties themselves declare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.penalties.penalty_shape import parameters_of, penalty_methods
from core.methods import Method
from core.names.numbers import short
from core.penalties import Parameter
from pages.shared.choice.use_model import use_model

STEPS_A_DECADE = 20
SPAN = 50.0  # a slider runs this factor below and above the default, as far as the parameter goes
METHODS = {method.id: method for method in penalty_methods()}


def studied(method_id: str) -> Method:
    """Return the penalty that the page draws bold and studies: the sidebar's, or log where that one has none."""
    return METHODS.get(method_id, METHODS["log"])


def choose_parameters(methods: Sequence[Method]) -> dict[str, dict[str, float]]:
    """A slider for every parameter of these penalties, side by side; values by method and name."""
    wanted = [(method, parameter) for method in methods for parameter in parameters_of(method)]
    values: dict[str, dict[str, float]] = {method.id: {} for method in methods}
    if not wanted:
        return values
    with st.container(horizontal=True, key="parameters"):
        for method, parameter in wanted:
            values[method.id][parameter.name] = st.select_slider(
                f"{method.title}: {_name(parameter)}",
                slider_values(parameter),
                value=parameter.shown,
                format_func=short,
                key=parameter_key(method.id, parameter.name),
                bind="query-params",
                persist_state="session",
                help=parameter.help,
                width=210,
            )
    return values


def _name(parameter: Parameter) -> str:
    same = parameter.name == parameter.symbol
    return parameter.name if same else f"{parameter.name} ({parameter.symbol})"


def parameter_key(method_id: str, name: str) -> str:
    """Of a slider, in the session and in the address."""
    return f"shape_{method_id.replace('.', '')}_{name}"


def slider_values(parameter: Parameter) -> list[float]:
    """Evenly spaced in log, two digits each, the default among them, and what the pictures begin with."""
    low, high = max(parameter.minimum, parameter.default / SPAN), min(parameter.maximum, parameter.default * SPAN)
    reach = int(np.ceil(STEPS_A_DECADE * np.log10(SPAN)))
    grid = parameter.default * 10.0 ** (np.arange(-reach, reach + 1) / STEPS_A_DECADE)
    inside = [parameter.default, parameter.shown, low, high, *grid[(grid > low) & (grid < high)]]
    rounded = {min(max(float(f"{value:.2g}"), parameter.minimum), parameter.maximum) for value in inside}
    return sorted(rounded)


def use_everywhere(method: Method, parameters: dict[str, float]) -> Callable[[], None]:
    """A callback that makes the penalty with these parameters the choice of every page."""
    return partial(use_model, method_id=method.id, parameters=parameters)
