"""Half the squared l2 norm on the features that survive reweighting: the penalty of iteratively reweighted l2 SVMs."""

from __future__ import annotations

from core.penalties.at_most import L2AtMost
from core.penalties.base import Parameter

SHARE = Parameter(
    "share", "r/d", 0.1, 0.0, 1.0,
    "The rounds end when at most this share of the features, or a single one, is left. Features that are zero "
    "everywhere do not count. The paper takes 0.5, 0.3 and 0.1.",
)  # fmt: skip
NULL = Parameter("null", "ε", 1e-5, 1e-12, 1.0, "A feature is dropped when a round makes its weight this small.")


class L2Survivors(L2AtMost):
    """(1/2) sum_j w_j^2 if at most ``keep`` weights are non-zero, else infinite.

    The solver finds these weights by dropping every weight that falls below a null threshold (Laporte, Déjean & Mothe
    2014, Algorithm 1).

    Parameters
    ----------
    keep : float
        r, a whole number of at least 1.
    null : float
        Null threshold, > 0. It decides which features survive, not what their weights cost.
    """

    title = "ℓ2 on the survivors"
    among = "on the surviving features"

    def __init__(self, keep: float, null: float = NULL.default) -> None:
        super().__init__(keep)
        self.null = NULL.check(null)
