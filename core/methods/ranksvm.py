"""RankSVM with the l1 penalty, with concave ones by reweighted l1, with l2 as the dense reference, and by LIBLINEAR."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.methods.base import DEFAULT_RATIOS, Method, Variant
from core.methods.refit import REFITTING
from core.methods.sources import (
    CHAPELLE_KEERTHI_2010,
    FAN_2008,
    FAN_LI_2001,
    LAPORTE_2014,
    LAPORTE_2014_CORIA,
    LOSS_LATEX,
)
from core.methods.training import FloatArray, Training
from core.penalties import L1, L2, MCP, SCAD, Log, Lp, Parameter, Penalty
from core.solvers import (
    Fista,
    FistaFixed,
    Liblinear,
    Newton,
    ProximalNewton,
    ReweightedFista,
    ReweightedFistaFixed,
    ReweightedL1,
    Subgradient,
)
from core.solvers.first_order.subgradient import steepest_curvature
from core.solvers.liblinear import MOST_ENTRIES

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


REWEIGHTING = (ProximalNewton(), ReweightedL1(), ReweightedFista(), ReweightedFistaFixed())
GAMMA = Parameter(
    "gamma", "γ", 0.0, 0.0, 1e9,
    "The paper's way to set the knee: above 0, the knee is γ/C, which is γλ for the summed loss (the paper uses γ = "
    "2). At 0, the knee is set directly.",
)  # fmt: skip


def _mcp(parameters: Mapping[str, float], c: float) -> Penalty:
    gamma = parameters["gamma"]
    return MCP(gamma / c if gamma > 0.0 else parameters["knee"])


def concave(**row: Any) -> Method:
    """Make the method of a concave penalty, by reweighted l1, from the other rows of a `Method`."""
    return Method(solvers=REWEIGHTING, convex=False, path_start="l1", **row)


RANKSVM_LOG = concave(
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
)

RANKSVM_MCP = concave(
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
    variants=(Variant("γ = 2", {"gamma": 2.0}, "MCP as printed: `mcp:gamma=2` in the protocol."),),
)

RANKSVM_L05 = concave(
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
)

RANKSVM_SCAD = concave(
    id="scad",
    title="SCAD",
    source=f"{FAN_LI_2001}; named by {LAPORTE_2014}",
    objective=LOSS_LATEX + r" + \lambda \sum_j \mathrm{SCAD}_{\text{knee},\,a}(|w_j|)",
    explanation="Up to the knee it is ℓ1; beyond it, its slope falls linearly to 0. It is a gentler relative of MCP.",
    make_penalty=lambda parameters, c: SCAD(parameters["knee"], parameters["a"]),
    parameters=(*SCAD.parameters, *REFITTING),
)


AS_CONSTANT = 0.01
"""Share by which the model at the largest lambda of the grid may still differ from its limit."""


def largest_lambda(training: Training) -> float:
    """Return the largest lambda worth trying: ||H|| / `AS_CONSTANT`, for the largest curvature ||H|| of the loss.

    No lambda makes an l2 model empty, so lambda_max of l1 is no end: validation often prefers larger ones. With
    g = dL/dw at 0, optimality says lambda w = -dL/dw(w), and the gradient changes by at most ||H|| ||w||. Hence

        ||lambda w + g|| <= ||H|| / lambda ||g||      and      F(0) - F(w) <= ||g||^2 / (2 lambda).

    At this lambda the model is -g / lambda up to 1 %: the limit whose order of the documents no larger lambda changes.
    For the squared hinge ||g||^2 <= 2 ||H|| L(0), so its objective is also within 1 % of that of constant scores.
    """
    problem = training.problem(L2(), 1.0)
    return training.once("largest curvature", lambda: steepest_curvature(problem)) / AS_CONSTANT


def _grid(training: Training, parameters: Mapping[str, float]) -> FloatArray:
    """Space as many lambdas as the other methods have evenly in log, from `largest_lambda` to their smallest one."""
    smallest = training.lam_at(1.0) * float(DEFAULT_RATIOS[-1])
    return np.geomspace(largest_lambda(training), smallest, len(DEFAULT_RATIOS))


RANKSVM_L2 = Method(
    id="l2",
    title="ℓ2",
    source=CHAPELLE_KEERTHI_2010,
    objective=LOSS_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2",
    explanation="The dense RankSVM: it keeps every feature. Compare a sparse model with it to see what sparsity costs.",
    make_penalty=lambda parameters, c: L2(),
    make_grid=_grid,
    solvers=(Newton(), Fista(), FistaFixed(), Subgradient()),
)


LIBLINEAR_L1 = Method(
    id="liblinear-l1",
    title="LIBLINEAR-ℓ1",
    source=f"{FAN_2008}; on pairs as in {LAPORTE_2014_CORIA}, section 3.1",
    objective=LOSS_LATEX + r" + \lambda \lVert w\rVert_1",
    explanation=(
        "The ℓ1 model by an independent program: every pair becomes an example, and LIBLINEAR classifies the examples "
        "by coordinate descent, which takes O(P) per sweep and converges linearly. Objective, solution and duality "
        "gap are those of the method ℓ1, so it is a check on our solvers. Memory and time grow with the number of "
        f"pairs; more than {MOST_ENTRIES // 1_000_000} million numbers (pairs times features) are refused. Use it for "
        "comparison, on small data."
    ),
    make_penalty=lambda parameters, c: L1(),
    parameters=REFITTING,
    solvers=(Liblinear(),),
    takes_costs=False,
    path_start="zero",
    ratios=np.geomspace(1.0, 0.01, 20),  # below, a fit of the sample data takes a minute and more
)
