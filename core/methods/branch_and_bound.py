"""What methods have in common whose models a search proves to be the best."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
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


def keeping_searches(method: Method, folder: Path | None) -> Method:
    """Return the method with searches that are kept in a folder, from which killed fits go on; others stay as they are.

    Parameters
    ----------
    method : Method
    folder : Path or None
        Made with the first search that is kept in it; None to keep nothing.
    """
    solvers = tuple(replace(one, folder=folder) if isinstance(one, BranchAndBound) else one for one in method.solvers)
    return replace(method, solvers=solvers)
