"""Labels along axes are different from each other, over ranges of any width."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.figures.look.style import AXIS
from core.figures.look.ticks import NUMBER, PERCENT, WHOLE, count_axis, first_of_each

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


def test_formats_with_fixed_decimals_repeat_labels() -> None:
    """What the formats here are for: so it was."""
    assert len({written(0.001 * k, ".0%") for k in range(6)}) < 6


def test_no_figure_has_a_format_of_its_own() -> None:
    for path in sorted(FIGURES.rglob("*.py")):
        found = re.findall(r"""tickformat["']?\s*[:=]\s*([^,}\)]+)""", path.read_text("utf-8"))
        assert {form.rpartition(" ")[2] for form in found} <= {"PERCENT", "NUMBER"}, path


def test_numbers_between_powers_of_ten_are_written_out() -> None:
    assert AXIS["minorloglabels"] == "complete"


@given(st.integers(0, 500), st.integers(0, 500))
def test_few_counts_have_whole_labels(low: int, more: int) -> None:
    step = count_axis(low, low + more).get("dtick")
    assert step == (1 if more <= WHOLE else None)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc"))))
def test_each_label_stands_once_at_its_first_place(labels: list[tuple[float, str]]) -> None:
    shown = first_of_each(labels)
    assert [text for _, text in shown] == list(dict.fromkeys(text for _, text in labels))
    assert all(place == next(at for at, other in labels if other == text) for place, text in shown)
