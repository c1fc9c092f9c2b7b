"""Which methods belong together: one loss and different penalties, or a learner of its own."""

from __future__ import annotations

from collections.abc import Mapping

from core.methods.base import Method
from core.methods.infinite_push import PUSH_LOSS
from core.methods.ranksvm_l1 import RANKSVM_L1
from core.methods.ranksvm_l2 import RANKSVM_L2
from core.methods.ranksvm_nonconvex import RANKSVM_L05, RANKSVM_LOG, RANKSVM_MCP, RANKSVM_SCAD
from core.methods.refit import is_refitted
from core.methods.registry import METHODS

RANKSVM = (RANKSVM_L1, RANKSVM_LOG, RANKSVM_MCP, RANKSVM_L05, RANKSVM_SCAD, RANKSVM_L2)
INFINITE_PUSH = tuple(method for method in METHODS if method.loss is PUSH_LOSS)
OTHERS = tuple(method for method in METHODS if method not in RANKSVM + INFINITE_PUSH)
FAMILIES = {"RankSVM": RANKSVM, "infinite push": INFINITE_PUSH, "other learners": OTHERS}  # as menus show them


REFITTED = ", refitted"


def model_title(method: Method, parameters: Mapping[str, float]) -> str:
    """The title of the method's models with these parameters: ``"ℓ1"``, or ``"ℓ1, refitted"``."""
    return f"{method.title}{REFITTED}" if is_refitted(parameters) else method.title


def full_title(method: Method) -> str:
    """The title with its family, where it takes that to tell the ℓ1 of one family from the ℓ1 of another."""
    return f"RankSVM {method.title}" if method in RANKSVM else method.title
