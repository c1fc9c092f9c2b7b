"""The rows of a paper's table are methods of the protocol, by one name."""

from __future__ import annotations

import pytest

from core.experiments.papers.registry import EXPERIMENTS
from core.experiments.run.cells import MethodChoice
from core.experiments.run.presets import PRESETS, parse_rows
from core.methods import METHODS


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_labels_are_as_the_tables_of_a_run_have_them(preset) -> None:
    assert tuple(choice.label for choice in preset.choices) == preset.labels
    assert len(set(preset.labels)) == len(preset.labels)


def test_table_iii_differs_in_importance_alone() -> None:
    without, with_importance = (dict(choice.settings) for choice in parse_rows(["fsmrank-table3"])[:2])
    assert without.pop("importance") != with_importance.pop("importance")
    assert without == with_importance
    assert (without["lambda1"], without["similarity"]) == (0.0, 0.0)


def test_table_7_has_the_papers_five_sizes() -> None:
    rows = parse_rows(["fenchelrank-table7"])
    assert [dict(row.settings)["k"] for row in rows if row.method == "fs-rank"] == [5, 10, 15, 20, 25]


def test_presets_and_methods_stand_side_by_side_and_count_once() -> None:
    rows = parse_rows(["l2", "fenchelrank-table7", "fs-rank:k=5", "l1"])
    assert rows[0] == MethodChoice("l2")
    assert [row.label for row in rows[-2:]] == ["fenchelrank", "l1"]
    assert len(rows) == len(set(rows)) == 8


def test_no_preset_is_called_like_a_method_or_an_experiment() -> None:
    names = {preset.name for preset in PRESETS}
    assert len(names) == len(PRESETS)
    assert names.isdisjoint(method.id for method in METHODS)
    assert names.isdisjoint(experiment.name for experiment in EXPERIMENTS)


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(ValueError, match="fsmrank"):
        parse_rows(["fsmrank-table9"])
