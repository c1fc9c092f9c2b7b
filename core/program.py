"""What this program is: its folder, its version, and the words by which a terminal calls it."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
"""The folder of ``app.py``, ``core`` and ``pages``: a checkout, or where the wheel has put them."""
_PROJECT = FOLDER / "pyproject.toml"
COMMAND = ("python", "-m", "core") if _PROJECT.is_file() else ("sparse-ranking-lab",)
"""In a checkout the first works without an installation; outside of it only the second does."""
PROGRAM = " ".join(COMMAND)


@cache
def version() -> str:
    """Return the version in ``pyproject.toml``: of the checkout, or of the installed package."""
    if _PROJECT.is_file():
        return str(tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    from importlib.metadata import version as installed  # heavy to import

    return installed("sparse-ranking-lab")


def home() -> Path:
    """Return where people's own things are kept: ``SPARSE_RANK_HOME``, else a folder in the home folder."""
    chosen = os.environ.get("SPARSE_RANK_HOME")
    return Path(chosen) if chosen else Path.home() / ".sparse-ranking-lab"
