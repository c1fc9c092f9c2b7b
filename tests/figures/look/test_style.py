"""Colours of methods, solvers and features: read on both themes, told apart; numbers as people read them.

Labels along axes are different from each other, over ranges of any width; those at line ends keep apart and in order,
and move as little as they can.
"""

import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from core.figures.look.colours import FEATURE_COLOURS as FEATURES_COLOURS
from core.figures.look.colours import feature_colour, feature_colours, oklab
from core.figures.look.drawing import note
from core.figures.look.labels import NUMBER, PERCENT, WHOLE, count_axis, first_of_each, of_features, spread_labels
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
from tests.figures.look.contrast import BACKGROUNDS, colour, contrast

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


FIGURES = Path(__file__).resolve().parents[3] / "core" / "figures"


def written(value: float, form: str) -> str:
    """As d3, which the browser's plotly writes with, formats a number; Python has the same but for ~, without zeros."""
    if form.endswith("%"):
        text = f"{100 * value:{form[:-1].replace('~', '') or ''}f}"
        return (text.rstrip("0").rstrip(".") if "~" in form else text) + "%"
    return f"{value:{form.replace('~', '')}}"


@given(
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 5]),
    st.integers(-7, 0),
    st.integers(3, 12),
    st.sampled_from([NUMBER, PERCENT]),
)
def test_neighbouring_labels_differ_however_near_they_are(
    first: int, step: int, exponent: int, count: int, form: str
) -> None:
    """Plotly puts labels at whole multiples of 1, 2 or 5 powers of ten; here up to seven decimals of a share."""
    apart = step * 10.0**exponent
    start = first % 10**5 if form == NUMBER else first % max(int(1 / apart), 1)
    labels = [written((start + k) * apart, form) for k in range(count)]
    assert len({*labels}) == count, labels


def test_no_figure_has_a_format_of_its_own() -> None:
    for path in sorted(FIGURES.rglob("*.py")):
        found = re.findall(r"""tickformat["']?\s*[:=]\s*([^,}\)]+)""", path.read_text("utf-8"))
        assert {form.rpartition(" ")[2] for form in found} <= {"PERCENT", "NUMBER"}, path


@given(st.integers(0, 500), st.integers(0, 500))
def test_few_counts_have_whole_labels(low: int, more: int) -> None:
    step = count_axis(low, low + more).get("dtick")
    assert step == (1 if more <= WHOLE else None)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc"))))
def test_each_label_stands_once_at_its_first_place(labels: list[tuple[float, str]]) -> None:
    shown = first_of_each(labels)
    assert [text for _, text in shown] == list(dict.fromkeys(text for _, text in labels))
    assert all(place == next(at for at, other in labels if other == text) for place, text in shown)


places = st.lists(st.floats(-1.0, 1.0, width=32), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("ends", "gap", "placed"),
    [
        ([0.9, 0.1, 0.5], 0.2, [0.9, 0.1, 0.5]), ([0.5, 0.5], 0.2, [0.4, 0.6]), ([1.3, 0.95], 0.2, [1.0, 0.8]),
        ([-0.4, 0.1], 0.2, [0.0, 0.2]), ([0.5] * 5, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0]), ([], 0.1, []),
    ],
    ids=["with room", "parted evenly", "within the top", "within the bottom", "sharing too little room", "none"],
)  # fmt: skip
def test_labels_stay_where_their_lines_end_or_part_within_the_picture(
    ends: list[float], gap: float, placed: list[float]
) -> None:
    assert spread_labels(ends, gap, 0.0, 1.0) == pytest.approx(placed)


@settings(max_examples=40, deadline=None)
@given(places)
def test_the_shifts_are_the_smallest_that_keep_labels_apart(wanted: list[float]) -> None:
    gap, low, high = 0.3, -1.5, 1.5
    placed = spread_labels(wanted, gap, low, high)
    order = np.argsort(wanted, kind="stable")
    inside = placed[order]
    assert np.all(np.diff(inside) >= gap - 1e-9)
    assert low - 1e-9 <= inside[0]
    assert inside[-1] <= high + 1e-9
    # An independent quadratic program may not find anything nearer.
    targets, n = np.array(wanted)[order], len(wanted)
    apart = [LinearConstraint(np.diff(np.eye(n), axis=0), gap, np.inf)] if n > 1 else []
    start = np.linspace(low, high, n) if n > 1 else np.zeros(1)
    best = minimize(
        lambda y: float(((y - targets) ** 2).sum()), start, bounds=[(low, high)] * n, constraints=apart, method="SLSQP"
    )
    assert ((inside - targets) ** 2).sum() <= best.fun + 1e-5


def test_marks_of_features_say_name_and_number_and_then_what_they_are_given() -> None:
    said = of_features(["a <b>", "c"], [1, 0], "%{customdata[2]}", ["x", "y"], head="ℓ1: ")
    assert said["customdata"] == [["c", 2, "x"], ["a &lt;b&gt;", 1, "y"]]
    named = "%{customdata[0]} (feature %{customdata[1]})"
    assert said["hovertemplate"] == f"ℓ1: {named}<br>%{{customdata[2]}}<extra></extra>"


def test_words_stand_with_the_sides_that_are_named_at_their_place() -> None:
    plain = {"text": "a", "x": 1, "y": 2, "showarrow": False}
    assert note("a", 1, 2) == plain
    sides = {"xanchor": "right", "yanchor": "top", "font": {"size": 12, "color": "red"}, "xref": "paper"}
    assert note("a", 1, 2, "right top", 12, "red", xref="paper") == plain | sides
