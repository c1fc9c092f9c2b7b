"""What penalties do: to one weight, to two of them, round by round, and from many starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of, penalty_shape
from core.analysis.penalties.reweighting import reweighting_rounds
from core.analysis.penalties.several_starts import StartsRun, distinct_minima, random_starts
from core.analysis.penalties.two_features import (
    RATIOS,
    Map,
    loss_map,
    redundant_pair,
    trajectory,
    two_feature_training,
)
from core.api.penalty_tables import Names, minima_table, penalty_table, rounds_table, starts_table
from core.data import RankingData
from core.data.naming import columns
from core.figures.drawn import FigureAndTable
from core.figures.look.style import short
from core.figures.penalties.penalties import PenaltyCurve, agreeing_at_one, curves_figure, prox_figure, slopes_figure
from core.figures.penalties.planes import minima_plane, round_plane
from core.figures.penalties.two_features import add_starts, objective_plane
from core.methods import Training, get_method

Parameters = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class FeaturePair:
    """Two features of some data, with the loss over their weights; by default two redundant ones, made up.

    Attributes
    ----------
    data : RankingData, optional
        A training part.
    features : pair of str or int
        By name, or by number counting from 1.
    """

    data: RankingData | None = None
    features: tuple[str | int, str | int] = (1, 2)

    def opened(self) -> tuple[Training, Names, Map]:
        """Return the problem of the two, their names, and the loss over their weights."""
        data = redundant_pair() if self.data is None else self.data
        a, b = columns(self.features, data.feature_names)
        training = two_feature_training(data, (a, b))
        return training, (data.feature_names[a], data.feature_names[b]), loss_map(training)


def penalty_curves(
    studied: str = "log",
    *,
    show: Literal["price", "pull", "prox"] = "price",
    parameters: Mapping[str, Parameters] | None = None,
    step: float = 0.5,
    together: bool = False,
) -> FigureAndTable:
    """Draw the penalties: the price of a weight, the pull towards 0, or one step of the proximal operator.

    Parameters
    ----------
    studied : str
        Id of the method whose penalty is bold.
    show : {"price", "pull", "prox"}
    parameters : mapping, optional
        Of the penalties, by method and name; defaults otherwise.
    step : float
        Of the proximal operator.
    together : bool
        Whether all are scaled to agree at a weight of 1.

    Returns
    -------
    FigureAndTable
        Its table has a row a penalty.
    """
    curves = [
        PenaltyCurve(m.id, m.title, penalty_of(m, dict((parameters or {}).get(m.id, {})))) for m in penalty_methods()
    ]
    if together:
        curves = [agreeing_at_one(curve) for curve in curves]
    shapes = {c.method: penalty_shape(c.penalty, step * c.scale) for c in curves}
    if show == "prox":
        figure = prox_figure(curves, step, studied=studied, title=f"The proximal operator, step {short(step)}")
    elif show == "pull":
        figure = slopes_figure(curves, studied=studied, title="The pull g′(|w|) towards 0")
    else:
        figure = curves_figure(curves, studied=studied, title="The price g(|w|) of a weight")
    return FigureAndTable(figure, penalty_table(curves, shapes, step))


def two_features(
    method: str,
    *,
    ratio: float,
    parameters: Parameters | None = None,
    pair: FeaturePair | None = None,
    ground: Literal["loss and ball", "objective"] = "loss and ball",
) -> FigureAndTable:
    """Draw the minima of a method on two features, and the way of the lowest one as lambda falls.

    Parameters
    ----------
    method : str
    ratio : float
        lambda / lambda_max; the nearest of those that are followed is drawn.
    parameters : mapping, optional
    pair : FeaturePair, optional
    ground : {"loss and ball", "objective"}
        What the level lines are of.

    Returns
    -------
    FigureAndTable
        Its table has a row for every lambda that is followed.
    """
    under, (training, names, terrain) = get_method(method), (pair or FeaturePair()).opened()
    settings = dict(parameters or {})
    path = trajectory(under, training, settings, RATIOS)
    here = int(np.argmin(np.abs(np.log(np.array(RATIOS) / ratio))))
    lam = training.lam_at(ratio) if ground == "objective" else None
    figure = minima_plane(terrain, names, path, here, under, penalty_of(under, settings), lam)
    return FigureAndTable(figure, minima_table(names, path))


def reweighting(
    method: str,
    *,
    ratio: float,
    number: int = 1,
    parameters: Parameters | None = None,
    pair: FeaturePair | None = None,
) -> FigureAndTable:
    """Draw a round of reweighting on two features: the weighted l1 problem in place of a non-convex penalty.

    Parameters
    ----------
    method : str
        With a non-convex penalty.
    ratio : float
        lambda / lambda_max.
    number : int
        Of the round, from 1.
    parameters, pair
        As for `two_features`.

    Returns
    -------
    FigureAndTable
        Its table has a row a round.

    Raises
    ------
    ValueError
        If the penalty is convex, or there is no such round.
    """
    under, (training, names, terrain) = get_method(method), (pair or FeaturePair()).opened()
    penalty = penalty_of(under, dict(parameters or {}))
    if penalty.convex:
        msg = f"{under.title} is convex: there is nothing to reweight"
        raise ValueError(msg)
    rounds = reweighting_rounds(training, penalty, training.lam_at(ratio))
    if not 1 <= number <= len(rounds):
        msg = f"there are rounds 1 to {len(rounds)}, not {number}"
        raise ValueError(msg)
    figure = round_plane(terrain, names, rounds, number, under)
    return FigureAndTable(figure, rounds_table(names, rounds, number))


def starts(
    method: str,
    *,
    ratio: float,
    n: int = 25,
    seed: int = 0,
    parameters: Parameters | None = None,
    pair: FeaturePair | None = None,
) -> FigureAndTable:
    """Draw the minima in which fits from random starts end, on two features; the first start is zero.

    Parameters
    ----------
    method : str
    ratio : float
        lambda / lambda_max.
    n, seed : int
        Number of starts, and of their draw.
    parameters, pair
        As for `two_features`.

    Returns
    -------
    FigureAndTable
        Its table has a row a minimum.
    """
    under, (training, names, terrain) = get_method(method), (pair or FeaturePair()).opened()
    settings, lam = dict(parameters or {}), training.lam_at(ratio)
    low, high = ([axis[end] for axis in (terrain.first, terrain.second)] for end in (0, -1))
    begun = random_starts(n, low, high, seed)
    run = StartsRun(under, training, lam, begun, settings)
    ends = run.finish()
    minima = distinct_minima(ends, run.problem)
    title = f"{n} starts, {under.title}"
    figure = objective_plane(terrain, penalty_of(under, settings), lam, names, method, title)
    add_starts(figure, begun, minima, method)
    return FigureAndTable(figure, starts_table(names, minima))
