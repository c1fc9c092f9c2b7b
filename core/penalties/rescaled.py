"""Penalties of features that a solver sees in other units."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Penalty
from core.penalties.feature_weighted import FeatureWeighted
from core.penalties.l1 import L1, WeightedL1, soft_threshold
from core.penalties.l2 import L2
from core.penalties.log import Log
from core.penalties.lp import Lp
from core.penalties.mcp import MCP
from core.penalties.scad import SCAD
from core.penalties.signed import Signed


class Rescaled(Penalty):
    """sum_j g(|w_j| / unit_j), with g the curve of another penalty: what w_j / unit_j pays.

    Parameters
    ----------
    penalty : Penalty
        A sum over features.
    units : ndarray, shape (n_features,)
        Each > 0.
    rounding : float
        See `WeightedL1`.
    """

    def __init__(self, penalty: Penalty, units: FloatArray, rounding: float = 0.0) -> None:
        self.penalty, self.units, self.rounding = penalty, units, rounding
        self.title, self.convex, self.sparse, self.among = penalty.title, penalty.convex, penalty.sparse, penalty.among

    def curve(self, t: FloatArray) -> FloatArray:
        return self.penalty.curve(t / self.units)

    def weights(self, w: FloatArray) -> FloatArray:
        return self.penalty.weights(w / self.units) / self.units

    def first_weights(self, n_features: int) -> FloatArray:
        return self.penalty.first_weights(n_features) / self.units

    def curvature(self, w: FloatArray) -> FloatArray:
        return self.penalty.curvature(w / self.units) / self.units**2

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        steep = soft_threshold(gradient, self.rounding * slope)
        return self.penalty.dual_bound(slope, curvature, steep * self.units, lam, limit)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return self.units * self.penalty.prox(v / self.units, step / self.units**2)


def is_ridge(penalty: Penalty) -> bool:
    """Tell whether a penalty is half the squared l2 norm, in whatever units."""
    return isinstance(penalty.penalty if isinstance(penalty, Rescaled) else penalty, L2)


def penalty_in_units(penalty: Penalty, units: FloatArray, rounding: float) -> Penalty | None:
    """Return what weights of features in other units pay; None for a penalty that is no such sum over features.

    Parameters
    ----------
    penalty : Penalty
    units : ndarray, shape (n_features,)
        A feature divided by its unit has its weight times the unit.
    rounding : float
        See `WeightedL1`.
    """
    if isinstance(penalty, Log | Lp | MCP | SCAD) or type(penalty) is L2:
        return Rescaled(penalty, units, rounding)
    if type(penalty) in (WeightedL1, L1):
        assert isinstance(penalty, WeightedL1)
        return WeightedL1(penalty.beta / units, rounding)
    if not isinstance(penalty, FeatureWeighted | Signed):
        return None
    inner = penalty_in_units(penalty.penalty, units, rounding)
    if inner is None:
        return None
    if isinstance(penalty, Signed):
        return Signed(inner, penalty.signs(len(units)))
    return FeatureWeighted(inner, penalty.factors)
