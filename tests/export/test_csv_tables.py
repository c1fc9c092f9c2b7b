"""CSV that gives back what was put in."""

from __future__ import annotations

import csv
import io
import math

from hypothesis import given
from hypothesis import strategies as st

from core.export.csv_tables import csv_text


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_survives_the_way_there_and_back(values: list[float]) -> None:
    text = csv_text([{"x": value} for value in values])
    assert [float(row["x"]) for row in csv.DictReader(io.StringIO(text))] == values
    assert [math.copysign(1.0, float(row["x"])) for row in csv.DictReader(io.StringIO(text))] == [
        math.copysign(1.0, value) for value in values
    ]


def test_words_with_commas_quotes_and_lines_survive() -> None:
    words = {"a": 'Lai et al. 2013, "Table 2"', "b": "two\nlines", "ℓ0.5": "−"}
    (row,) = csv.DictReader(io.StringIO(csv_text([words])))
    assert row == words


def test_columns_are_those_of_all_rows_and_what_is_not_there_is_empty() -> None:
    assert csv_text([{"a": 1, "b": None}, {"c": True}]) == "a,b,c\n1,,\n,,True\n"
    assert csv_text([]) == "\n"
