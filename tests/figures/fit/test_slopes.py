"""Theory's slopes begin where the curves do and have the steepness that their names say."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.fit.slopes import guide_slopes

CURVES = [([1.0, 10.0, 100.0], [1.0, 0.1, 1e-6]), ([0.0, 4.0], [0.5, 0.2])]


def slope(name: str) -> float:
    line = next(line for line in guide_slopes(CURVES) if line["name"] == name)
    return float(np.polyfit(np.log(line["x"]), np.log(line["y"]), 1)[0])


@pytest.mark.parametrize(("name", "steepness"), [("1/k", -1.0), ("1/k²", -2.0)])
def test_powers_are_straight_on_two_log_axes(name: str, steepness: float) -> None:
    assert slope(name) == pytest.approx(steepness)


def test_linear_is_straight_where_only_the_axis_upwards_is_logarithmic() -> None:
    line = guide_slopes(CURVES)[2]
    steps = np.diff(np.log(line["y"])) / np.diff(line["x"])
    assert steps == pytest.approx(np.full(len(steps), steps[0]))


def test_they_stay_within_the_curves_and_bear_their_names_at_their_ends() -> None:
    for line in guide_slopes(CURVES):
        assert (line["x"][0], line["y"][0]) == (1.0, 1.0)
        assert max(line["x"]) <= 100.0
        assert min(line["y"]) >= 1e-6 * (1 - 1e-6)
        assert (line["text"][-1], set(line["text"][:-1])) == (line["name"], {""})


def test_where_nothing_is_spanned_there_are_none() -> None:
    assert guide_slopes([]) == []
    assert guide_slopes([([0.0], [1.0])]) == []
    assert guide_slopes([([1.0, 2.0], [1.0, 1.0])]) == []
