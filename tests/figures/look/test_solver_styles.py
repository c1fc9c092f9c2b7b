"""Solvers of a method can be told apart, on both themes, and are not taken for methods."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.figures.look.colours import BACKGROUNDS, contrast, oklab
from core.figures.look.solver_styles import known_styles, solver_style
from core.figures.look.style import METHOD_STYLES
from core.methods import METHODS, Method

RACING = [method for method in METHODS if len(method.solvers) > 1]


@pytest.mark.parametrize("method", RACING, ids=lambda method: method.id)
def test_solvers_of_a_method_differ_in_colour_dash_and_marker(method: Method) -> None:
    for one, other in combinations([solver_style(solver.id) for solver in method.solvers], 2):
        assert np.linalg.norm(oklab(one.colour) - oklab(other.colour)) > 0.15
        assert one.dash != other.dash
        assert one.marker != other.marker


def test_no_solver_has_the_colour_of_a_method() -> None:
    for style in known_styles().values():
        for method in METHOD_STYLES.values():
            assert np.linalg.norm(oklab(style.colour) - oklab(method.colour)) >= 0.03


def test_every_solver_of_the_registry_is_readable_on_every_background() -> None:
    assert set(known_styles()) == {solver.id for method in METHODS for solver in method.solvers}
    assert min(contrast(style.colour, back) for style in known_styles().values() for back in BACKGROUNDS) >= 3.0
