"""Names are text to plotly, Markdown, terminals and spreadsheets; the browser's tests look at what is drawn."""

from __future__ import annotations

import html

import pytest

from core.names.plain import (
    from_spreadsheet,
    in_file_name,
    in_markdown,
    in_plotly,
    in_spreadsheet,
    in_terminal,
    visible,
)
from tests.names.nasty import NASTY


@pytest.mark.parametrize("name", NASTY)
def test_plotly_reads_neither_tags_nor_entities_nor_templates(name: str) -> None:
    drawn = in_plotly(name)
    assert not set("<>") & set(drawn)
    assert "%{" not in drawn
    assert html.unescape(drawn) == visible(name)


@pytest.mark.parametrize("name", NASTY)
def test_a_terminal_gets_no_controls(name: str) -> None:
    shown = in_terminal(name)
    assert all(character == "\n" or character.isprintable() or character == "\xa0" for character in shown), shown
    assert shown.count("\n") == name.count("\n")


def test_controls_are_seen_in_a_terminal() -> None:
    assert in_terminal("\x1b[31mred\x07") == "\\x1b[31mred\\x07"
    assert in_terminal("gpj\u202eexe") == "gpj\\u202eexe"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+1+1", "'+1+1"), ("-2+3", "'-2+3"), ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "\t'=1"), ("\r=1", "\r'=1"), ("＝1", "'＝1"), (" =1+1", "' =1+1"), ("\x00\xa0=1", "'\x00\xa0=1"),
        ("a;=1+1", "a;'=1+1"), ("a, -b\n@c", "a,' -b\n'@c"), ('a;"=1"', "a;'\"=1\""), ("'=1", "''=1"),
        ("-1_000", "'-1_000"), ("-1;=2", "'-1;'=2"),
    ],
)  # fmt: skip
def test_a_spreadsheet_sees_no_formula(name: str, written: str) -> None:
    assert in_spreadsheet(name) == written
    assert from_spreadsheet(written) == name


@pytest.mark.parametrize(
    "text", ["-1.5", "+2", "+3e-4", "1e-3", "-inf", "BM25 of title", "", "'quoted'", "a-b; c=d", "NDCG@10, 'x'"]
)
def test_numbers_and_other_names_stay_in_a_spreadsheet(text: str) -> None:
    assert in_spreadsheet(text) == text == from_spreadsheet(text)


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("a*b*c", r"a\*b\*c"),
        ("![p](http://e.example/p.png)", r"!\[p\](http\::small[]//e.example/p.png)"),
        ("a:b:c", r"a\::small[]b\::small[]c"),
        ("a -> b", r"a -:small[]\> b"),
        ("a & b, 3: c", r"a \& b, 3: c"),
        ("python-docs, fold 1", "python-docs, fold 1"),
        ("1. first", r"1\. first"),
        ("- item", r"\- item"),
        ("two\nlines", "two lines"),
        ("NDCG@10 is 0.5", "NDCG@10 is 0.5"),
        ("me@host.example", "me:small[]@host.example"),
    ],
)
def test_markdown_is_escaped_where_it_would_be_read(name: str, escaped: str) -> None:
    assert in_markdown(name) == escaped


@pytest.mark.parametrize(("name", "stem"), [("MQ2008", "MQ2008"), ("a/b c<d>", "a-b-c-d-"), ("../x", "..-x")])
def test_a_name_is_no_way_out_of_a_folder(name: str, stem: str) -> None:
    assert in_file_name(name) == stem
