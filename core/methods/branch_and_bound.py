"""What methods have in common whose models a search proves to be the best."""

from __future__ import annotations

from typing import Any

from core.methods.base import Method
from core.solvers import BranchAndBound, Stop

ENDS = "The search ends after a minute at the latest; the duality gap then says what is left to prove."


def proven_by_search(**row: Any) -> Method:
    """Make the method of a row of the registry."""
    return Method(
        solvers=(BranchAndBound(),),
        convex=False,
        path_start="zero",  # an answer is not to depend on the models around it
        stop=Stop(tol=1e-5, max_seconds=60.0),
        **row,
    )
