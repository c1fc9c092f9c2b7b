"""Selections that people do by hand, for ridge RankSVM: forward, backward, and exchanges of single features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from core.methods.base import Method
from core.methods.best_subset import K
from core.methods.filters import SECOND_STAGE_LATEX
from core.methods.sources import GUYON_2002
from core.methods.training import Training
from core.penalties import L2Budget, L2On
from core.solvers import OnChosenFeatures, Problem
from core.solvers.best_subset.selections import (
    Selection,
    backward_by_curvature,
    backward_by_weight,
    exchanged,
    forward,
)

COMPARE = "The best subset says how far the result is from the best possible."


def _selecting(select: Selection, **row: Any) -> Method:
    """Make the method that fits the ℓ2 model of the features that ``select`` keeps at the same lambda."""

    def problem(training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
        budget = training.problem(L2Budget(parameters["k"]), lam)
        penalty = training.on_selected((select, lam, parameters["k"]), lambda: select(budget))
        return replace(budget, penalty=penalty)

    return Method(
        objective=SECOND_STAGE_LATEX,
        make_penalty=lambda parameters, c: L2On(np.arange(int(parameters["k"]))),  # which ones, the data tells
        make_problem=problem,
        parameters=(replace(K, help="How many features the model keeps at most."),),
        solvers=(OnChosenFeatures(),),
        **row,
    )


FORWARD = _selecting(
    forward,
    id="forward",
    title="forward selection",
    source="Efroymson (1960), Multiple regression analysis; here for RankSVM-Primal",
    explanation=(
        "Starts with no feature and adds the one that lowers the objective most, until it has k. A feature that it has "
        f"added stays, even if later ones make it superfluous. {COMPARE}"
    ),
)
BACKWARD = _selecting(
    backward_by_weight,
    id="rfe",
    title="elimination by weight",
    source=f"{GUYON_2002}; here for RankSVM-Primal",
    explanation=(
        "Fits all features, drops the one with the smallest weight, and fits again until k are left. A small weight "
        "does not always mean a small loss, since features have different scales and can replace one another. "
        f"{COMPARE}"
    ),
)
BACKWARD_BY_CURVATURE = _selecting(
    backward_by_curvature,
    id="elimination",
    title="elimination by curvature",
    source="Hassibi & Stork (1993), Second order derivatives for network pruning: optimal brain surgeon, NIPS",
    explanation=(
        "Fits all features, drops the one whose loss raises the objective least by the quadratic model, in which the "
        f"other weights make up for it, and fits again until k are left. {COMPARE}"
    ),
)
EXCHANGE = _selecting(
    exchanged,
    id="exchange",
    title="exchange",
    source="ours: elimination by curvature, then exchanges of single features, as branch and bound begins",
    explanation=(
        "Eliminates by curvature, then exchanges one feature for another as long as the objective falls. It tries the "
        f"thirty exchanges that the quadratic model rates best. {COMPARE}"
    ),
)
