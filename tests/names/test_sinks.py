"""No place that would interpret a name is reached past the functions that make it text; read off the program itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import nodes_of

ROOT = Path(__file__).resolve().parents[2]
MARKDOWN = {
    "markdown", "caption", "header", "subheader", "title", "info", "warning", "error", "success", "toast", "button",
    "expander", "popover", "checkbox", "toggle", "metric", "spinner", "download_button",
}  # fmt: skip
OUTSIDE = {"where", "feature_names", "query_ids", "document_ids", "query_id", "fold_in_words", "provenance", "problem"}
"""Attributes that hold names from outside, or sentences that name them."""
TEXT = {"in_markdown", "in_plotly", "name_labels", "row_labels", "short_names", "names_of", "lights", "len"}
"""Functions that make them text, or draw no letters of them."""
WORDS = re.compile(r"sentence|title|rows|table|words|alt|names_of|^_name$|spec|labelled|trace|features_of")
"""Functions whose result is a sentence or a table in plain text, of which the caller takes care."""


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in nodes_of(path) if isinstance(node, ast.Call))


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
    for call in calls(path):
        if isinstance(call.func, ast.Attribute) and called(call) in MARKDOWN:
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
    for path in files(
        "pages/shared/server/*.js",
        "pages/views/**/*.js",
        "core/**/*.js",
        "core/export/*.html",
    ):
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
