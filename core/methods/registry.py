"""All methods in the order of the menus, and their families. A new one is one file and one row here."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from core.methods.base import Method
from core.methods.best_subset import BACKWARD, BACKWARD_BY_CURVATURE, BEST_SUBSET, EXCHANGE, FORWARD, RANKSVM_L0
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
    PUSH_LOSS,
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
from core.methods.refit import is_refitted
from core.methods.reweighted_l2 import L2_AROM, RWFS_L0, RWFS_L1
from core.methods.training import RANKSVM_LOSS
from core.methods.truncated_gradient import RSRANK, TGRANK
from core.penalties import Penalty

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

    Raises a `ValueError` if there is no such method; the message lists similar ones, or all.
    """
    method = _BY_ID.get(method_id)
    if method is None:
        near = get_close_matches(method_id, _BY_ID, n=3) or list(_BY_ID)
        msg = f"there is no method {method_id!r}; try {', '.join(near)}"
        raise ValueError(msg)
    return method


def _one_a_penalty(methods: Iterable[Method]) -> tuple[Method, ...]:
    """The first method of every penalty; a later one with the same penalty is another way to the same models."""
    first: dict[type[Penalty], Method] = {}
    for method in methods:
        first.setdefault(type(method.make_penalty(method.settings(), 1.0)), method)
    return tuple(first.values())


WITHOUT_A_CURVE = (BEST_SUBSET, RANKSVM_L0)  # nothing of theirs can be drawn or reweighted
RANKSVM = _one_a_penalty(
    method
    for method in METHODS
    if method.loss is RANKSVM_LOSS and method.make_problem is None and method not in WITHOUT_A_CURVE
)
INFINITE_PUSH = tuple(method for method in METHODS if method.loss is PUSH_LOSS)
OTHERS = tuple(method for method in METHODS if method not in RANKSVM + INFINITE_PUSH)
FAMILIES = {"RankSVM": RANKSVM, "infinite push": INFINITE_PUSH, "other learners": OTHERS}  # as menus show them


REFITTED = ", refitted"


def model_title(method: Method, parameters: Mapping[str, float]) -> str:
    """Return the title of the method's models with these parameters: ``"ℓ1"``, or ``"ℓ1, refitted"``."""
    return f"{method.title}{REFITTED}" if is_refitted(parameters) else method.title


def full_title(method: Method) -> str:
    """Return the title with its family if that distinguishes the ℓ1 of one family from the ℓ1 of another."""
    return f"RankSVM {method.title}" if method in RANKSVM else method.title
