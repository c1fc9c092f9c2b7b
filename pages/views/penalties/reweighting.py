"""Reweighting step by step: a weighted l1 problem a round, and the tangents that stand for the penalty in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from core.analysis.penalties.pair import PairRounds
from core.analysis.penalties.penalty_shape import penalty_of
from core.analysis.penalties.reweighting import Round
from core.figures.penalties.reweighting_picture import Reweighting
from core.methods import Method
from core.names.plain import in_markdown
from pages.shared.work.stepwise import at_once
from pages.views.penalties.controls import METHODS
from pages.views.penalties.pair import Pair
from pages.views.penalties.places import Places

_ROUND = "round"


def reweighting_part(pair: Pair, method: Method, parameters: dict[str, float], ratio: float, places: Places) -> None:
    """A slider over the rounds, the plane, the tangents, and the table of rounds."""
    if penalty_of(method, parameters).convex:
        others = ", ".join(m.title for m in METHODS.values() if not m.convex)
        places.left.info(
            f"{method.title} is convex: it is solved as it is, and there is nothing to reweight. Choose one of "
            f"{others}.",
        )
        return
    rounds = at_once(PairRounds(pair.features, method.id, parameters, ratio))
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
    plane = Reweighting(
        method.id, ratio=ratio, number=number, parameters=parameters or None, pair=pair.features, headed=True
    )
    with places.left:
        found = pair.show(plane)
    if found is None:
        return
    places.head.header(in_markdown(plane.words(found).alt), anchor=False)
    with places.right:
        pair.show(replace(plane, look="tangents"))
        st.latex(r"g(u)\;\le\; g(u_0)+g'(u_0)\,(u-u_0)")
        st.markdown(_explanation(found.now))
    st.dataframe(plane.rows(found), hide_index=True, key="rounds")
    st.caption(
        f"{in_markdown(pair.where)} · Algorithm 2 of Laporte et al. (2014): β = 1 in round 1, then β = g′(|w|). From "
        "round to "
        f"round the objective with {method.title} itself never rises."
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
