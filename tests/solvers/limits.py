"""The small problem of all solver tests with its explicit pairs, prices and signs of its fifteen features."""

import numpy as np

from core.losses import LossEvaluation, SquaredHinge
from core.methods import METHODS, Method
from core.penalties import FeatureWeighted, Penalty, Signed
from core.solvers import Solver
from tests.oracles import FloatArray, RankSvm, ranking_problem

SMALL = ranking_problem()
LOSS, ALL_PAIRS, D = SquaredHinge.of(SMALL), RankSvm.of(SMALL), SMALL.n_features
LAM_MAX = float(np.abs(ALL_PAIRS.gradient(np.zeros(D))).max())
NUMBER = np.arange(D)
COSTS = np.linspace(0.2, 3.0, D)
SWITCHES = np.where(NUMBER == 3, np.inf, np.where(NUMBER == 7, 0.0, 1.0))  # 3 is forbidden, 7 is free
THREE_FREE = np.where(np.isin(NUMBER, [1, 4, 7]), 0.0, 1.0)
ALIKE, EITHER = np.ones(D), np.zeros(D)
MIXED = np.array([1.0, -1.0, 0.0] * 5)
LIMITS = {
    "alike": (ALIKE, EITHER),
    "costs": (COSTS, EITHER),
    "costs and switches": (COSTS * SWITCHES, EITHER),
    "some free, some forbidden": (np.array([0.0, np.inf, 1.0] * 5), EITHER),
    "three free, one of them useless": (THREE_FREE, EITHER),
    "all but two free": (np.where(NUMBER < 2, 1.0, 0.0), EITHER),
    "all help": (ALIKE, ALIKE),
    "all hurt": (ALIKE, -ALIKE),
    "mixed signs": (ALIKE, MIXED),
    "mixed signs and switches": (SWITCHES, MIXED),
    "a free one that helps": (THREE_FREE, np.where(NUMBER == 7, 1.0, 0.0)),
    "a free one that hurts": (THREE_FREE, np.where(NUMBER == 7, -1.0, 0.0)),
}
"""Factor of every feature's price (0 is free, infinite forbidden), and the sign that its weight may have."""

ONE_OF_EACH: dict[str, tuple[Method, Solver]] = {
    solver.id: (method, solver) for method in reversed(METHODS) for solver in method.solvers
}
"""Solvers by their id, with the first method that has each."""
OF_EACH_LOSS: list[tuple[Method, Solver]] = [
    *{(one.loss.make, solver.id): (one, solver) for one in reversed(METHODS) for solver in one.solvers}.values()
]
"""Solvers, once by every loss that they minimise."""


def limited(penalty: Penalty, limits: str) -> Penalty:
    """The penalty under some of `LIMITS`."""
    factors, signs = LIMITS[limits]
    weighted = penalty if np.all(factors == 1.0) else FeatureWeighted(penalty, factors)
    return Signed(weighted, signs) if signs.any() else weighted


class Counting(SquaredHinge):
    """The loss, counting its sweeps."""

    sweeps = 0

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        self.sweeps += 1
        return super().evaluate(scores)
