"""Private names of libraries, in rows: what is not there, or not as it was, is done without.

A row stands in the one module that uses its names. It is tried once, when it is asked for or when the server starts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any


@dataclass(frozen=True, eq=False)
class Row:
    """What a module takes from a library that promises nothing of it.

    Attributes
    ----------
    needs : dict of str to str or None
        From a name, such as ``package.module:Class.method``, to its parameters, such as ``self, state``; None for what
        is no function.
    gives : str
        What it is taken for.
    lost : str
        What is lost without it, in a sentence.
    trial : callable, optional
        Uses it, and raises where it is not as needed.
    """

    needs: dict[str, str | None]
    gives: str
    lost: str
    trial: Callable[[], object] | None = None

    @cached_property
    def missing(self) -> str:
        """What is not as needed, in words; empty where all is there."""
        for name, parameters in self.needs.items():
            try:
                thing = installed(name)
                there = parameters if parameters is None else ", ".join(inspect.signature(thing).parameters)
            except Exception as error:  # whatever a library does at its import, the app goes on without it
                return f"{name} ({type(error).__name__})"
            if there != parameters:
                return f"{name} (takes {there or 'nothing'})"
        try:
            if self.trial is not None:
                self.trial()
        except Exception as error:
            return f"{next(iter(self.needs))} ({type(error).__name__} at its trial)"
        return ""

    def __bool__(self) -> bool:
        """Whether everything is there."""
        return not self.missing

    def __getitem__(self, place: int | slice) -> Any:
        """One of the things or some, in the order of the names; only where all are there."""
        return self._things[place]

    @cached_property
    def _things(self) -> list[Any]:
        return [installed(name) for name in self.needs]


def installed(name: str) -> Any:
    """What the installed library has under a name: an attribute, what a class only declares, or a message's field.

    Raises
    ------
    ImportError, AttributeError
        If there is nothing of this name.
    """
    module, _, path = name.partition(":")
    thing: Any = import_module(module)
    for part in path.split("."):
        declared: dict[str, Any] = inspect.get_annotations(thing) if inspect.isclass(thing) else {}
        if (message := getattr(thing, "DESCRIPTOR", None)) is not None:
            declared |= getattr(message, "fields_by_name", {})
        thing = declared[part] if part in declared and not hasattr(thing, part) else getattr(thing, part)
    return thing
