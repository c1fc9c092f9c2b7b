"""Plain tables: digits, sides, and columns of sentences."""

from __future__ import annotations

from core.experiments.results.printed_table import Entry, plain_table

ROWS = [
    {"method": "l1", "MAP": 0.123456, "p": "<0.001", "share": "12 %", "reason": "x" * 60},
    {"method": "log", "MAP": 0.5, "p": "0.2", "share": "", "reason": "short"},
]


def test_numbers_have_four_digits_and_stand_right_while_the_file_keeps_all() -> None:
    table = plain_table("t", "title", "note", ROWS)
    assert table.rows[0][1].text == "0.1235"
    assert table.numeric == {1, 2, 3}
    assert table.wide == {4}
    assert table.numbers[0]["MAP"] == 0.123456


def test_marks_are_seen_in_plain_text() -> None:
    assert [Entry("1", "a", "best").plain, Entry("1", "", "worse").plain, Entry("1").plain] == ["1 a ★", "1 ↓", "1"]
