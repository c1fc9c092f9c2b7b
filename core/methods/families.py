"""Families of methods: one loss with different penalties, or a learner of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.methods.base import Method
from core.methods.best_subset import BEST_SUBSET, RANKSVM_L0
from core.methods.infinite_push import PUSH_LOSS
from core.methods.refit import is_refitted
from core.methods.registry import METHODS
from core.methods.training import RANKSVM_LOSS
from core.penalties import Penalty


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
