"""RankSVM with the concave penalties: log, MCP, lp and SCAD, by reweighted l1."""

from collections.abc import Mapping

from core.methods.base import Method, Variant
from core.methods.refit import REFITTING
from core.methods.sources import FAN_LI_2001, LAPORTE_2014, LOSS_LATEX
from core.penalties import MCP, SCAD, Log, Lp, Parameter, Penalty
from core.solvers import ProximalNewton, ReweightedFista, ReweightedFistaFixed, ReweightedL1

REWEIGHTING = (ProximalNewton(), ReweightedL1(), ReweightedFista(), ReweightedFistaFixed())
GAMMA = Parameter(
    "gamma", "γ", 0.0, 0.0, 1e9,
    "The paper's way to set the knee: above 0, the knee is γ/C, which is γλ for the summed loss (the paper uses γ = "
    "2). At 0, the knee is set directly.",
)  # fmt: skip


def _mcp(parameters: Mapping[str, float], c: float) -> Penalty:
    gamma = parameters["gamma"]
    return MCP(gamma / c if gamma > 0.0 else parameters["knee"])


RANKSVM_LOG = Method(
    id="log",
    title="log",
    source=f"{LAPORTE_2014}, Algorithm 2, Table II",
    objective=LOSS_LATEX + r" + \lambda \sum_j \log\left(1+\frac{|w_j|}{\varepsilon}\right)",
    explanation=(
        "Concave: with ε = 0.1 it pulls a small weight towards 0 ten times as hard as ℓ1, and a large weight hardly "
        "at all. In the paper its models are among the sparsest at the same MAP. There are several local minima, so "
        "the solution depends on the start."
    ),
    make_penalty=lambda parameters, c: Log(parameters["epsilon"]),
    parameters=(*Log.parameters, *REFITTING),
    solvers=REWEIGHTING,
    convex=False,
    path_start="l1",
)

RANKSVM_MCP = Method(
    id="mcp",
    title="MCP",
    source=f"{LAPORTE_2014}, Algorithm 2, Table II",
    objective=LOSS_LATEX + r" + \lambda \sum_j \int_0^{|w_j|} \max\left(1-\frac{t}{\text{knee}},\,0\right) \mathrm{d}t",
    explanation=(
        "Near zero it is ℓ1; a weight beyond the knee is not shrunk at all. So the model is less biased rather than "
        "much sparser. The paper's knee is γ/C with γ = 2, which all weights may stay below: on MQ2008 the models "
        "chosen with it are those of ℓ1."
    ),
    make_penalty=_mcp,
    parameters=(*MCP.parameters, GAMMA, *REFITTING),
    solvers=REWEIGHTING,
    convex=False,
    path_start="l1",
    variants=(Variant("γ = 2", {"gamma": 2.0}, "MCP as printed: `mcp:gamma=2` in the protocol."),),
)

RANKSVM_L05 = Method(
    id="l0.5",
    title="ℓ0.5",
    source=f"{LAPORTE_2014}, Algorithm 2, Table II",
    objective=LOSS_LATEX + r" + \lambda \sum_j |w_j|^{p}",
    explanation=(
        "Its slope at zero is infinite: a weight that has reached zero stays there. In the paper it has the sparsest "
        "models together with log, sometimes at a small cost in MAP."
    ),
    make_penalty=lambda parameters, c: Lp(parameters["p"]),
    parameters=(*Lp.parameters, *REFITTING),
    solvers=REWEIGHTING,
    convex=False,
    path_start="l1",
)

RANKSVM_SCAD = Method(
    id="scad",
    title="SCAD",
    source=f"{FAN_LI_2001}; named by {LAPORTE_2014}",
    objective=LOSS_LATEX + r" + \lambda \sum_j \mathrm{SCAD}_{\text{knee},\,a}(|w_j|)",
    explanation="Up to the knee it is ℓ1; beyond it, its slope falls linearly to 0. It is a gentler relative of MCP.",
    make_penalty=lambda parameters, c: SCAD(parameters["knee"], parameters["a"]),
    parameters=(*SCAD.parameters, *REFITTING),
    solvers=REWEIGHTING,
    convex=False,
    path_start="l1",
)
