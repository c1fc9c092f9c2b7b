"""Short names stay different, and are made of the words of their names.

Names are text to plotly, Markdown, terminals and spreadsheets; the browser's tests look at what is drawn.
No place that would interpret a name is reached past the functions that make it text; read off the program itself.
"""

import ast
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.naming import KNOWN
from core.names.plain import (
    from_spreadsheet,
    in_file_name,
    in_markdown,
    in_plotly,
    in_spreadsheet,
    in_terminal,
    visible,
)
from core.names.short import short_names, shortened
from tests.names.nasty import NASTY
from tests.ranking_files import there
from tests.sources import nodes_of

ROOM = (16, 19, 20, 22, 26, 34)
LISTS = {known.file: known.names for known in KNOWN}
SAID = {
    "letor3_ohsumed_45.txt": {
        "BM25 in 'title'": "BM25 · title",
        "sum log(TF(qi,d)/LEN(d)*|C|/TF(qi,C)+1) in 'title + abstract'": "TF·ICF/len · all text",
    },
    "mslr_136.txt": {"min of stream length normalized term frequency | anchor": "min TF/len · anchor"},
    "letor3_gov_64.txt": {
        "TF (term frequency) of body": "TF · body",
        "Hyperlink based score propagation: weighted in-link": "weighted inlink score",
    },
    "letor4_46.txt": {"LMIR.DIR of whole document": "LMIR.DIR · whole"},
}


def words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", name)


@pytest.mark.parametrize("longest", ROOM)
@pytest.mark.parametrize("file", LISTS)
def test_published_names_stay_different(file: str, longest: int) -> None:
    names = LISTS[file]
    labels = short_names(names, range(len(names)), longest)
    assert len(set(labels)) == len(names)
    assert max(map(len, labels)) <= longest


@pytest.mark.parametrize("file", LISTS)
def test_a_person_can_say_a_published_name_and_nothing_is_left_out_of_it(file: str) -> None:
    names = LISTS[file]
    labels = short_names(names, range(len(names)))
    assert not [label for label in labels if "…" in label or "(qi" in label]
    for name, label in SAID[file].items():
        assert labels[names.index(name)] == label


def test_a_persons_own_names_stay_as_they_are() -> None:
    own = ["TF of signature", "TF of body", "IDF of body"]
    assert short_names(own, range(3)) == own
    assert short_names(["BM25 of body", "BM25 | body"], range(2)) == ["BM25 of body", "BM25 | body"]


@pytest.mark.parametrize("file", LISTS)
def test_the_program_knows_the_same_names_as_the_shared_lists(file: str, shared_data: Path) -> None:
    lines = there(shared_data / "features" / file).read_text(encoding="utf-8").splitlines()
    assert tuple(line.partition("\t")[2].strip() for line in lines) == tuple(name.strip() for name in LISTS[file])


def test_a_long_word_is_cut_and_numbered() -> None:
    names = ["x" * 40 + "a", "x" * 40 + "b", "short"]
    assert short_names(names, [1, 0, 2], 10) == ["xxxxxxx… 2"[-10:], "xxxxxxx… 1"[-10:], "short"]


PIECES = ["a", "bb", "of", "(c d)", "TF*IDF", "TF", "|", "'q", "r'", "<b>"]
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map(" ".join)


@given(st.lists(NAMES, unique=True, max_size=12), st.integers(6, 30))
def test_no_two_of_any_names_become_equal(names: list[str], longest: int) -> None:
    labels = short_names(names, range(len(names)), longest)
    assert len({*labels}) == len(names)
    assert all(len(label) <= max(longest, 6) for label in labels)


@given(st.lists(NAMES.filter(lambda name: "(" not in name), unique=True, max_size=12))
def test_what_is_left_out_leaves_a_gap(names: list[str]) -> None:
    for name, label in zip(names, short_names(names, range(len(names)), 12), strict=True):
        assert "…" in label or words(label) == words(name), (name, label)
        assert "……" not in label


