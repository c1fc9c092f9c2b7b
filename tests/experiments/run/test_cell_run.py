"""A table worked out cell by cell: stopping, going on and asking for more never change what is in it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.data import DataError
from core.experiments.run.cell_run import CellRun
from tests.test_work import Square

CELLS = tuple(map(Square, range(5)))


def square(cell: Square, known: Mapping[Square, int]) -> int:
    return cell.number**2


def test_every_cell_is_worked_out_in_its_order() -> None:
    run = CellRun(CELLS, square, {})
    assert run.seconds_left is None
    run.advance()
    assert (run.outcomes(), run.share, run.done) == ([0], pytest.approx(0.2), False)
    assert run.finish() == [0, 1, 4, 9, 16]
    assert (run.share, run.done, run.seconds_left) == (1.0, True, 0.0)


def test_what_was_known_is_not_worked_out_again_by_a_later_and_larger_run() -> None:
    known: dict[Square, int] = {}
    stopped = CellRun(CELLS[:4], square, known)
    stopped.advance()
    stopped.advance()
    worked = []

    def watched(cell: Square, before: Mapping[Square, int]) -> int:
        worked.append(cell.number)
        return square(cell, before)

    assert CellRun(CELLS, watched, known).finish() == [0, 1, 4, 9, 16]
    assert worked == [2, 3, 4]


def test_a_part_with_unusable_data_is_left_out_whole_and_says_why() -> None:
    tried = []

    def refuse_odd(cell: Square, known: Mapping[Square, int]) -> int:
        tried.append(cell.number)
        if cell.where == "odd":
            msg = "too odd"
            raise DataError(msg)
        return square(cell, known)

    run = CellRun(CELLS, refuse_odd, {})
    assert run.finish() == [0, 4, 16]
    assert run.problems == {"odd": "too odd"}
    assert tried == [0, 1, 2, 4]
