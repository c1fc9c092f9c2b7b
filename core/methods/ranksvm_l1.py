"""RankSVM with the l1 penalty."""

from core.methods.base import Method
from core.methods.refit import REFITTING
from core.methods.sources import LAPORTE_2014, LOSS_LATEX
from core.penalties import L1
from core.solvers import Fista, FistaFixed, ProximalNewton, Subgradient

RANKSVM_L1 = Method(
    id="l1",
    title="ℓ1",
    source=f"{LAPORTE_2014}, eq. 7, Algorithm 1",
    objective=LOSS_LATEX + r" + \lambda \lVert w\rVert_1",
    explanation=(
        "The convex sparse RankSVM: it has one optimum, and a duality gap proves how near the model is. It pulls every "
        "weight towards 0 with the same force, so it needs more features than the non-convex penalties for the same "
        "ranking quality."
    ),
    make_penalty=lambda parameters, c: L1(),
    parameters=REFITTING,
    solvers=(ProximalNewton(), Fista(), FistaFixed(), Subgradient()),
)
