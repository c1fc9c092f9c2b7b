"""Methods in menus: their families, the order that people expect, and where the session keeps their parameters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from core.methods import Method, get_method
from core.methods.families import FAMILIES, full_title
from core.solvers import Stop
from pages.shared import keys

IDS = tuple(method.id for family in FAMILIES.values() for method in family)


@cache
def menu_title(method_id: str) -> str:
    """The title with its family where that is needed, by id."""
    return full_title(get_method(method_id))


def in_menu_order(method_ids: Iterable[str]) -> list[str]:
    """Family by family, in whatever order they were picked."""
    wanted = set(method_ids)
    return [method_id for method_id in IDS if method_id in wanted]


def parameter_key(method_id: str, name: str) -> str:
    """Of a parameter in the session and in the address; methods with the same loss share what belongs to the loss."""
    return name if name in get_method(method_id).loss.parameters else f"{method_id}.{name}"


def tol_key(method: Method) -> str:
    """Methods whose paper has a tolerance of its own keep theirs; all others share one."""
    return keys.TOL if method.stop.tol == Stop().tol else f"{method.id}.tol"
