"""README's table of methods is the registry's."""

from __future__ import annotations

from pathlib import Path

from core.methods import METHODS, get_method
from core.methods.table import markdown_table
from core.solvers import Stop

README = Path(__file__).resolve().parents[2] / "README.md"


def test_readme_has_the_table_of_the_registry() -> None:
    """Made by ``python -m core methods --markdown``."""
    assert markdown_table() in README.read_text(encoding="utf-8")


def test_every_method_has_one_row() -> None:
    ids = [line.split("`")[1] for line in markdown_table().splitlines()[2:]]
    assert ids == [method.id for method in METHODS]


def test_readme_says_when_each_paper_stops() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    told = text.partition("A fit is **converged** where")[2].partition("**Choosing**")[0]
    at_limit = told.partition("TGRank and RSRank at **the paper's step limit**")[2]
    for name in ("tgrank", "rsrank", "fenchelrank"):
        stop = get_method(name).stop
        assert stop.papers_limit
        assert f"of {stop.max_steps} steps" in at_limit
    assert f"by at most {get_method('fsmrank').stop.change:.0e}".replace("e-0", "e-") in told
    fenchel = get_method("fenchelrank").stop
    assert f"FenchelRank has converged at its paper's tolerance, a gap of {fenchel.tol:g} of L(0)" in at_limit
    assert fenchel.tol > Stop().tol == get_method("tgrank").stop.tol
