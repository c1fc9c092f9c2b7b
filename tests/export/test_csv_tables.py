"""CSV that gives back what was put in."""

from __future__ import annotations

import csv
import io
import math
import re

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
        assert cells[1] == "'=head"
        assert set(cells[3::2]) == {"-1.5"}
        assert [from_spreadsheet(cell) for cell in cells[2::2]] == list(NASTY)


@given(st.lists(st.text(st.sampled_from("=+-@;,\t\n\r\v \"'\x00\xa0\u200b\ufeffa1.e＝"), max_size=8), min_size=1))
def test_no_cell_is_a_formula_wherever_a_spreadsheet_splits(names: list[str]) -> None:
    table = [{"name": name, "number": number} for name in names for number in (-1.5, 3e-4)]
    for text in (csv_text(table), frame_csv(pd.DataFrame(table))):
        for separator in ",;\t":
            cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
            assert not [cell for cell in cells if _is_formula(cell)], (separator, cells)
        if any("\r" in name for name in names):
            continue  # Python's writer sets it without quotation marks
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row][1:]
        assert [from_spreadsheet(row[0]) for row in rows] == [name for name in names for _ in range(2)]
        assert [float(row[1]) for row in rows] == [-1.5, 3e-4] * len(names)


def _is_formula(cell: str) -> bool:
    """Whether a spreadsheet may compute a cell: a number it reads, and what follows one in a line it does not."""
    seen = re.sub(r"^[\s\x00-\x1f\u200b\ufeff]+", "", cell)
    return seen.startswith(("=", "+", "-", "@", "＝")) and not re.fullmatch(
        r"[+-]?[0-9.]+(e[+-]?[0-9]+)?(,.*)?", seen, re.S
    )
