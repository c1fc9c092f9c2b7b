"""What counts as another program: what it does, not what is said of it or where it stands."""

from __future__ import annotations

import pytest

from core.code_meaning import meanings

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


def test_a_program_is_the_same_when_its_statements_move_from_file_to_file() -> None:
    head, tail = SOURCE.split("class Row:")
    elsewhere = "from core.solvers.admm.admm import Admm as Solver\nimport numpy as np\n"
    assert meanings(head) | meanings(f"{elsewhere}class Row:{tail}") == meanings(SOURCE)


def test_a_docstring_alone_is_no_statement() -> None:
    assert meanings('"""Nothing."""\n') == frozenset()
    with pytest.raises(SyntaxError):
        meanings("def :")
