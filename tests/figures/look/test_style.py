"""Colours that can be read on both themes, and numbers as people read them."""

from __future__ import annotations

import math
import re

import plotly.graph_objects as go
import pytest

from core.figures.look.style import (
    CHARACTERS,
    METHOD_STYLES,
    MUTED,
    OTHER_STYLE,
    SUBTITLE_LINE,
    TITLE_LINE,
    heading,
    layout,
    short,
)
from core.figures.look.style import seconds as duration
from core.methods import METHODS
from tests.contrast import colour, contrast

BACKGROUNDS = ("#ffffff", "#0e1117", "#191816")
COLOURS = {**{method: style.colour for method, style in METHOD_STYLES.items()}, "other": OTHER_STYLE.colour,
           "muted": MUTED}  # fmt: skip


def test_black_on_white_has_the_largest_contrast() -> None:
    assert contrast(colour("#000000"), colour("#ffffff")) == pytest.approx(21.0)


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_stands_out_from_every_background(name: str, background: str) -> None:
    assert contrast(colour(COLOURS[name]), colour(background)) >= 3.0


def test_every_method_has_a_colour_of_its_own_and_is_told_apart_without_it() -> None:
    assert {method.id for method in METHODS} <= set(METHOD_STYLES)
    styles = METHOD_STYLES.values()
    assert len({style.colour for style in styles}) == len(styles)
    assert len({(style.dash, style.marker) for style in styles}) == len(styles)


NUMBERS = {0.0: "0", 0.0123: "0.012", 0.00123: "1.2e-3", 1.0: "1", -0.5: "-0.5", 12.34: "12", 99.7: "100", 123.4: "123",
           1234.0: "1.2e3", math.inf: "∞", -math.inf: "−∞"}  # fmt: skip
DURATIONS = {0.00123: "1.2 ms", 0.0997: "100 ms", 0.123: "123 ms", 1.234: "1.2 s", 99.7: "100 s", 1234.5: "1,234 s"}


@pytest.mark.parametrize(("value", "text"), NUMBERS.items())
def test_numbers_have_two_significant_digits(value: float, text: str) -> None:
    assert short(value) == text


@pytest.mark.parametrize(("value", "text"), DURATIONS.items())
def test_durations_have_two_significant_digits_and_their_unit(value: float, text: str) -> None:
    assert duration(value) == text


def test_a_heading_is_whole_for_the_page_and_wrapped_in_the_picture() -> None:
    long = "word " * 30 + "end"
    figure = layout(go.Figure(), title=long, subtitle=f"{long} {long}<br>what else")
    words = heading(figure)
    assert words is not None
    assert (words.title, words.subtitle) == (long, (f"{long} {long}", "what else"))
    lines = [re.sub("<[^>]*>", "", line) for line in figure.layout.title.text.split("<br>")]
    assert max(map(len, lines)) <= max(CHARACTERS)
    assert " ".join(lines) == f"{long} {long} {long} what else"
    assert words.height == 2 * TITLE_LINE + 4 * SUBTITLE_LINE


def test_a_picture_without_a_title_has_no_heading() -> None:
    assert heading(layout(go.Figure(), title="")) is None
