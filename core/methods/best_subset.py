"""The best features for ridge RankSVM, at most k or each at a price, with a proof: the yardstick of selections.

And the selections that people do by hand: forward, backward, and exchanges of single features.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.methods.base import Method
from core.methods.filters import SECOND_STAGE_LATEX
from core.methods.sources import GUYON_2002, LOSS_LATEX
from core.methods.training import Training
from core.penalties import L0, L2Budget, L2On, Parameter
from core.solvers import BranchAndBound, OnChosenFeatures, Problem, Stop
from core.solvers.best_subset.selections import (
    Selection,
    backward_by_curvature,
    backward_by_weight,
    exchanged,
    forward,
)

ENDS = "The search ends after a minute at the latest; the duality gap then says what is left to prove."


def proven_by_search(**row: Any) -> Method:
    """Make the method of a row of the registry."""
    return Method(
        solvers=(BranchAndBound(),),
        convex=False,
        path_start="zero",  # an answer is not to depend on the models around it
        stop=Stop(tol=1e-5, max_seconds=60.0),
        **row,
    )


def keeping_searches(method: Method, folder: Path | None) -> Method:
    """Return the method with searches that are kept in a folder, from which killed fits go on; others stay as they are.

    Parameters
    ----------
    folder : Path or None
        Made with the first search that is kept in it; None to keep nothing.
    """
    solvers = tuple(replace(one, folder=folder) if isinstance(one, BranchAndBound) else one for one in method.solvers)
    return replace(method, solvers=solvers)


K = Parameter(
    "k", "k", 5.0, 1.0, 1e6,
    "The most features that the model may have. More of them make the search longer; with costs of features this is a "
    "budget.",
    counts=True,
)  # fmt: skip

BEST_SUBSET = proven_by_search(
    id="best-subset",
    title="best subset",
    source="ours: branch and bound on the perspective relaxation of RankSVM-Primal (2026)",
    objective=LOSS_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2 \quad\text{s.t.}\quad \lVert w\rVert_0 \le k",
    explanation=(
        "Finds the k features with which ridge RankSVM has the lowest objective, and proves that no other k features "
        "do better. All other methods search without a proof, so this one shows how far they are from the best. It is "
        "a yardstick of the objective on the training part; a lower objective does not always rank other queries "
        f"better. {ENDS}"
    ),
    make_penalty=lambda parameters, c: L2Budget(parameters["k"]),
    parameters=(K,),
    ratios=np.geomspace(1.0, 1e-3, 13),  # a search takes seconds, and longer the smaller lambda is
)


PRICE = Parameter(
    "price", "p", 1.0, 1e-6, 1e6,
    "What a feature costs, as a multiple of λ. The higher it is, the fewer features a model keeps at the same λ.",
)  # fmt: skip

RANKSVM_L0 = proven_by_search(
    id="l0",
    title="ℓ0",
    source="ours: branch and bound as for the best subset, with prices instead of a budget (2026)",
    objective=LOSS_LATEX + r" + \lambda \left( \tfrac12 \lVert w\rVert_2^2 + p\,\lVert w\rVert_0 \right)",
    explanation=(
        "Finds the features that are worth their price with ridge RankSVM, and proves that no other choice of "
        "features has a lower objective. ℓ1 and the concave penalties approximate this penalty, which counts features "
        f"and so has no slope to follow. {ENDS}"
    ),
    make_penalty=lambda parameters, c: L0(parameters["price"]),
    parameters=(PRICE,),
    ratios=np.geomspace(1.0, 3e-3, 11),  # a search takes longer the smaller lambda is
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
