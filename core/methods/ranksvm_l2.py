"""RankSVM with the l2 penalty: the dense reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.methods.base import DEFAULT_RATIOS, FloatArray, Method
from core.methods.sources import CHAPELLE_KEERTHI_2010, LOSS_LATEX
from core.methods.training import Training
from core.penalties import L2
from core.solvers import Fista, FistaFixed, Newton, Subgradient
from core.solvers.first_order.subgradient import steepest_curvature

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
