"""The report put together: every table in each format, and a page that says how it was made.

The report's tables: the numbers of the results, every digit.
The page's text: everything is escaped, nothing is asked of another machine.

Files that are there whole or not at all.
"""

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.api import pictures
from core.experiments.results.comparison import READING
from core.experiments.results.printed_table import Entry, Table
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.experiments.run.cells import library_versions, protocol_version
from core.experiments.run.workers.workers import Failure
from core.export import protocol_tables as tables
from core.export.files import not_an_input, write_files, zip_of
from core.export.html_report import Section, html_report
from core.export.protocol_report import report_files
from core.export.table_formats import FORMATS, latex_table
from core.figures.picture import Picture
from tests.experiments.made_up import four_lines, line, result, run
from tests.says import assert_says

LINES = four_lines()
COMMAND = ["python", "-m", "core", "protocol", "my data", "--methods", "l1,log,fenchelrank,l2", "--out", "runs"]
MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def of(lines: list[MethodLine], reference: str | None = "l2") -> Run:
    return Run(*run(lines), {}, reference)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return report_files(of(LINES), [COMMAND], made=MADE)


def test_every_table_is_there_in_every_format(files: dict[str, bytes]) -> None:
    assert {"csv", "tex", "md"} <= set(FORMATS)
    names = {Path(name).stem for name in files if name.startswith("tables/")}
    assert names >= {"results", "folds", "table4-sparsity-ratio", "table5-map", "table6-ndcg10", "comparison", "time",
                     "features-MQ2008", "agreement-MQ2008", "reproduced-MQ2008-by-MAP", "published", "published-tests",
                     "cited", "fingerprints"}  # fmt: skip
    assert set(files) == {"report.html"} | {f"tables/{name}.{kind}" for name in names for kind in FORMATS}


def test_the_page_says_how_it_was_made(files: dict[str, bytes]) -> None:
    page = files["report.html"].decode()
    assert "python -m core protocol 'my data' --methods l1,log,fenchelrank,l2 --out runs" in unescape(page)
    assert "2026-01-02 03:04 UTC" in page
    assert protocol_version() in page
    assert all(f"{name} {version}" in page for name, version in library_versions().items())
    assert "letor4 convention" in page
    assert READING.split(". ")[0] in page
    assert "MQ20081t0000" in page  # a fingerprint


def test_plotly_is_in_the_page_once(files: dict[str, bytes]) -> None:
    page = files["report.html"].decode()
    assert len(re.findall(r"plotly\.js v\d", page)) == 1
    assert len(re.findall(r"Plotly\.newPlot\(", page.split("</head>")[1])) == 6


def test_pictures_say_what_those_of_a_notebook_say(files: dict[str, bytes]) -> None:
    page, made = files["report.html"].decode(), of(LINES)
    shown: tuple[Picture[Any], ...] = (
        *(pictures.protocol_tradeoff(made, measure=measure) for measure in ("MAP", "NDCG@10")),
        pictures.protocol_spider(made),
        pictures.protocol_time(made),
        pictures.protocol_agreement(made),
    )
    said = [json.loads(found) for found in re.findall(r'"meta":(\{.*?\})', page)]
    for picture in shown:
        words = picture.words(picture.found)
        assert {"title": words.title, "subtitle": words.subtitle} in said


def test_missing_cells_and_their_reasons_come_first() -> None:
    plan, results = run([LINES[0], line("log", {1: result(0.4, [1])}, n_folds=3)])
    cell = next(cell for cell in plan.cells if cell not in results)
    found = Run(plan, results, {cell: Failure("no <memory>", bad_data=False)}, None)
    text = report_files(found, [COMMAND])["report.html"].decode().split("</head>")[1]
    assert text.index("no &lt;memory&gt;") < text.index("Plotly.newPlot(")
    assert_says(text, "4 of 6 cells")
    assert [(row["fold"], row["method"], row["reason"]) for row in tables.missing_table(found).numbers] == [
        (2, "log", "no <memory>"),
        (3, "log", "not computed yet"),
    ]
    assert tables.missing_table(of(LINES)) is None


def test_before_anything_is_worked_out_there_is_a_page_all_the_same() -> None:
    plan, _ = run(LINES)
    files = report_files(Run(plan, {}, {}, "l2"), [COMMAND])
    assert "0 of 12 cells" in files["report.html"].decode()
    assert set(files) == {"report.html"} | {f"tables/{name}.{kind}" for name in ("missing", "fingerprints")
                                            for kind in FORMATS}  # fmt: skip


def test_a_single_method_has_nothing_to_be_compared_with() -> None:
    files = report_files(of(LINES[:1], None), [COMMAND])
    assert "tables/comparison.csv" not in files
    assert "tables/table5-map.tex" in files


def test_a_chosen_model_has_its_certificate_with_what_it_holds_among() -> None:
    plan, results = run([line("rwfs-l0", {1: result(0.4, [1]), 2: result(0.4, [1]), 3: result(0.4, [1])})])
    told = {"kind": "duality gap", "value": 0.1, "relative": 0.017, "unit": "F", "among": "on the surviving features"}
    for found, certificate in zip(results.values(), (told, told | {"among": ""}, None), strict=True):
        found.record["certificate"] = certificate
    table = tables.folds_table(Run(plan, results, {}, None))
    assert [(row["certificate"], row["certificate of"]) for row in table.numbers] == [
        (0.017, f"duality gap / F, {told['among']}"),
        (0.017, "duality gap / F"),
        (None, ""),
    ]
    assert_says(table.note, "gap", "among all models", "unless")


def test_the_comparison_names_its_reference() -> None:
    table = tables.comparison_table(of(LINES))
    assert table.head[3] == "against RankSVM ℓ2"
    assert {(number["method"], number["measure"]) for number in table.numbers} == {
        (label, measure) for label in ("l1", "log", "fenchelrank") for measure in ("MAP", "NDCG@10")
    }
    first = table.numbers[0]
    assert first["low"] <= first["difference"] <= first["high"]
    assert "one-sided" in table.note
    assert tables.comparison_table(of(LINES, None)) is None


def test_strong_features_are_asked_for_where_their_scores_are_known() -> None:
    single = {"MQ2008": {fold: [1.0 - 0.1 * j for j in range(10)] for fold in (1, 2, 3)}}
    table = tables.strong_table(of(LINES), "MQ2008", single)
    assert (table.numbers[0]["k"], table.numbers[0]["share"]) == (5, 1.0)
    assert tables.strong_table(of(LINES), "MQ2008", {}) is None


def test_no_table_needs_letters_beyond_ascii_in_latex() -> None:
    made = of(LINES)
    every = [tables.results_table(made), tables.folds_table(made), *tables.quality_tables(made)]
    for table in [*every, tables.comparison_table(made), tables.datasets_table(made)]:
        assert latex_table(table).isascii(), table.name


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
