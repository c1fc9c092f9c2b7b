"""The version of code follows its imports: any source that it depends on changes it, and no other.

What counts as another program: what it does, not what is said of it or where it stands.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.code_version import TREE, code_version, files_of, meanings

MODULE = "core.analysis.stored_paths"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Another copy of the package: of a copy, code and imports are read once a process."""
    shutil.copytree(TREE / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("file", ["solvers/newton/_quadratic_kernel.py", "losses/__init__.py"])
def test_it_changes_with_what_is_imported_however_far_away(tree: Path, file: str) -> None:
    with (tree / "core" / file).open("a") as source:
        source.write("\nEDITED = 1\n")
    assert code_version(MODULE, tree=tree) != code_version(MODULE)


def test_it_changes_with_nothing_else_and_is_the_same_wherever_the_package_is_installed(tree: Path) -> None:
    edits = {
        "core/solvers/newton/_quadratic_kernel.py": "\n# a remark\n",
        "core/figures/path/path.py": "\nEDITED = 1\n",  # draws what was computed
        "core/cli/fit.py": "\nEDITED = 1\n",
        "numpy/__init__.py": "OTHER = 1\n",
    }
    (tree / "numpy").mkdir()
    for file, added in edits.items():
        with (tree / file).open("a") as source:
            source.write(added)
    assert code_version(MODULE, tree=tree) == code_version(MODULE)


def test_modules_that_are_imported_inside_of_functions_count(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.py").write_text("def work():\n    from core.two import three\n    import core.four\n")
    for name in ("two", "four", "five"):
        (tmp_path / "core" / f"{name}.py").write_text("import numpy\n")
    assert {path.name for path in files_of("core.one", tmp_path)} == {"one.py", "two.py", "four.py"}


SOURCE = '''"""A module."""
import numpy as np
from core.solvers.admm import Admm as Solver
from core.solvers.base import Iterate, Solver as Base

LIMIT = 3
"""Why three."""


def double(x: float, *, times: int = 2) -> float:
    """Twice."""
    total = x * times  # as often as asked
    return total + LIMIT


class Row:
    """A row."""

    size: int = 1
    """Its size."""

    def grow(self) -> int:
        """More."""
        return self.size + 1
'''


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ('"""Twice."""', '"""Two times, at least."""'),
        ('    """Twice."""\n', ""),
        ('"""Why three."""', '"""Because."""'),
        ('"""Its size."""', '"""How many."""'),
        ("  # as often as asked", ""),
        ("x * times", "(x\n        * times)"),
        ("core.solvers.admm", "core.solvers.multipliers.admm"),
        (
            "from core.solvers.base import Iterate, Solver as Base",
            "from core.a import Solver as Base\nfrom core.b import Iterate",
        ),
        ("LIMIT = 3", "LIMIT = (3)"),
    ],
)
def test_words_layout_and_the_place_of_our_own_modules_do_not_count(said: str, instead: str) -> None:
    assert said in SOURCE
    assert meanings(SOURCE.replace(said, instead)) == meanings(SOURCE)


@pytest.mark.parametrize(
    ("does", "instead"),
    [
        ("x * times", "x + times"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("times: int = 2", "times: int = 3"),
        ("self.size + 1", "self.size"),
        ("import Admm as Solver", "import Dual as Solver"),
        ("import numpy as np", "import scipy as np"),
        ("Solver as Base", "Problem as Base"),
        ("size: int = 1", "size: int = 0"),
        ("return total + LIMIT", 'return "total"'),
    ],
)
def test_what_it_does_counts(does: str, instead: str) -> None:
    assert does in SOURCE
    assert meanings(SOURCE.replace(does, instead)) != meanings(SOURCE)
