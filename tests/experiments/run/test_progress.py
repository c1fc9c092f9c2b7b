"""What people see while they wait."""

from __future__ import annotations

import io

from core.experiments.run.plan import Plan
from core.experiments.run.progress import progress, progress_sentence
from core.experiments.run.progress_writer import ProgressWriter
from tests.says import assert_says


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_that_has_begun_is_judged_by_its_own_cells(plan: Plan) -> None:
    l1, log, _ = plan.cells[:3]
    found = progress(plan.cells, {l1.key: 10.0, log.key: 40.0}, [], workers=1)
    assert [line.label for line in found.lines] == ["l1", "log", "l2"]
    assert [line.seconds_left for line in found.lines] == [20.0, 80.0, 3 * 25.0]  # l2: as the others on average
    assert found.seconds_left == 175.0
    assert progress(plan.cells, {l1.key: 10.0, log.key: 40.0}, [], workers=7).seconds_left == 25.0
    assert (found.done, found.total) == (2, 9)


def test_what_failed_is_not_waited_for(plan: Plan) -> None:
    seconds = {cell.key: 1.0 for cell in plan.cells[3:]}
    found = progress(plan.cells, seconds, plan.cells[:3], workers=2)
    assert (found.done, found.seconds_left) == (9, 0.0)
    assert all((line.done, line.failed, line.complete) == (2, 1, True) for line in found.lines)


def test_before_the_first_cell_nothing_is_guessed(plan: Plan) -> None:
    found = progress(plan.cells, {}, [], workers=2)
    assert found.seconds_left is None
    assert_says(progress_sentence(found), "0 of 9 cells", "unknown")


def test_a_terminal_shows_every_line_and_draws_over_it(plan: Plan) -> None:
    stream = Terminal()
    writer = ProgressWriter(stream)
    writer.show(progress(plan.cells, {}, [], workers=2))
    writer.show(progress(plan.cells, {plan.cells[0].key: 2.0}, [], workers=2))
    first, second = stream.getvalue().split("\x1b[4F\x1b[0J")
    assert first.count("\n") == second.count("\n") == 4
    assert "three-folds" in second
    (begun,) = [row for row in second.splitlines() if "#.." in row]
    assert_says(begun, "#..", "1 of 3", "2 s")


def test_a_log_gets_a_line_whenever_a_cell_is_done(plan: Plan) -> None:
    stream = io.StringIO()
    writer = ProgressWriter(stream)
    for seconds in ({}, {}, {plan.cells[0].key: 2.0}, {plan.cells[0].key: 2.0}):
        writer.show(progress(plan.cells, seconds, [], workers=2))
    first, second, after = stream.getvalue().split("\n")
    assert_says(first, "0 of 9 cells", "unknown")
    assert_says(second, "1 of 9 cells", "8 s")
    assert after == ""
