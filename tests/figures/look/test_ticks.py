"""Labels along axes are different from each other, over ranges of any width.

Labels at line ends keep apart, keep their order, and move as little as they can.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from core.figures.look.drawing import note
from core.figures.look.labels import NUMBER, PERCENT, WHOLE, count_axis, first_of_each, of_features, spread_labels

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
