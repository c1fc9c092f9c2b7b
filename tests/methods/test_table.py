"""The reference's table of methods is the registry's."""

from __future__ import annotations

from pathlib import Path

from core.methods import METHODS

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "methods.md"


def test_every_method_has_one_row() -> None:
    table = REFERENCE.read_text(encoding="utf-8").partition("<!-- generated: methods -->")[2].partition("<!--")[0]
    ids = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert ids == [method.id for method in METHODS]
