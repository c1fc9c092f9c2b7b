"""Colours of methods, solvers and features: read on both themes, told apart; numbers as people read them."""

import math
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures.look.colours import FEATURE_COLOURS as FEATURES_COLOURS
from core.figures.look.colours import feature_colour, feature_colours, oklab
from core.figures.look.style import (
    ABOVE,
    CHARACTERS,
    KNOWN_STYLES,
    METHOD_STYLES,
    MUTED,
    OTHER_STYLE,
    SPARE_COLOURS,
    SUBTITLE_LINE,
    TITLE_LINE,
    MethodStyle,
    Words,
    heading,
    known_styles,
    layout,
    solver_style,
    styles_of,
)
from core.figures.look.style import seconds as duration
from core.methods import METHODS, Method, get_method
from core.methods.registry import FAMILIES
from core.names.numbers import short
from tests.contrast import BACKGROUNDS, colour, contrast

UNLIKE = 0.07
"""Distance in OKLab; the nearest two of one family have 0.026 today."""
METHODS_COLOURS = [*(style.colour for style in METHOD_STYLES.values()), *SPARE_COLOURS, OTHER_STYLE.colour, MUTED]
SOLVERS_COLOURS = [style.colour for style in known_styles().values()]
UNLIKE_FEATURES, UNLIKE_METHODS = 0.09, 0.05
"""Distances of two features, and of a feature from every method."""


def distance(one: str, other: str) -> float:
    return float(np.linalg.norm(oklab(one) - oklab(other)))


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("drawn", [*METHODS_COLOURS, *SOLVERS_COLOURS, *FEATURES_COLOURS])
def test_every_colour_stands_out_from_every_background(drawn: str, background: str) -> None:
    assert contrast(colour(drawn), colour(background)) >= 3.0


def test_every_method_has_a_colour_of_its_own_and_is_told_apart_without_it() -> None:
    assert list(METHOD_STYLES) == [method.id for method in METHODS]
    assert_told_apart(METHOD_STYLES)


def assert_told_apart(styles: dict[str, MethodStyle]) -> None:
    assert len({style.colour for style in styles.values()}) == len(styles)
    assert len({(style.dash, style.marker) for style in styles.values()}) == len(styles)


def with_new(number: int, like: str) -> tuple[list[Method], list[list[Method]]]:
    """The registry and its families with so many new methods at their ends, all kin of one that is there."""
    kin = get_method(like)
    new = [replace(kin, id=f"new-{k}") for k in range(1, number + 1)]
    families = [[*family, *(new if kin in family else [])] for family in FAMILIES.values()]
    return [*METHODS, *new], families


@pytest.mark.parametrize("like", ["scad", "infinite-push-l0.5", "fsmrank"])
def test_a_new_method_is_readable_and_unlike_its_family(like: str) -> None:
    methods, families = with_new(5, like)
    styles = styles_of(methods, families, KNOWN_STYLES)
    assert_told_apart(styles)
    family = next(ids for ids in ([method.id for method in kin] for kin in families) if "new-1" in ids)
    for name in (f"new-{k}" for k in range(1, 6)):
        style = styles[name]
        assert min(contrast(colour(style.colour), colour(background)) for background in BACKGROUNDS) >= 3.0
        assert min(distance(style.colour, styles[other].colour) for other in family if other != name) > UNLIKE
        go.Scatter(marker={"symbol": style.marker}, line={"dash": style.dash})  # plotly knows both
        go.Scatter(marker={"symbol": f"{style.marker}-open"})


def test_a_method_that_comes_later_changes_no_other_style() -> None:
    one, two = (styles_of(*with_new(number, "scad"), KNOWN_STYLES) for number in (1, 2))
    assert {name: style for name, style in one.items() if name != "new-1"} == METHOD_STYLES
    assert {name: style for name, style in two.items() if name != "new-2"} == one
    methods, families = with_new(1, "l1")
    styles = styles_of([methods[-1], *METHODS], families, KNOWN_STYLES)
    assert {name: styles[name] for name in KNOWN_STYLES} == KNOWN_STYLES, "what people know stays wherever it stands"
    assert_told_apart(styles)


