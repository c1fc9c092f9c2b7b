"""The examples that come with the program are runs of today's program."""

from __future__ import annotations

from typing import Any

import pytest

from core.experiments.papers.example import EXAMPLES, example_cells, example_outcomes, rounded
from core.experiments.papers.experiment import PaperExperiment
from core.figures.look.style import heading
from core.figures.papers.registry import PICTURES


@pytest.mark.parametrize("experiment", EXAMPLES, ids=lambda experiment: experiment.name)
def test_an_example_has_every_piece_and_can_be_drawn(experiment: PaperExperiment[Any, Any]) -> None:
    outcomes = example_outcomes(experiment.name)
    assert [outcome.cell for outcome in outcomes] == list(example_cells(experiment.name))
    assert all(table.rows for table in experiment.tables(outcomes))
    for draw in PICTURES[experiment.name].values():
        drawn = heading(draw(outcomes))
        assert drawn is not None
        assert "No fold" not in drawn.title


@pytest.mark.parametrize("experiment", EXAMPLES, ids=lambda experiment: experiment.name)
def test_a_piece_worked_out_anew_is_the_same_but_for_its_seconds(experiment: PaperExperiment[Any, Any]) -> None:
    cell, kept = example_cells(experiment.name)[0], example_outcomes(experiment.name)[0]
    today = rounded(experiment.pack(experiment.work(cell, {})))
    assert _timeless(today) == _close(_timeless(rounded(experiment.pack(kept))))


def test_an_experiment_without_an_example_has_no_outcomes() -> None:
    assert not example_outcomes("infinite-push-fig1")


def _timeless(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _timeless(value) for name, value in part.items() if name != "seconds"}
    return [_timeless(value) for value in part] if isinstance(part, list | tuple) else part


def _close(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _close(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_close(value) for value in part]
    return pytest.approx(part, rel=1e-4, abs=1e-6) if isinstance(part, float) else part
