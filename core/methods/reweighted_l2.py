"""Rank-l2-AROM and RankRWFS: l2 models of reweighted features, until few features are left."""

import math
from collections.abc import Mapping
from typing import Any

from core.methods.base import Method, Variant
from core.methods.sources import KUJALA_2009, LAPORTE_2014_CORIA, LOSS_LATEX, WESTON_2003
from core.methods.training import Training
from core.metrics import usable_features
from core.penalties import L2Survivors
from core.penalties.subset import NULL, SHARE
from core.solvers import AROM, TOWARDS_L0, TOWARDS_L1, Problem, ReweightedL2
from core.solvers.reweighting.reweighted_l2 import Reweighting

PAPERS_SHARES = tuple(
    Variant(f"{100 * share:.0f} %", {"share": share}, f"At most {100 * share:.0f} % of the features, as in the tables.")
    for share in (0.5, 0.3, 0.1)
)


def most_kept(share: float, n_usable: int) -> int:
    """Compute r, the largest number of features within this share of the usable ones, at least 1."""
    return max(1, math.floor(share * n_usable + 1e-9))  # 0.29 * 100 is a little less than 29


def _problem(training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
    usable = training.once("usable features", lambda: int(usable_features(training.data).sum()))
    penalty = L2Survivors(most_kept(parameters["share"], usable), parameters["null"])
    return training.problem(penalty, lam)


def _method(rule: Reweighting, scale: str, **row: Any) -> Method:
    return Method(
        objective=LOSS_LATEX
        + r" + \frac\lambda2 \lVert w\rVert_2^2 \quad\text{on the}\le r\text{ features that survive}\quad "
        + r"w \leftarrow \arg\min_w L(w) + \frac\lambda2 \sum_j \frac{w_j^2}{v_j^2},\quad v_j \leftarrow "
        + scale,
        make_penalty=lambda parameters, c: L2Survivors(1, parameters["null"]),  # how many, the data tells
        make_problem=_problem,
        parameters=(SHARE, NULL),
        solvers=(ReweightedL2(rule),),
        convex=False,
        path_start="zero",
        variants=PAPERS_SHARES,
        **row,
    )


L2_AROM = _method(
    AROM,
    id="l2-arom",
    title="Rank-ℓ2-AROM",
    source=f"{LAPORTE_2014_CORIA}, section 2.2; {WESTON_2003}",
    scale=r"|w_j|",
    explanation=(
        "Fits the dense ℓ2 model, multiplies every feature by its weight, and fits again. Weak features grow weaker "
        "from round to round, and a feature whose new weight is null is dropped, until at most the share r/d is left, "
        "usually after about ten rounds. A last ℓ2 fit on these features has a duality gap as its certificate. The "
        "rounds lower the loss plus λΣlog|w_j|, which replaces the number of features; it is not convex and has no "
        "minimum, so the choice of features is not certified. Use it for a very sparse model at little cost; "
        "RankRWFS-ℓ0 has the same rounds and stops sooner."
    ),
)
RWFS_L1 = _method(
    TOWARDS_L1,
    id="rwfs-l1",
    title="RankRWFS-ℓ1",
    source=f"{LAPORTE_2014_CORIA}, eq. 5, Algorithm 1; {KUJALA_2009}",
    scale=r"\sqrt{|w_j|}",
    explanation=(
        "Fits the dense ℓ2 model, multiplies every feature by the root of its weight, and fits again. The rounds lower "
        "the ℓ1 objective and converge to the ℓ1 model of the same λ; each shrinks the weight of a superfluous feature "
        "by a factor. At most the share r/d of the features is kept for a last ℓ2 fit, which undoes ℓ1's shrinkage and "
        "has a duality gap. Where the ℓ1 model has more features than that, the paper's loop never ends; this program "
        "then keeps the features with the largest weights. Use it to get ℓ1's features without its shrinkage."
    ),
)
RWFS_L0 = _method(
    TOWARDS_L0,
    id="rwfs-l0",
    title="RankRWFS-ℓ0",
    source=f"{LAPORTE_2014_CORIA}, eq. 6, Algorithm 1; {WESTON_2003}",
    scale=r"|w_j|",
    explanation=(
        "As Rank-ℓ2-AROM, but with another value compared with the null threshold: the weight of the feature itself "
        "instead of that of the scaled feature. It falls below the threshold sooner, so the rounds are the same but "
        "fewer, and this is the fastest of the three methods in the paper. A round may drop many features at once, so "
        "fewer may be left than asked for; with a small C none may be left. The last ℓ2 fit has a duality gap; the "
        "choice of features is not certified."
    ),
)
