"""The benchmarks of large data compare equal answers; here at a small size, without a look at their times."""

from __future__ import annotations

import pytest

from benchmarks import growth, out_of_core, readers
from benchmarks.shapes import Shape


@pytest.mark.more
def test_readers_read_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "N_DOCUMENTS", 240)
    monkeypatch.setattr(readers, "ROUNDS", 1)
    report = readers.run(1)
    assert len(report.rows) == 5
    assert len(report.goals) == 3


def test_blocks_give_the_objective_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_core, "SHAPE", Shape(80, 12, 10, 3))
    monkeypatch.setattr(out_of_core, "ROUNDS", 1)
    monkeypatch.setattr(out_of_core, "_in_fresh_process", lambda _: 0)
    assert out_of_core.run(1).goals[-1].met


def test_growth_has_a_row_for_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "QUERIES", (5, 10))
    assert [row[0] for row in growth.run(1).rows] == [500, 1000]
