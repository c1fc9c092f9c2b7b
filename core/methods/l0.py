"""Ridge RankSVM with a price for every feature, solved to proven optimality."""

import numpy as np

from core.methods.branch_and_bound import ENDS, proven_by_search
from core.methods.sources import LOSS_LATEX
from core.penalties import L0, Parameter

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
