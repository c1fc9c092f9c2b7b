"""Two features as a map: level lines, the penalty's ball, and the minimiser moving with lambda."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.penalties.two_features import RATIOS
from core.data.ranking_data import FloatArray
from core.figures.penalties.minima_picture import GROUNDS, TwoFeatures
from core.methods import Fit, Method
from core.methods.sources import LOSS_LATEX
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.views.penalties.pair import Pair, Places


def two_features_part(pair: Pair, method: Method, parameters: dict[str, float], ratio: float, places: Places) -> None:
    """Draw the map with the minima at this lambda, and the path of the lowest one as lambda falls."""
    ground = places.right.segmented_control(
        "Level lines of",
        GROUNDS,
        default=GROUNDS[0],
        required=True,
        key="ground",
        bind="query-params",
        persist_state="session",
        help="Loss: its level lines, and the penalty's ball that touches them. Objective: loss and penalty together, "
        "dark where low; every minimum is a dark well.",
    )
    picture = TwoFeatures(
        method.id, ratio=ratio, parameters=parameters or None, pair=pair.features, ground=ground, headed=True
    )
    with places.left:
        minima = pair.show(picture)
    if minima is None:
        return
    found = minima.now
    places.head.header(in_markdown(picture.words(minima).alt), anchor=False)
    way = np.array([fits[0].weights for fits in minima.path])
    with places.right:
        st.latex("F(w) = L(w)" + method.objective.removeprefix(LOSS_LATEX))
        st.markdown(_explanation(method, found, way, minima.here, ground == GROUNDS[0]))
        st.dataframe(_minima_table(pair, found), hide_index=True, key="pair_minima")
        st.caption(
            f"{in_markdown(pair.where)} · {pair.training.data.n_pairs:,} preference pairs · each feature divided by "
            "its "
            f"deviation within queries · λ = {short(pair.training.lam_at(ratio))}"
        )


def _explanation(method: Method, found: Sequence[Fit], way: FloatArray, here: int, ball: bool) -> str:
    lines = []
    if ball and np.any(found[0].weights):
        lines.append(
            "Weights on a thin line have the same **loss**; weights on the coloured line, the ball, have the same "
            "**penalty** as the answer. The answer is where the ball touches the lowest level line that it reaches. "
            + _corners(method)
        )
    elif ball:
        lines.append("λ is so large that **no weight is worth its price**: the ball is the point 0.")
    else:
        lines.append("Dark is low. Every dark well is a **minimum**: no small step from there lowers the objective.")
    unshrunk = way[-1]
    lines.append(
        f"With hardly any penalty the weights would be {unshrunk[0]:.2g} and {unshrunk[1]:.2g} (the dotted line's end)."
    )
    leaps = np.abs(np.diff(way, axis=0)).max(axis=1)
    if not method.convex and leaps.max() > 0.25 * np.abs(way).max():
        k = int(leaps.argmax())
        lines.append(
            f"As λ falls, the lowest minimum **jumps** between λ = {short(RATIOS[k])} and {short(RATIOS[k + 1])} "
            "λ_max; under ℓ1 it would move without a jump."
        )
    if len(found) > 1:
        lines.append(
            "The problem is not convex: which minimum a fit finds depends on its **start**. A fit stops in any of "
            "them, because every model near by is worse."
        )
    elif method.convex:
        lines.append("The problem is convex: there is **one** answer, wherever a fit starts.")
    return "\n\n".join(lines)


def _corners(method: Method) -> str:
    if method.id == "l2":
        return "This ball is round: it would touch exactly on an axis only by coincidence, so both weights stay."
    if method.convex:
        return "This ball has corners on the axes, where a weight is exactly 0, and a level line often meets a corner."
    return "This ball has spikes on the axes, where a weight is exactly 0, and a level line mostly meets a spike."


def _minima_table(pair: Pair, found: Sequence[Fit]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "minimum": ["lowest", *["another"] * (len(found) - 1)],
            pair.names[0]: [f"{fit.weights[0]:.4g}" for fit in found],
            f"{pair.names[1]} ": [f"{fit.weights[1]:.4g}" for fit in found],
            "objective": [f"{fit.result.objective:.6f}" for fit in found],
        }
    )
