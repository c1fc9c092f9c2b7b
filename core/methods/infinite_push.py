"""The support vector infinite push, which ranks at the top of the list: sparse, dense, and by elimination."""

from collections.abc import Mapping

from core.data import RankingData
from core.losses import InfinitePush, Loss
from core.losses.infinite_push import TOP_SHARE
from core.methods.base import Method
from core.methods.ranksvm import RANKSVM_L05, RANKSVM_LOG, RANKSVM_MCP
from core.methods.refit import REFITTING
from core.methods.sources import GUYON_2002, RAKOTOMAMONJY_2012
from core.methods.training import EmptyOptimumError, LossRecipe, Training
from core.penalties import L1, L2, L2AtMost, Penalty
from core.penalties.subset import KEEP
from core.solvers import (
    Admm,
    AdmmExactProx,
    ExactPush,
    RecursiveElimination,
    ReweightedPush,
    largest_lambda,
    smallest_useful_share,
)

PUSH_LATEX = r"\frac1Q\sum_q \max_{j \in N_q} \frac1{|P_q|}\sum_{i \in P_q} \max\left(0,\, 1-(x_i-x_j)^\top w\right)"
TOPS = (
    "With a top share κ above 0 the loss averages over that share of each list's highest-scored irrelevant documents "
    "instead of taking the single highest."
)


def _make(data: RankingData, parameters: Mapping[str, float]) -> Loss:
    return InfinitePush.of(data, parameters["top_share"])


def _largest_lam(training: Training, penalty: Penalty) -> float:
    """Signs are left out, which can only make it larger; so are prices where features pay nothing."""
    assert isinstance(training.loss, InfinitePush)
    n = training.data.n_features
    prices = None if penalty.exempt(n).any() else penalty.first_weights(n)
    return largest_lambda(training.data, training.loss, prices)


def _explain_empty(data: RankingData, loss: Loss) -> EmptyOptimumError:
    """Explain why the empty model is optimal: no weights beat most lists' top negatives. Name a share that works."""
    assert isinstance(loss, InfinitePush)
    enough = smallest_useful_share(data)
    asked = "the top irrelevant document" if loss.top_share == 0.0 else f"the top share κ = {loss.top_share:g}"
    reason = (
        f"the empty model is optimal at every λ: averaged over the {loss.n_queries_used:,} lists that have relevant "
        f"and irrelevant documents (the other {loss.n_queries_skipped:,} do not count), no linear model lifts the "
        f"relevant documents above {asked} of their list"
    )
    if enough is None:
        return EmptyOptimumError(f"{reason}, nor above any larger share; check that the features vary within queries")
    return EmptyOptimumError(f"{reason}; with the top share κ = {enough:g} one does", {"top_share": enough})


PUSH_LOSS = LossRecipe(
    make=_make,
    parameters=("top_share",),
    largest_lam=_largest_lam,
    explain_empty=_explain_empty,
    l1_solver=ExactPush(),
)

INFINITE_PUSH_L1 = Method(
    id="infinite-push-l1",
    title="infinite push ℓ1",
    source=f"{RAKOTOMAMONJY_2012}, eq. 2, Algorithm 1",
    objective=PUSH_LATEX + r" + \lambda \lVert w\rVert_1",
    explanation=(
        "Learns to rank at the very top of each list: the loss compares the relevant documents with the "
        f"highest-scored irrelevant one. {TOPS}"
    ),
    make_penalty=lambda parameters, c: L1(),
    parameters=(TOP_SHARE, *REFITTING),
    solvers=(ExactPush(), Admm(), AdmmExactProx()),
    loss=PUSH_LOSS,
)

INFINITE_PUSH_L2 = Method(
    id="infinite-push-l2",
    title="infinite push ℓ2",
    source=f"{RAKOTOMAMONJY_2012}, eq. 2; Agarwal (2011), The infinite push, SIAM SDM",
    objective=PUSH_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2",
    explanation=f"The dense infinite push: it keeps every feature. Compare the sparse methods with it. {TOPS}",
    make_penalty=lambda parameters, c: L2(),
    parameters=(TOP_SHARE,),
    solvers=(ExactPush(), Admm(), AdmmExactProx()),
    loss=PUSH_LOSS,
)

INFINITE_PUSH_RFE = Method(
    id="infinite-push-rfe",
    title="infinite push, eliminated",
    source=f"{RAKOTOMAMONJY_2012}, §4.1; {GUYON_2002}",
    objective=PUSH_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2 \quad\text{s.t.}\quad \lVert w\rVert_0 \le k",
    explanation=(
        "Fits the dense infinite push, drops the feature with the smallest weight, and fits again until k features "
        "are left. It is greedy: a feature never comes back. You set the number of features; the method does not find "
        "it."
    ),
    make_penalty=lambda parameters, c: L2AtMost(parameters["keep"]),
    parameters=(KEEP, TOP_SHARE),
    solvers=(RecursiveElimination(ExactPush()),),
    convex=False,
    path_start="zero",
    loss=PUSH_LOSS,
)


def _reweighted(base: Method, penalty_latex: str) -> Method:
    """Make the infinite push with a concave penalty of RankSVM; no paper has published these methods."""

    def penalty(parameters: Mapping[str, float], c: float) -> Penalty:
        return base.make_penalty({name: value for name, value in parameters.items() if name != TOP_SHARE.name}, c)

    return Method(
        id=f"infinite-push-{base.id}",
        title=f"infinite push {base.title}",
        source=f"ours: the loss of {RAKOTOMAMONJY_2012} with the reweighting of {base.source}",
        objective=PUSH_LATEX + penalty_latex,
        explanation=(
            f"The infinite push with the {base.title} penalty: it solves a sequence of weighted ℓ1 problems, each "
            f"exactly. {TOPS}"
        ),
        make_penalty=penalty,
        parameters=(*(p for p in base.parameters if p not in REFITTING), TOP_SHARE, *REFITTING),
        solvers=(ReweightedPush(),),
        convex=False,
        path_start="l1",
        loss=PUSH_LOSS,
    )


INFINITE_PUSH_LOG = _reweighted(RANKSVM_LOG, r" + \lambda \sum_j \log\left(1+\frac{|w_j|}{\varepsilon}\right)")
INFINITE_PUSH_MCP = _reweighted(
    RANKSVM_MCP, r" + \lambda \sum_j \int_0^{|w_j|} \max\left(1-\frac{t}{\text{knee}},\,0\right) \mathrm{d}t"
)
INFINITE_PUSH_L05 = _reweighted(RANKSVM_L05, r" + \lambda \sum_j |w_j|^{p}")
