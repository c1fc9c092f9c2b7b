"""The report put together: every table in each format, and a page that says how it was made."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from core.api import pictures
from core.experiments.results.comparison import READING
from core.experiments.results.run import Run
from core.experiments.run.versions import library_versions, protocol_version
from core.experiments.run.workers.workers import Failure
from core.export.protocol_report import report_files
from core.export.table_formats import FORMATS
from core.figures.picture import Picture
from tests.experiments.made_up import four_lines, line, result, run
from tests.says import assert_says

LINES = four_lines()
COMMAND = ["python", "-m", "core", "protocol", "my data", "--methods", "l1,log,fenchelrank,l2", "--out", "runs"]
MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    plan, results = run(LINES)
    return report_files(Run.of(plan, results, {}, "l2"), [COMMAND], made=MADE)


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
    page, made = files["report.html"].decode(), Run.of(*run(LINES), {}, "l2")
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
    some = line("log", {1: result(0.4, [1])}, n_folds=3)
    plan, results = run([LINES[0], some])
    cell = next(cell for cell in plan.cells if cell not in results)
    page = report_files(Run.of(plan, results, {cell: Failure("no <memory>", bad_data=False)}, None), [COMMAND])
    text = page["report.html"].decode().split("</head>")[1]
    assert text.index("no &lt;memory&gt;") < text.index("Plotly.newPlot(")
    assert_says(text, "4 of 6 cells")


def test_before_anything_is_worked_out_there_is_a_page_all_the_same() -> None:
    plan, _ = run(LINES)
    files = report_files(Run.of(plan, {}, {}, "l2"), [COMMAND])
    assert "12 cells" in files["report.html"].decode() or "0 of 12 cells" in files["report.html"].decode()
    assert set(files) == {"report.html"} | {f"tables/{name}.{kind}" for name in ("missing", "fingerprints")
                                            for kind in FORMATS}  # fmt: skip


def test_a_single_method_has_nothing_to_be_compared_with() -> None:
    plan, results = run(LINES[:1])
    files = report_files(Run.of(plan, results, {}, None), [COMMAND])
    assert "tables/comparison.csv" not in files
    assert "tables/table5-map.tex" in files
