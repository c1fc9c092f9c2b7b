"""The reproduced table of the results is what the program comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.experiments.results.published.reproduced import reproduced_table
from core.experiments.results.summary import summarise
from core.experiments.run.cells import MethodChoice, choice_titles
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import cell_result
from tests.experiments.made_up import line, result
from tests.stand_ins import module_at

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results.md"

build_results = module_at(RESULTS.with_name("build_results.py"))

TABLES = {"MAP": 16, "NDCG@10": 5}
"""Rows of each table, by the measure that chose."""


def printed(measure: str = "MAP") -> dict[str, dict[str, str]]:
    """Rows of a table by method, cells by their heads."""
    begins = f"<!-- reproduced: MQ2008 by {measure} -->"
    block = RESULTS.read_text(encoding="utf-8").partition(begins)[2].partition("<!-- end")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line.startswith("|")
    ]
    return {cells[0]: dict(zip(rows[0], cells, strict=True)) for cells in rows[2:]}


def commands() -> dict[str, list[str]]:
    """The methods of the two commands, by the measure that chooses."""
    text = RESULTS.read_text(encoding="utf-8").partition("# Results: MQ2008")[2].partition("<!--")[0]
    lines = [line.split() for line in text.splitlines() if line.strip().startswith("sparse-ranking-lab protocol")]
    return {
        "NDCG@10" if "ndcg@10" in words else "MAP": words[words.index("--methods") + 1].split(",") for words in lines
    }


@pytest.mark.parametrize(("measure", "n_rows"), TABLES.items())
def test_a_table_has_a_row_for_every_method_of_its_command(measure: str, n_rows: int) -> None:
    titles = choice_titles(MethodChoice.parse(label) for label in commands()[measure])
    assert list(printed(measure)) == list(titles.values())
    assert len(titles) == n_rows


@pytest.mark.parametrize("measure", TABLES)
def test_published_columns_are_what_the_program_puts_beside_these_rows(measure: str) -> None:
    """Whatever ours comes to: settings, measure and letters follow from the row alone, marks from its choices."""
    folds = {fold: result(0.4, [1], chosen_by=measure) for fold in range(1, 6)}
    lines = [line(label, folds) for label in commands()[measure]]
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    assert table is not None
    theirs = {"method", "settings", *(head for head in table.head if head.endswith("published"))}
    expected = [{head: row[head] for head in row if head in theirs} for row in table.records()]
    unmarked = [
        {head: row[head].removesuffix(" within").removesuffix(" not") for head in row if head in theirs}
        for row in printed(measure).values()
    ]
    assert unmarked == expected
    assert table.note in RESULTS.read_text(encoding="utf-8")


@pytest.mark.more
def test_rows_of_the_table_come_out_again(shared_data: Path) -> None:
    source = DatasetSource(str(shared_data / "letor" / "MQ2008"))
    choices = [MethodChoice.parse(label) for label in ("l1", "log", "l2", "mcp:gamma=2")]
    plan = plan_protocol([source], choices)
    folds = {number: source.open().fold(number) for number in range(1, 6)}
    lines = summarise(plan, {cell: cell_result(cell, folds[cell.fold]) for cell in plan.cells})
    for found, title in zip(lines, choice_titles(choices).values(), strict=True):
        row = printed()[title]
        # Another processor may round a sum differently, and one query more or less in a mean of 784 is 0.001.
        for measure in ("MAP", "NDCG@10"):
            ours = found.measure(measure)
            expected = [float(x) for x in row[measure].split(" ± ")]
            assert [ours.mean, ours.deviation] == pytest.approx(expected, abs=1e-3)
        assert found.sparsity_ratio.mean == pytest.approx(float(row["sparsity ratio"].split(" ± ")[0]), abs=0.03)
