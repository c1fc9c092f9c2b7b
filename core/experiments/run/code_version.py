"""The version of the program that computed a result; results of another version are never reused."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import core
from core.experiments.run.code_meaning import meanings

ROOMS = ("data", "metrics", "penalties", "losses", "solvers", "methods")
"""Packages of core that compute a cell of the protocol, beside `MODULES`; a test follows the imports."""
MODULES = (
    "analysis/tuning/choice_noise.py",
    "analysis/choosing.py",
    "analysis/endings.py",
    "analysis/evaluation.py",
    "analysis/further_measures.py",
    "analysis/path.py",
    "analysis/path_over_k.py",
    "analysis/warm_start.py",
    "analysis/fit_records.py",
    "analysis/tuning/tuning.py",
    "experiments/run/cells.py",
    "experiments/run/learners/lambdamart.py",
    "experiments/run/learners/learner.py",
    "experiments/run/learners/registry.py",
    "experiments/run/learners/linear.py",
    "experiments/run/protocol.py",
    "experiments/run/learners/trace_columns.py",
    "work.py",
)
WHAT_TELLS = ("code_version.py", "code_meaning.py")
"""Files that compute the version. They are no part of it, because a list of places changes with every move."""
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")
OPTIONAL = ("lightgbm",)
"""Libraries that are listed only if they are installed."""
_CORE = Path(core.__file__).resolve().parent


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return the package's version and a hash of the code that results depend on, such as ``"0.1.0+3f2a9c417b02"``.

    The hash covers the meaning of the code (`meanings`), so finished work stays valid when code is explained, moved or
    laid out anew. Figures, pages and the command line do not belong to it. It is computed once a process, because a
    process keeps running the code that it started with.
    """
    files = [path for room in ROOMS for path in (_CORE / room).rglob("*.py")]
    return _version_of([*files, *(_CORE / name for name in MODULES)])


@lru_cache(maxsize=1)
def experiment_version() -> str:
    """Return the version for experiments outside the protocol, which may use all of analysis and experiments."""
    files = [path for room in (*ROOMS, "analysis", "experiments") for path in (_CORE / room).rglob("*.py")]
    return _version_of(path for path in files if path.name not in WHAT_TELLS)


def _version_of(files: Iterable[Path]) -> str:
    every: set[str] = set().union(*(meanings(path.read_text(encoding="utf-8")) for path in files))
    return f"{_package_version()}+{hashlib.sha256(''.join(sorted(every)).encode()).hexdigest()[:12]}"


@lru_cache(maxsize=1)
def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the numerical libraries; the last bits of a result may depend on them."""
    optional = {name: found for name in OPTIONAL if (found := _version(name)) != "unknown"}
    return {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES} | optional


def _package_version() -> str:
    """Return the version of the checkout if there is one, else of the installed package, which may be older."""
    project = _CORE.parent / "pyproject.toml"
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    return _version("sparse-ranking-lab")


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
