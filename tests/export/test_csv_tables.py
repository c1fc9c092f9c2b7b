"""CSV that gives back what was put in."""

from __future__ import annotations

import csv
import io
import math

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from core.export.csv_tables import csv_text
from core.names.plain import from_spreadsheet
from core.names.tables import frame_csv
from tests.names.nasty import NASTY


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


def test_no_cell_is_a_formula_to_a_spreadsheet() -> None:
    table = [{"name": name, "=head": -1.5} for name in NASTY]
    for text in (csv_text(table), frame_csv(pd.DataFrame(table))):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [c for c in cells if c.startswith(("=", "+", "@")) or (c.startswith("-") and c != "-1.5")], cells
        assert cells[1] == "'=head"
        assert [from_spreadsheet(cell) for cell in cells[2::2]] == list(NASTY)
