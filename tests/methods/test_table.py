"""The reference's table of methods is the registry's."""

from __future__ import annotations

from pathlib import Path

from core.methods import METHODS, get_method
from core.solvers import Stop
from tests.says import assert_says

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "methods.md"


def test_every_method_has_one_row() -> None:
    table = REFERENCE.read_text(encoding="utf-8").partition("<!-- generated: methods -->")[2].partition("<!--")[0]
    ids = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert ids == [method.id for method in METHODS]


def test_the_reference_says_when_each_paper_stops() -> None:
    text = " ".join(REFERENCE.read_text(encoding="utf-8").split())
    told = text.partition("**converged**")[2].partition("## ")[0]
    at_limit = told.partition("TGRank and RSRank")[2]
    for name in ("tgrank", "rsrank", "fenchelrank"):
        stop = get_method(name).stop
        assert stop.papers_limit
        assert f"of {stop.max_steps} steps" in at_limit
    assert f"by at most {get_method('fsmrank').stop.change:.0e}".replace("e-0", "e-") in told
    fenchel = get_method("fenchelrank").stop
    assert_says(at_limit, "step limit", "FenchelRank", "converged", f"gap of {fenchel.tol:g} of L(0)")
    assert fenchel.tol > Stop().tol == get_method("tgrank").stop.tol
