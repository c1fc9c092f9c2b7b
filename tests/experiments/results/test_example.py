"""The example that comes with the program is a run of today's program."""

from __future__ import annotations

import pytest

from core.experiments.results.example import DATASET, METHODS, example_lines, example_plan
from core.experiments.run.protocol import cell_result


def test_the_example_has_every_method_on_every_fold() -> None:
    lines = example_lines()
    assert [line.choice.label for line in lines] == list(METHODS)
    assert all(line.complete and line.n_folds == 5 for line in lines)


@pytest.mark.parametrize("method", METHODS)
def test_a_fold_worked_out_anew_has_the_same_measures(method: str) -> None:
    plan = example_plan()
    cell = next(cell for cell in plan.cells if cell.choice.label == method and cell.fold == 2)
    result = cell_result(cell, plan.source(DATASET).open().fold(2))
    kept = next(line for line in example_lines() if line.choice.label == method).results[2]
    assert kept.record["nonzero"] == result.record["nonzero"]
    assert kept.sparsity_ratio == pytest.approx(result.sparsity_ratio)
    for measure in ("MAP", "NDCG@10"):
        assert kept.test(measure) == pytest.approx(result.test(measure), abs=1e-5)
