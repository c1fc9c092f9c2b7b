"""All methods in the order of the menus. A new one is one file and one row here."""

from __future__ import annotations

from difflib import get_close_matches

from core.methods.base import Method
from core.methods.best_subset import BEST_SUBSET, RANKSVM_L0
from core.methods.fenchelrank import FENCHELRANK
from core.methods.filters import FS_RANK, FSMSVM, GAS_E
from core.methods.fsmrank import FSMRANK
from core.methods.infinite_push import (
    INFINITE_PUSH_L05,
    INFINITE_PUSH_L1,
    INFINITE_PUSH_L2,
    INFINITE_PUSH_LOG,
    INFINITE_PUSH_MCP,
    INFINITE_PUSH_RFE,
)
from core.methods.ranksvm import (
    LIBLINEAR_L1,
    RANKSVM_L05,
    RANKSVM_L1,
    RANKSVM_L2,
    RANKSVM_LOG,
    RANKSVM_MCP,
    RANKSVM_SCAD,
)
from core.methods.reweighted_l2 import L2_AROM, RWFS_L0, RWFS_L1
from core.methods.selections import BACKWARD, BACKWARD_BY_CURVATURE, EXCHANGE, FORWARD
from core.methods.truncated_gradient import RSRANK, TGRANK

METHODS: tuple[Method, ...] = (
    RANKSVM_L1,
    RANKSVM_LOG,
    RANKSVM_MCP,
    RANKSVM_L05,
    RANKSVM_SCAD,
    RANKSVM_L2,
    INFINITE_PUSH_L1,
    INFINITE_PUSH_LOG,
    INFINITE_PUSH_MCP,
    INFINITE_PUSH_L05,
    INFINITE_PUSH_L2,
    INFINITE_PUSH_RFE,
    FENCHELRANK,
    TGRANK,
    RSRANK,
    FSMRANK,
    FSMSVM,
    GAS_E,
    FS_RANK,
    L2_AROM,
    RWFS_L1,
    RWFS_L0,
    LIBLINEAR_L1,
    BEST_SUBSET,
    RANKSVM_L0,
    FORWARD,
    BACKWARD,
    BACKWARD_BY_CURVATURE,
    EXCHANGE,
)
_BY_ID = {method.id: method for method in METHODS}


def get_method(method_id: str) -> Method:
    """Return the method of that id.

    Raises
    ------
    ValueError
        If there is no such method; the message lists similar ones, or all.
    """
    method = _BY_ID.get(method_id)
    if method is None:
        near = get_close_matches(method_id, _BY_ID, n=3) or list(_BY_ID)
        msg = f"there is no method {method_id!r}; try {', '.join(near)}"
        raise ValueError(msg)
    return method
