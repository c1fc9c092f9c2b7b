"""The Penalties page, for the classroom: what a penalty does to a weight, to two of them, and to the answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.penalties.pair import pair_rounds
from core.analysis.penalties.penalty_shape import Round, penalty_methods, penalty_of
from core.figures.penalties.pair_pictures import Reweighting
from core.figures.penalties.penalties import PenaltyCurves
from core.methods import Method
from core.methods.sources import LOSS_LATEX
from core.names.numbers import short
from core.names.plain import in_markdown
from core.penalties import Parameter
from pages.shared import frame, keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import main_picture
from pages.shared.show import show
from pages.shared.work.stepwise import at_once
from pages.views.penalties.pair import Problem, choose_pair, ratio_of_choice
from pages.views.penalties.starts import starts_part, two_features_part

_ROUND = "round"


STEPS_A_DECADE = 20
SPAN = 50.0  # a slider runs this factor below and above the default, as far as the parameter goes
METHODS = {method.id: method for method in penalty_methods()}


def choose_parameters(methods: Sequence[Method]) -> dict[str, dict[str, float]]:
    """A slider for every parameter of these penalties, side by side; values by method and name."""
    wanted = [(method, parameter) for method in methods for parameter in penalty_of(method, {}).parameters]
    values: dict[str, dict[str, float]] = {method.id: {} for method in methods}
    if not wanted:
        return values
    with st.container(horizontal=True, key="parameters"):
        for method, parameter in wanted:
            symbol = "" if parameter.name == parameter.symbol else f" ({parameter.symbol})"
            values[method.id][parameter.name] = st.select_slider(
                f"{method.title}: {parameter.name}{symbol}",
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


def reweighting_part(problem: Problem) -> None:
    """A slider over the rounds, the plane, the tangents, and the table of rounds."""
    pair, method, parameters, ratio = problem.pair, problem.method, problem.parameters, problem.ratio
    if penalty_of(method, parameters).convex:
        others = ", ".join(m.title for m in METHODS.values() if not m.convex)
        problem.left.info(
            f"{method.title} is convex: it is solved as it is, and there is nothing to reweight. Choose one of "
            f"{others}.",
        )
        return
    rounds = at_once(pair_rounds.of(pair.features, method.id, parameters, ratio))
    if st.session_state.get(_ROUND, 1) > len(rounds):
        st.session_state[_ROUND] = len(rounds)
    number = int(
        problem.right.slider(
            "Round",
            1,
            len(rounds),
            key=_ROUND,
            bind="query-params",
            persist_state="session",
            help="Each round solves a weighted ℓ1 problem, which is convex. Its answer sets the prices β of the next "
            "round.",
        )
    )
    plane = Reweighting(method.id, number=number, **problem.options)
    found = problem.draw(plane)
    if found is None:
        return
    with problem.right:
        pair.show(replace(plane, look="tangents"))
        st.latex(r"g(u)\;\le\; g(u_0)+g'(u_0)\,(u-u_0)")
        st.markdown(_explanation(found.now))
    st.dataframe(plane.rows(found), hide_index=True, key="rounds")
    st.caption(
        f"{in_markdown(pair.where)} · Algorithm 2 of Laporte et al. (2014): β = 1 in round 1, then β = g′(|w|). From "
        f"round to round the objective with {method.title} itself never rises."
    )


def _explanation(now: Round) -> str:
    if now.number == 1:
        return (
            "Round 1 has no weights to start from, so β = 1 for both. Its answer **w1, w2** gives the points of the "
            "tangents: move the slider to round 2."
        )
    walls = [f"w{k + 1}" for k in (0, 1) if np.isinf(now.beta[k])]
    stuck = f" **{' and '.join(walls)}** cannot leave 0, because the slope at 0 is infinite." if walls else ""
    return (
        "Each tangent lies **above** the curve and touches it at the last weight. So a round, which minimises with the "
        "tangents in place of the curve, can only lower the objective. A large weight has a flat tangent, which means "
        "a small price β. A small weight has a steep tangent and is pushed on towards 0." + stuck
    )


PARTS = ("Curves", "Two features", "Reweighting", "Several starts")


def render() -> None:
    """Draw the part that is asked for."""
    choice = frame.choice()
    head = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS)
    stage = st.container()
    with tools:
        part = address.one_of(
            "Part",
            PARTS,
            key="penalties_section",
            persist_state="session",
            help="Curves: what a penalty does to one weight. Two features: to two weights. Reweighting: how non-convex "
            "penalties are solved. Several starts: what non-convex means.",
        )
        chosen = st.session_state[keys.METHOD]
        method = METHODS.get(chosen, METHODS["log"])  # the penalty that is drawn bold and studied
        if method.id != chosen:
            st.caption(
                f"{menu_title(chosen)} has no penalty to draw; {method.title} is drawn instead.", width="content"
            )
        more = st.popover("More", key="penalties_more", help="Parameters of the penalties, and the data to try them on")
    if part == PARTS[0]:
        _curves(method, head, more, stage)
    else:
        _problem(part, method, choice, head, more, stage)
    st.latex(
        r"F(w) = \underbrace{L(w)}_{\text{loss}} + \lambda\,"
        r"\underbrace{\textstyle\sum_j g(|w_j|)}_{\text{penalty}}\qquad L(w) = " + LOSS_LATEX
    )


def _problem(
    part: str, method: Method, choice: Loaded | None, head: DeltaGenerator, more: DeltaGenerator, stage: DeltaGenerator
) -> None:
    with more:
        parameters = choose_parameters([method])[method.id]
        _offer(method, parameters)
        pair = choose_pair(choice, stage)
    if pair is None:
        return
    with stage, main_picture():
        left, right = st.columns([3, 2])
    problem = Problem(pair, method, parameters, ratio_of_choice(choice), head, left, right)
    if part == PARTS[1]:
        two_features_part(problem)
    elif part == PARTS[2]:
        reweighting_part(problem)
    else:
        starts_part(problem, choice)


def _offer(method: Method, parameters: dict[str, float]) -> None:
    st.button(
        f"Use {method.title}{' with these parameters' if parameters else ''} on every page",
        key="use_penalty",
        on_click=partial(use_model, method_id=method.id, parameters=parameters),
        type="tertiary",
        icon=":material/push_pin:",
        help="Sets method and parameters in the sidebar.",
    )


def _curves(studied: Method, head: DeltaGenerator, more: DeltaGenerator, stage: DeltaGenerator) -> None:
    with more:
        step = st.slider(
            "Step of the proximal operator",
            0.05, 3.0, 0.5, 0.05,
            key="prox_step",
            bind="query-params",
            persist_state="session",
            width=300,
            help="The weight of the penalty in one step: λ times the step length of a proximal gradient method.",
        )  # fmt: skip
        together = st.toggle(
            "Scale to agree at |w| = 1",
            key="agree",
            bind="query-params",
            persist_state="session",
            help="Divides every penalty by its value at |w| = 1, so that only the shapes differ. Slopes and the step "
            "of the proximal operator are scaled with it.",
        )
        values = choose_parameters(list(METHODS.values()))
        _offer(studied, values[studied.id])
    price = PenaltyCurves(
        studied.id,
        parameters={method: given for method, given in values.items() if given},
        step=float(step),
        together=together,
        headed=True,
    )
    with stage, main_picture():
        left, right = st.columns(2)
    with left:
        found = show(price, (), fill=True)
    assert found is not None, "it needs no work"
    with right:
        show(replace(price, look="pull"), (), fill=True)
    head.header(
        in_markdown(price.words(found).alt),
        anchor=False,
        help="The pull is the slope g′ of the penalty: the force with which it draws a weight towards 0.",
    )
    for steep in (c.penalty.title for c in found.curves.values() if math.isinf(found.shapes[c.method].slope_at_zero)):
        st.markdown(
            f"The slope of {steep} is **infinite at 0**: its line leaves the picture. No loss pulls hard enough "
            "against that, so a weight that has reached 0 stays there."
        )
    prox = replace(price, look="prox")
    st.subheader(in_markdown(prox.words(found).alt), anchor=False)
    st.latex(r"\mathrm{prox}(v)=\arg\min_u\; \tfrac12 (u-v)^2 + \text{step}\cdot g(|u|)")
    left, right = st.columns([3, 2])
    with left:
        show(prox, ())
    with right:
        st.markdown(
            "If the data alone would give a weight **v**, the line shows the weight after one step of the penalty. "
            "Where the line is at 0, the feature is dropped. Where it is on the dotted diagonal, the weight stays as "
            "it is; below the diagonal, the weight is shrunk. A jump in the line means that no small weight is "
            "possible: a weight is either 0 or at least as large as the jump."
        )
    st.dataframe(price.rows(found), hide_index=True, key="shapes")
    st.caption("Curves: Laporte et al. (2014), Fig. 1; derivatives: Table II. ℓ2 is ½w² here, as in RankSVM.")
