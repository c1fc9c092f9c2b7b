"""LIBLINEAR on explicit pairs: the reference of Laporte, Déjean & Mothe (2014), and a check on our l1 solver."""

import numpy as np

from core.methods.base import Method
from core.methods.refit import REFITTING
from core.methods.sources import FAN_2008, LAPORTE_2014_CORIA, LOSS_LATEX
from core.penalties import L1
from core.solvers import Liblinear
from core.solvers.liblinear import MOST_ENTRIES

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
