"""README's table of methods is the registry's."""

from __future__ import annotations

from pathlib import Path

from core.methods import METHODS
from core.methods.table import markdown_table

README = Path(__file__).resolve().parents[2] / "README.md"


def test_readme_has_the_table_of_the_registry() -> None:
    """Made by ``python -m core methods --markdown``."""
    assert markdown_table() in README.read_text(encoding="utf-8")


def test_every_method_has_one_row() -> None:
    ids = [line.split("`")[1] for line in markdown_table().splitlines()[2:]]
    assert ids == [method.id for method in METHODS]
