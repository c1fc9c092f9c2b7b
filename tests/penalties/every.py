"""Every penalty of one weight, found by its class: a new file of `core.penalties` is tested by itself."""

import importlib
import inspect
import pkgutil

import numpy as np

import core.penalties
from core.penalties import MCP, SCAD, Log, Lp, Penalty, WeightedL1


def _kinds() -> list[type[Penalty]]:
    """Classes that their own parameters describe; others need features, costs or another penalty."""
    names = [found.name for found in pkgutil.iter_modules(core.penalties.__path__) if not found.name.startswith("_")]
    modules = [importlib.import_module(f"core.penalties.{name}") for name in names]
    return [
        kind
        for module in modules
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__
        and issubclass(kind, Penalty)
        and not inspect.isabstract(kind)
        and all(p.default is not p.empty for p in inspect.signature(kind).parameters.values())
    ]


KINDS = _kinds()
SHOWN: list[Penalty] = [kind(**{parameter.name: parameter.shown for parameter in kind.parameters}) for kind in KINDS]
"""With parameters whose bends lie among weights of about 1."""
SEVERAL: list[Penalty] = [
    *SHOWN, WeightedL1(np.array([0.7])), Log(2.0), MCP(3.0), Lp(0.2), Lp(0.9), SCAD(), SCAD(1.0, 2.1)
]  # fmt: skip
"""And with other values of them."""
