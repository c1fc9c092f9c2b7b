"""README's reproduced table is what the program comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.experiments.cells import MethodChoice
from core.experiments.plan import DatasetSource, plan_protocol
from core.experiments.protocol import work_out
from core.experiments.summary import summarise

README = Path(__file__).resolve().parents[2] / "README.md"


def printed() -> dict[str, list[str]]:
    """Rows of the table by method."""
    block = README.read_text(encoding="utf-8").partition("<!-- reproduced: MQ2008 -->")[2].partition("<!-- end")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line.startswith("|")
    ]
    return {name: cells for name, *cells in rows[2:]}


def test_the_table_has_a_row_for_every_method_of_its_command() -> None:
    text = README.read_text(encoding="utf-8").partition("## Reproduced: MQ2008")[2]
    methods = text.partition("--methods ")[2].split()[0].split(",")
    assert len(printed()) == len(methods) == 13


@pytest.mark.slow
def test_rows_of_the_table_come_out_again(shared_data: Path) -> None:
    source = DatasetSource(str(shared_data / "letor" / "MQ2008"))
    choices = [MethodChoice("l1"), MethodChoice("log"), MethodChoice("l2")]
    plan = plan_protocol([source], choices)
    folds = {number: source.open().fold(number) for number in range(1, 6)}
    lines = summarise(plan, {cell: work_out(cell, folds[cell.fold]) for cell in plan.cells})
    for line, title in zip(lines, ("RankSVM ℓ1", "RankSVM log", "RankSVM ℓ2"), strict=True):
        row = printed()[title]
        # Another processor may round a sum differently, and one query more or less in a mean of 784 is 0.001.
        for found, text in ((line.measure("MAP"), row[0]), (line.measure("NDCG@10"), row[2])):
            assert [found.mean, found.deviation] == pytest.approx([float(x) for x in text.split(" ± ")], abs=1e-3)
        assert line.sparsity_ratio.mean == pytest.approx(float(row[4].split(" ± ")[0]), abs=0.03)
