"""README's table of methods is the registry's."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.methods import METHODS, get_method
from core.methods.table import BEGINS, ENDS, markdown_table, with_table
from core.solvers import Stop
from tests.says import assert_says

README = Path(__file__).resolve().parents[2] / "README.md"


def test_readme_has_the_table_of_the_registry() -> None:
    """Made by ``python -m core methods --markdown README.md``, which changes nothing where all is well."""
    text = README.read_text(encoding="utf-8")
    assert markdown_table() in text
    assert with_table(text) == text


def test_an_old_table_is_exchanged_and_nothing_else() -> None:
    old = f"# A\n\n{BEGINS} made by hand -->\n| id |\n|---|\n| `l1` |\n{ENDS}\nB\n"
    assert with_table(old) == f"# A\n\n{BEGINS} made by hand -->\n{markdown_table()}\n{ENDS}\nB\n"


@pytest.mark.parametrize("text", ["", BEGINS, f"{ENDS}\n{BEGINS} -->\n", f"{BEGINS} -->\n{ENDS}\n" * 2])
def test_without_its_place_the_table_is_not_put_anywhere(text: str) -> None:
    with pytest.raises(ValueError, match="add both"):
        with_table(text)


def test_every_method_has_one_row() -> None:
    ids = [line.split("`")[1] for line in markdown_table().splitlines()[2:]]
    assert ids == [method.id for method in METHODS]


def test_readme_says_when_each_paper_stops() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    told = text.partition("**converged**")[2].partition("**Choosing**")[0]
    at_limit = told.partition("TGRank and RSRank")[2]
    for name in ("tgrank", "rsrank", "fenchelrank"):
        stop = get_method(name).stop
        assert stop.papers_limit
        assert f"of {stop.max_steps} steps" in at_limit
    assert f"by at most {get_method('fsmrank').stop.change:.0e}".replace("e-0", "e-") in told
    fenchel = get_method("fenchelrank").stop
    assert_says(at_limit, "step limit", "FenchelRank", "converged", f"gap of {fenchel.tol:g} of L(0)")
    assert fenchel.tol > Stop().tol == get_method("tgrank").stop.tol
