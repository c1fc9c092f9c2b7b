"""The pictures of two features: a method's minima as lambda falls, and a round of reweighting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.penalties.reweighting import Round
from core.analysis.penalties.two_features import RATIOS, Map
from core.figures.penalties.two_features import add_ball, add_point, add_way, loss_plane, objective_plane
from core.figures.picture import Words
from core.methods import Fit
from core.names.numbers import short
from core.penalties import Penalty, WeightedL1

Names = tuple[str, str]


def minima_plane(
    terrain: Map,
    names: Names,
    path: Sequence[Sequence[Fit]],
    here: int,
    method: str,
    penalty: Penalty,
    words: Words,
    lam: float | None = None,
) -> go.Figure:
    """Draw the minima at one of `RATIOS`, number ``here``, and the way of the lowest one as lambda falls.

    The level lines are the objective's at ``lam``; without it the loss's, with the penalty's ball.
    """
    best = path[here][0]
    if lam is None:
        figure = loss_plane(terrain, names, words.title, words.subtitle)
        add_ball(figure, penalty, best.weights, _reach(terrain), method)
    else:
        figure = objective_plane(terrain, penalty, lam, names, method, words.title, words.subtitle)
    each = [f"λ = {short(r)} λ_max" for r in RATIOS]
    add_way(figure, np.array([fits[0].weights for fits in path]), method, "the lowest minimum as λ falls", each)
    for other in path[here][1:]:
        add_point(
            figure, other.weights, f"another minimum, objective {other.result.objective:.6g}", method, hollow=True
        )
    add_point(figure, best.weights, f"the lowest minimum, objective {best.result.objective:.6g}", method)
    return figure


def round_plane(
    terrain: Map, names: Names, rounds: Sequence[Round], number: int, method: str, words: Words
) -> go.Figure:
    """Draw a round of reweighting, counted from 1: its weighted ball, its answer, and the rounds so far."""
    now, so_far = rounds[number - 1], rounds[:number]
    figure = loss_plane(terrain, names, words.title, words.subtitle)
    add_ball(figure, WeightedL1(now.beta), now.weights, _reach(terrain), method)
    trail = np.array([rounds[0].before, *(r.weights for r in so_far)])
    add_way(figure, trail, method, "rounds so far", ["start", *(f"round {r.number}" for r in so_far)])
    add_point(figure, now.weights, f"round {number}, objective {now.objective:.6g}", method)
    return figure


def _reach(terrain: Map) -> float:
    """How far the ball is drawn."""
    return 2.0 * float(np.abs([*terrain.first[[0, -1]], *terrain.second[[0, -1]]]).max())
