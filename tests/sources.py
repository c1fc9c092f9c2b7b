"""The program's own files: as trees, parsed once for all rules that look at them, and as a copy to change."""

import ast
import shutil
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("app.py", "core", "pages", "tests", "sample_data", ".streamlit", "pyproject.toml", "docs", "CONTRIBUTING.md")


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, the module first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def copy_of_the_program(folder: Path) -> Path:
    """The working tree without its history; with what numba has compiled, which is valid for files of the same age."""
    for name in PARTS:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.png"))
        else:
            shutil.copy2(source, target)
    return folder
