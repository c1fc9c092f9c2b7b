"""The best k features for ridge RankSVM, with a proof: the yardstick of every other selection."""

import numpy as np

from core.methods.branch_and_bound import ENDS, proven_by_search
from core.methods.sources import LOSS_LATEX
from core.penalties import L2Budget, Parameter

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
