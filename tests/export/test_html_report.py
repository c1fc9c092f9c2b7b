"""The page's text: everything is escaped, nothing is asked of another machine.

Files that are there whole or not at all.
"""

from __future__ import annotations

import io
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core.experiments.results.printed_table import Entry, Table
from core.export.files import not_an_input, write_files, zip_of
from core.export.html_report import Section, html_report

VOID = {"meta", "link", "br"}
TABLE = Table(
    name="t",
    title="<Title>",
    note="p < 0.05 & so on",
    head=("method", "n"),
    rows=((Entry("<l1>"), Entry("1", "(2)", "best")), (Entry("log"), Entry("0", mark="worse"))),
    numbers=(),
    numeric=frozenset({1}),
)
SECTIONS = [
    Section("A & B", text=("<script>alert(1)</script>",), tables=(TABLE,), figures=("<figure>drawn</figure>",)),
    Section("How", code="python 'a b' <c>", folded=(TABLE,)),
]


class Reader(HTMLParser):
    """Notes tags and text; fails where an element is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(script: str = "") -> Reader:
    reader = Reader()
    reader.feed(html_report("T <x>", ["summary"], SECTIONS, script=script))
    return reader


def test_words_come_through_as_words() -> None:
    reader = read()
    assert reader.open == []
    assert "script" not in reader.tags
    assert {"<script>alert(1)</script>", "python 'a b' <c>", "<l1>", "<Title>", "T <x>"} <= set(reader.text)


def test_nothing_is_asked_of_another_machine() -> None:
    text = html_report("T", [], SECTIONS)
    assert all(address.startswith(("#", "data:")) for address in read().addresses)
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import|https?://", text)


def test_the_script_is_there_once_and_only_where_it_is_needed() -> None:
    assert html_report("T", [], SECTIONS, script="PLOT").count("PLOT") == 1
    assert "<script>" not in html_report("T", [], SECTIONS)


def test_the_best_is_bold_and_what_is_worse_is_marked() -> None:
    text = html_report("T", [], SECTIONS)
    assert '<td class="number"><b title="best">1</b> <small>(2)</small></td>' in text
    assert re.search(r'\b0<sup title="[^"]*significantly worse[^"]*">†</sup>', text)
    assert text.count("<details>") == 1


FILES = {"report.html": b"page", "tables/a.csv": b"a,b\n"}


def test_files_and_folders_are_made_and_nothing_else_is_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    paths = write_files(tmp_path, FILES)
    assert paths == [tmp_path / "report.html", tmp_path / "tables" / "a.csv"]
    assert [path.read_bytes() for path in paths] == list(FILES.values())
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.csv", "mine.txt", "report.html", "tables"]


def test_the_archive_has_the_same_files_and_the_same_bytes_every_time() -> None:
    archive = zip_of(FILES)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == FILES
    assert archive == zip_of(FILES)


def test_a_file_that_is_read_is_not_written_over_by_whatever_name(tmp_path: Path) -> None:
    read, link, other = tmp_path / "read.json", tmp_path / "link.json", tmp_path / "other.json"
    read.write_text("{}")
    link.symlink_to(read)
    for out in (read, link, tmp_path / "." / "read.json"):
        with pytest.raises(ValueError, match=rf"{re.escape(str(out))} .*input.*another"):
            not_an_input(out, [other, read])
    not_an_input(other, [other, read])
