"""The best features for ridge RankSVM, at most k or each at a price, with a proof: the yardstick of selections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.methods.base import Method
from core.methods.sources import LOSS_LATEX
from core.penalties import L0, L2Budget, Parameter
from core.solvers import BranchAndBound, Stop

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
    method : Method
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
