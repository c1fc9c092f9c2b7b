"""Colours of features: fixed, unlike each other, and never those of a method."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.figures.look.colours import BACKGROUNDS, oklab
from core.figures.look.feature_colours import COLOURS, feature_colour, feature_colours
from core.figures.look.style import METHOD_STYLES, MUTED, OTHER_STYLE
from tests.contrast import colour, contrast

UNLIKE = 0.09
"""Distance in OKLab between two features."""
UNLIKE_METHODS = 0.05
METHODS = [*(style.colour for style in METHOD_STYLES.values()), OTHER_STYLE.colour, MUTED]


def distance(one: str, other: str) -> float:
    return float(np.linalg.norm(oklab(one) - oklab(other)))


@pytest.mark.parametrize("feature", COLOURS)
def test_no_feature_looks_like_a_method(feature: str) -> None:
    assert min(distance(feature, method) for method in METHODS) >= UNLIKE_METHODS


@pytest.mark.parametrize("feature", COLOURS)
def test_no_feature_is_grey_like_those_that_are_not_coloured(feature: str) -> None:
    _, *hue = oklab(feature)
    assert np.hypot(*hue) >= 0.1


def test_features_are_told_apart() -> None:
    assert min(distance(one, other) for one, other in combinations(COLOURS, 2)) >= UNLIKE
    assert len({feature_colour(column) for column in range(len(COLOURS))}) == len(COLOURS)


def test_no_two_features_of_a_picture_share_a_colour() -> None:
    colours = feature_colours(
        [38, 5, 18, 58]
    )  # three of them a round of colours apart, as two URL features of LETOR 4.0
    assert colours[18] == feature_colour(18)
    assert colours[5] == feature_colour(5)
    assert min(distance(one, other) for one, other in combinations(colours.values(), 2)) >= UNLIKE


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("feature", COLOURS)
def test_every_feature_stands_out_from_every_background(feature: str, background: str) -> None:
    assert contrast(colour(feature), colour(background)) >= 3.0
