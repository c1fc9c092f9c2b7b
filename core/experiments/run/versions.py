"""The version of the program that computed a result; results of another version are never reused."""

from __future__ import annotations

import importlib.metadata
import platform
from functools import lru_cache

from core.code_version import code_version
from core.program import version

PROTOCOL = "core.experiments.run.protocol"
"""Computes a cell of the protocol."""
EXPERIMENTS = "core.experiments.papers.registry"
"""Knows all other experiments."""
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")
OPTIONAL = ("lightgbm",)
"""Libraries that are listed only if they are installed."""


@lru_cache(maxsize=1)
def protocol_version() -> str:
    """Return the package's version and a hash of the code that cells depend on, such as ``"0.1.0+3f2a9c417b02"``.

    Figures, pages and the command line do not belong to it.
    """
    return _version_of(PROTOCOL)


@lru_cache(maxsize=1)
def experiment_version() -> str:
    """Return the version for experiments outside the protocol."""
    return _version_of(EXPERIMENTS)


def _version_of(module: str) -> str:
    return f"{version()}+{code_version(module)[:12]}"


@lru_cache(maxsize=1)
def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the numerical libraries; the last bits of a result may depend on them."""
    optional = {name: found for name in OPTIONAL if (found := _version(name)) != "unknown"}
    return {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES} | optional


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
