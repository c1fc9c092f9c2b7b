"""Preconditioning: a problem whose features have ranges of many sizes is solved in units of its own.

A penalty keeps its meaning: with x' = x / unit a weight is w' = unit w, and pays what w pays. So the duality gap is
that of the problem itself. A residual is measured per unit of w', which moves scores about as much in every feature.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.column_ranges import in_units
from core.penalties.by_feature import penalty_in_units
from core.solvers.base import Solver
from core.solvers.first_order.subgradient import Subgradient
from core.solvers.problem import AtZero, Problem, Units

ROUNDING = 1e-13
"""Of the sum of the sizes of its terms: a slope that small is the rounding error of its own sum."""


def units_of(data: RankingData) -> Units | None:
    """Return units for data; None where the features' ranges are of about one size."""
    if data.is_even or not (ranges := data.ranges).is_wide:
        return None
    powers = ranges.units
    return Units(powers, in_units(data.features, data.query_offsets, powers), ROUNDING * 4.0 * ranges.typical)


def without_offsets(data: RankingData) -> NDArray[np.floating]:
    """Return the features without offsets within queries where these would cost digits; pairs see no difference."""
    if data.is_even or not data.ranges.has_offsets:
        return data.features
    return in_units(data.features, data.query_offsets, np.ones(data.n_features))


def in_units_of_its_own(problem: Problem, solver: Solver) -> Problem:
    """Return the problem that the solver is to solve: in units of its own where it has such and the solver takes them.

    A subgradient step would leap over 0 where a unit makes a weight dear, so it stays as published.
    """
    units = problem.units
    penalty = None if units is None else penalty_in_units(problem.penalty, units.powers, units.rounding)
    if units is None or penalty is None or isinstance(solver, Subgradient):
        return problem
    own = replace(problem, features=units.features, penalty=penalty, units=None)
    if not penalty.convex and problem.has_curvature:
        zero = own.at_zero if own.at_zero and own.at_zero.features is own.features else None
        found = (zero or AtZero.of(own.features, own.loss)).found
        own = replace(own, steepest=float(np.abs(found.gradient).max()) or np.inf)
    return own if solver.accepts(own) is None else problem
