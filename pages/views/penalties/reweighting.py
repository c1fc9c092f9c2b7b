"""Reweighting step by step: a weighted l1 problem a round, and the tangents that stand for the penalty in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.penalties.penalty_shape import penalty_of
from core.analysis.penalties.reweighting import Round
from core.api.penalty_tables import rounds_table
from core.export.scripts.penalties import pair_script
from core.figures.look.style import short
from core.figures.penalties.penalties import PenaltyCurve, majoriser_figure
from core.figures.penalties.planes import round_plane
from core.methods import Method
from core.names.plain import in_markdown
from pages.shared.live_chart import live_chart
from pages.views.penalties.controls import METHODS
from pages.views.penalties.pair import Pair
from pages.views.penalties.places import Places

_ROUND = "round"


def reweighting_part(pair: Pair, method: Method, parameters: dict[str, float], ratio: float, places: Places) -> None:
    """A slider over the rounds, the plane, the tangents, and the table of rounds."""
    penalty = penalty_of(method, parameters)
    if penalty.convex:
        others = ", ".join(m.title for m in METHODS.values() if not m.convex)
        places.left.info(
            f"{method.title} is convex: it is solved as it is, and there is nothing to reweight. Choose one of "
            f"{others}.",
        )
        return
    rounds = pair.rounds(method, parameters, ratio)
    if st.session_state.get(_ROUND, 1) > len(rounds):
        st.session_state[_ROUND] = len(rounds)
    number = int(
        places.right.slider(
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
    now = rounds[number - 1]
    script = partial(
        pair_script,
        "reweighting",
        method=method.id,
        parameters=parameters,
        pair=pair.described,
        ratio=ratio,
        number=number,
    )
    places.head.header(in_markdown(_sentence(pair, rounds, now)), anchor=False)
    with places.left:
        figure = round_plane(pair.terrain, pair.names, rounds, number, method)
        table = rounds_table(pair.names, rounds, number)
        live_chart(
            figure,
            "round_plane",
            alt=_sentence(pair, rounds, now),
            table=table,
            script=script("round_plane"),
            fill=True,
        )
    with places.right:
        curve = PenaltyCurve(method.id, method.title, penalty)
        touches = [] if number == 1 else [(f"w{k + 1}", abs(float(now.before[k]))) for k in (0, 1)]
        widest = 1.5 * max(float(np.abs([r.weights for r in rounds]).max()), 0.2)
        figure = majoriser_figure(curve, touches, reach=widest, title="The penalty and its tangents")
        said = "The penalty's curve and its tangents at the last weights"
        live_chart(figure, "majoriser", alt=said, table=table, script=script("majoriser"), fill=True)
        st.latex(r"g(u)\;\le\; g(u_0)+g'(u_0)\,(u-u_0)")
        st.markdown(_explanation(now))
    st.dataframe(table, hide_index=True, key="rounds")
    st.caption(
        f"{in_markdown(pair.where)} · Algorithm 2 of Laporte et al. (2014): β = 1 in round 1, then β = g′(|w|). From "
        "round to "
        f"round the objective F with {method.title} itself never rises."
    )


def _sentence(pair: Pair, rounds: Sequence[Round], now: Round) -> str:
    if now.number == 1:
        return f"Round 1 is plain ℓ1: every weight pays the same price, and F is {now.objective:.5g}"
    before = rounds[now.number - 2]
    for k in (0, 1):
        if before.weights[k] != 0.0 and now.weights[k] == 0.0:
            price, name = short(now.beta[k]), pair.names[k]
            return f"Round {now.number}: {name} was so small that its price is high (β = {price}): it becomes 0"
    if now.number == len(rounds):
        return f"Round {now.number} changes nothing more: F = {now.objective:.5g}, a stationary point"
    fallen = before.objective - now.objective
    prices = f"{short(now.beta[0])} and {short(now.beta[1])}"
    return f"Round {now.number}: the prices are now {prices}; F falls by {short(fallen)}"


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
        "tangents in place of the curve, can only lower F. A large weight has a flat tangent, which means a small "
        "price β. A small weight has a steep tangent and is pushed on towards 0." + stuck
    )
