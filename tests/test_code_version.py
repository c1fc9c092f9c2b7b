"""The version of code follows its imports: any source that it depends on changes it, and no other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.code_version import TREE, code_version, files_of

MODULE = "core.analysis.kept_paths"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Another copy of the package: of a copy, code and imports are read once a process."""
    shutil.copytree(TREE / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("file", ["solvers/newton/_quadratic_kernel.py", "losses/__init__.py"])
def test_it_changes_with_what_is_imported_however_far_away(tree: Path, file: str) -> None:
    with (tree / "core" / file).open("a") as source:
        source.write("\nEDITED = 1\n")
    assert code_version(MODULE, tree) != code_version(MODULE)


def test_it_changes_with_nothing_else_and_is_the_same_wherever_the_package_is_installed(tree: Path) -> None:
    edits = {
        "core/solvers/newton/_quadratic_kernel.py": "\n# a remark\n",
        "core/figures/path/path.py": "\nEDITED = 1\n",  # draws what was computed
        "core/cli.py": "\nEDITED = 1\n",
        "numpy/__init__.py": "OTHER = 1\n",
    }
    (tree / "numpy").mkdir()
    for file, added in edits.items():
        with (tree / file).open("a") as source:
            source.write(added)
    assert code_version(MODULE, tree) == code_version(MODULE)


def test_modules_that_are_imported_inside_of_functions_count(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.py").write_text("def work():\n    from core.two import three\n    import core.four\n")
    for name in ("two", "four", "five"):
        (tmp_path / "core" / f"{name}.py").write_text("import numpy\n")
    assert {path.name for path in files_of("core.one", tmp_path)} == {"one.py", "two.py", "four.py"}


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no module core"):
        code_version("core.nothing")
