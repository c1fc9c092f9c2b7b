"""TGRank and RSRank: sparse learners by truncated gradient, with which FenchelRank was compared."""

from collections.abc import Mapping

from core.data import DataError, RankingData
from core.losses import ImportanceWeightedHuber, Loss
from core.methods.base import Method
from core.methods.refit import REFITTING
from core.methods.sources import LAI_2013_FENCHELRANK, LANGFORD_2009, LOSS_LATEX, SUN_2009
from core.methods.training import LossRecipe, steepest_slope
from core.penalties import L1
from core.solvers import ImportanceTruncatedGradient, Stop, TruncatedGradient, TruncatedGradientDecaying

# T = 1000 is printed for all experiments (Lai et al. 2013, section 8.3) and for TGRank by name (8.5.1, Table 6).
# The accuracy 0.001 printed beside it is that of FenchelRank's duality gap; how TGRank and RSRank would know theirs is
# not told. So they take T steps, or fewer where our own certificate leaves nothing to gain.
PAPER_STOP = Stop(max_steps=1000, papers_limit=True)
STOPPING = (
    "after T = 1000 steps, which is only a limit: the certificate shows how accurate the model is. The paper prints "
    "an accuracy ε = 0.001 along with T. It is that of FenchelRank's gap, and the paper does not say how the other "
    "methods would measure theirs. This program also stops when its own certificate, which the paper does not have, "
    "is below 1e-6. Setting another tolerance removes the limit."
)

TGRANK = Method(
    id="tgrank",
    title="TGRank",
    source=f"{LAI_2013_FENCHELRANK}, eq. 2, section 8.5.1; {LANGFORD_2009}",
    objective=LOSS_LATEX + r" + \lambda \lVert w\rVert_1",
    explanation=(
        "The ℓ1 model by truncated gradient: each step is a gradient step, after which every weight shrinks towards "
        "0. It is the simplest algorithm for the ℓ1 objective and converges as O(1/k). After the paper's 1000 steps "
        "it often keeps more features than the optimum has. Use it for comparison only: the method ℓ1 reaches the "
        "optimum in about ten steps."
    ),
    make_penalty=lambda parameters, c: L1(),
    parameters=REFITTING,
    solvers=(TruncatedGradient(), TruncatedGradientDecaying()),
    stop=PAPER_STOP,
    stopping=STOPPING,
)


def _importance_weighted(data: RankingData, parameters: Mapping[str, float]) -> Loss:
    return ImportanceWeightedHuber.of(data)


def _no_feature_moves(data: RankingData, loss: Loss) -> DataError:
    return DataError(
        "no feature differs, on average, between the documents of a pair, so no step leads away from the empty model; "
        "check that the features vary within queries"
    )


RSRANK_LOSS = LossRecipe(
    make=_importance_weighted, largest_lam=steepest_slope, explain_empty=_no_feature_moves, convex=False
)

RSRANK = Method(
    id="rsrank",
    title="RSRank",
    source=f"{SUN_2009}, as described by {LAI_2013_FENCHELRANK}, section 8.5.1",
    objective=(
        r"\frac1Q\sum_q\sum_{(i,j)} |\Delta\mathrm{NDCG}_{ij}(w)|\,\psi\left((x_i-x_j)^\top w\right) + \lambda \lVert "
        r"w\rVert_1, \quad \psi(z) = \max(0,\,1-z)^2 \text{ for } z \ge -1,\ -4z \text{ below}"
    ),
    explanation=(
        "Weights every pair by the change in NDCG if its two documents swapped places, so the top of the list matters "
        "most. ψ is the modified Huber loss, on which outliers have less influence. This is a reconstruction: the "
        "paper of RSRank was not available, so weights and ψ follow the description by Lai et al. The weights of the "
        "pairs change with the ranking, so the objective is not convex, the solution depends on the start, and no "
        "convergence rate is known. A step visits every pair (and stores none), so long lists take longer than with "
        "the other losses. Use it where NDCG at the top matters most."
    ),
    make_penalty=lambda parameters, c: L1(),
    parameters=REFITTING,
    solvers=(ImportanceTruncatedGradient(),),
    convex=False,
    path_start="zero",
    loss=RSRANK_LOSS,
    stop=PAPER_STOP,
    stopping=STOPPING,
)
