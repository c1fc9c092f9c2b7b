"""Dataclasses as plain data, and back: how files hold results, with every digit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

_AS_MADE = (str, float, int, bool)


def plain(value: Any) -> Any:
    """Return what JSON writes in place of a value: a dataclass by its fields, an array or tuple as a list."""
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def rebuilt(kind: Any, made: Any) -> Any:
    """Return the value of this type of which `plain`, and JSON after it, have made this.

    Parameters
    ----------
    kind : type
        A dataclass, an array of floats, a tuple of things of one type, a mapping, or a plain one; any of them or None.

    Raises
    ------
    KeyError, TypeError, AttributeError
        If it has not been made of such a value.
    """
    arguments, origin = get_args(kind), get_origin(kind)
    if NoneType in arguments:
        return None if made is None else rebuilt(arguments[0], made)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**made | {name: rebuilt(one, made[name]) for name, one in _fields_of(kind).items() if name in made})
    if origin is np.ndarray:
        return np.array(made, dtype=np.float64)
    if origin is tuple:
        return tuple(rebuilt(arguments[0], value) for value in made)
    if origin in (dict, Mapping):
        if arguments == (str, float):  # as measures have it, by the thousand
            return dict(made)
        return {rebuilt(arguments[0], name): rebuilt(arguments[1], value) for name, value in made.items()}
    return int(made) if kind is int else made


@cache
def _fields_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields that JSON does not hold as they are."""
    types = get_type_hints(kind)
    return {name: one for name, one in types.items() if one not in _AS_MADE and get_origin(one) is not Literal}