def test_distance_is_measured_as_ottosson_prints_it() -> None:
    """Ottosson (2020): the sRGB primaries' places, to three digits."""
    assert oklab("#ffffff") == pytest.approx([1.0, 0.0, 0.0], abs=1e-3)
    assert oklab("#ff0000") == pytest.approx([0.628, 0.225, 0.126], abs=1e-3)
    assert oklab("#0000ff") == pytest.approx([0.452, -0.032, -0.312], abs=1e-3)


RACING = [method for method in METHODS if len(method.solvers) > 1]


@pytest.mark.parametrize("method", RACING, ids=lambda method: method.id)
def test_solvers_of_a_method_differ_in_colour_dash_and_marker(method: Method) -> None:
    for one, other in combinations([solver_style(solver.id) for solver in method.solvers], 2):
        assert distance(one.colour, other.colour) > 0.15
        assert one.dash != other.dash
        assert one.marker != other.marker


def test_every_solver_has_a_style_and_none_the_colour_of_a_method() -> None:
    assert set(known_styles()) == {solver.id for method in METHODS for solver in method.solvers}
    for style in known_styles().values():
        for method in METHOD_STYLES.values():
            assert distance(style.colour, method.colour) >= 0.03


@pytest.mark.parametrize("feature", FEATURES_COLOURS)
def test_no_feature_looks_like_a_method_or_like_the_grey_of_those_that_are_not_coloured(feature: str) -> None:
    assert min(distance(feature, method) for method in METHODS_COLOURS) >= UNLIKE_METHODS
    _, *hue = oklab(feature)
    assert np.hypot(*hue) >= 0.1


def test_features_are_told_apart() -> None:
    assert min(distance(one, other) for one, other in combinations(FEATURES_COLOURS, 2)) >= UNLIKE_FEATURES
    assert len({feature_colour(column) for column in range(len(FEATURES_COLOURS))}) == len(FEATURES_COLOURS)


def test_no_two_features_of_a_picture_share_a_colour() -> None:
    # Three of them are a round of colours apart, as two URL features of LETOR 4.0.
    colours = feature_colours([38, 5, 18, 58])
    assert colours[18] == feature_colour(18)
    assert colours[5] == feature_colour(5)
    assert min(distance(one, other) for one, other in combinations(colours.values(), 2)) >= UNLIKE_FEATURES


NUMBERS = {0.0: "0", 0.0123: "0.012", 0.00123: "1.2e-3", 1.0: "1", -0.5: "-0.5", 12.34: "12", 99.7: "100", 123.4: "123",
           1234.0: "1.2e3", math.inf: "∞", -math.inf: "−∞"}  # fmt: skip
DURATIONS = {0.00123: "1.2 ms", 0.0997: "100 ms", 0.123: "123 ms", 1.234: "1.2 s", 99.7: "100 s", 1234.5: "1,234 s"}


def test_numbers_and_durations_have_two_significant_digits() -> None:
    assert {value: short(value) for value in NUMBERS} == NUMBERS
    assert {value: duration(value) for value in DURATIONS} == DURATIONS


def test_a_heading_is_whole_for_the_page_and_wrapped_in_the_picture() -> None:
    long = "word " * 30 + "end"
    figure = layout(go.Figure(), Words(long, f"{long} {long}\nwhat else"))
    words = heading(figure)
    assert words is not None
    assert (words.title, words.subtitle) == (long, (f"{long} {long}", "what else"))
    lines = [re.sub("<[^>]*>", "", line) for line in figure.layout.title.text.split("<br>")]
    assert max(map(len, lines)) <= max(CHARACTERS)
    assert " ".join(lines) == f"{long} {long} {long} what else"
    assert words.height == 2 * TITLE_LINE + 4 * SUBTITLE_LINE
    assert words.height <= figure.layout.margin.t - ABOVE, "the handle has its room"
    assert heading(layout(go.Figure())) is None
