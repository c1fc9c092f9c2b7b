"""RankSVM with the l2 penalty: the dense reference."""

from core.methods.base import Method
from core.methods.sources import CHAPELLE_KEERTHI_2010, LOSS_LATEX
from core.penalties import L2
from core.solvers import Fista, FistaFixed, Newton, Subgradient

RANKSVM_L2 = Method(
    id="l2",
    title="ℓ2",
    source=CHAPELLE_KEERTHI_2010,
    objective=LOSS_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2",
    explanation="The dense RankSVM: it keeps every feature. Compare a sparse model with it to see what sparsity costs.",
    make_penalty=lambda parameters, c: L2(),
    solvers=(Newton(), Fista(), FistaFixed(), Subgradient()),
)