@pytest.mark.parametrize(
    ("text", "short"),
    [("abc", "abc"), ("a  b\nc", "a b c"), ("how to sort a list", "how to sort…"), ("x" * 30, "xxxxxxxxxxx…")],
)
def test_a_text_is_cut_between_words_where_that_leaves_enough(text: str, short: str) -> None:
    assert shortened(text, 12) == short
    assert len(shortened(text, 12)) <= 12


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


ROOT = Path(__file__).resolve().parents[2]
MARKDOWN = {
    "markdown", "caption", "header", "subheader", "title", "info", "warning", "error", "success", "toast", "button",
    "expander", "popover", "checkbox", "toggle", "metric", "spinner", "download_button",
}  # fmt: skip
OUTSIDE = {"where", "feature_names", "query_ids", "document_ids", "query_id", "fold_in_words", "provenance", "problem"}
"""Attributes that hold names from outside, or sentences that name them."""
TEXT = {"in_markdown", "in_plotly", "name_labels", "row_labels", "short_names", "lights", "len"}
"""Functions that make them text, or draw no letters of them."""
WORDS = re.compile(r"sentence|title|rows|table|words|alt|^_name$|spec|labelled|trace|features_of")
"""Functions whose result is a sentence or a table in plain text, of which the caller takes care."""


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def bare(node: ast.AST) -> Iterator[str]:
    """Names from outside in an expression that no function has made text."""
    if isinstance(node, ast.Call) and called(node) in TEXT:
        return
    if isinstance(node, ast.Attribute) and node.attr in OUTSIDE:
        yield node.attr
    for child in ast.iter_child_nodes(node):
        yield from bare(child)


def files(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


@pytest.mark.parametrize("path", files("pages/**/*.py"), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_markdown_gets_names_as_text(path: Path) -> None:
    for call in nodes_of(path):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and called(call) in MARKDOWN:
            shown = [*call.args[:1], *(word.value for word in call.keywords if word.arg in ("label", "help", "body"))]
            found = [name for part in shown for name in bare(part)]
            assert not found, f"line {call.lineno}: {found} goes to st.{called(call)} past in_markdown"


def test_plotly_gets_names_as_text() -> None:
    """Of every figure: what is put into a dictionary or a keyword of plotly is no bare name."""
    wrong = []
    for path in files("core/figures/**/*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            if not WORDS.search(function.name):
                wrong += [f"{path.relative_to(ROOT)}:{line} {what}" for line, what in _names_drawn(function)]
    assert not wrong, "\n".join(wrong)


def _names_drawn(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Names picked from a list of names by a variable, where no function makes them text."""
    if isinstance(node, ast.Call) and called(node) in TEXT:
        return
    picked = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp | ast.Attribute)
    if picked and ast.unparse(node.value).rpartition(".")[2] in ("names", "feature_names"):  # type: ignore[attr-defined]
        yield node.lineno, ast.unparse(node)  # type: ignore[attr-defined]
    for child in ast.iter_child_nodes(node):
        yield from _names_drawn(child)


def test_tables_reach_spreadsheets_by_one_way() -> None:
    assert [path.name for path in files("core/**/*.py", "pages/**/*.py") if ".to_csv(" in path.read_text("utf-8")] == [
        "tables.py"
    ]


def test_no_script_of_ours_writes_html() -> None:
    for path in files("pages/shared/server/*.js", "pages/views/**/*.js", "core/**/*.js", "core/export/*.html"):
        if path.name.endswith(".min.js"):  # Plotly's
            continue
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text("utf-8")
        ), path


def test_reports_escape_all_but_what_the_program_has_made() -> None:
    pages = "".join(path.read_text("utf-8") for path in files("core/export/*.html"))
    safe = set(re.findall(r"\{\{\s*([\w.]+)\s*\|\s*safe", pages))
    assert safe == {"policy", "style", "look", "site_style", "script", "fit_paper", "data", "figure"}


def test_pages_allow_no_html_in_markdown() -> None:
    assert not [path for path in files("pages/**/*.py") if "unsafe_allow_html" in path.read_text("utf-8")]
