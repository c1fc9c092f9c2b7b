"""A run of the protocol that rests between Stop and Continue.

The command under a run of the protocol asks for the grid of the run.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.options import GridSize, grid_size
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import DEFAULT_POINTS
from pages.views.reproduce.controls import ProtocolOptions, commands
from pages.views.reproduce.run import RestingRun
from tests.experiments.made_up import four_lines, run
from tests.experiments.run.test_runner import Obedient


@pytest.fixture
def plan() -> Plan:
    return plan_protocol([DatasetSource("planted")], [MethodChoice("l1")], points=2)


def test_it_holds_workers_only_while_it_works_and_goes_on_from_its_store(tmp_path: Path, plan: Plan) -> None:
    hired: list[Obedient] = []

    def hire() -> Obedient:
        hired.append(Obedient())
        return hired[-1]

    run = RestingRun(plan, tmp_path, hire)
    assert not hired
    run.advance()
    share = run.share
    assert 0.0 < share < 1.0
    run.rest()
    assert hired[0].closed
    assert run.share == share
    while not run.done:
        run.advance()
    run.rest()
    assert sum(len(workers.asked) for workers in hired) <= len(plan.cells) + hired[0].capacity
    assert (len(hired), run.share) == (2, 1.0)


@pytest.mark.parametrize("points", [5, DEFAULT_POINTS])
@pytest.mark.parametrize("widen", [False, True])
def test_a_grid_is_written_as_the_command_line_reads_it(points: int, widen: bool) -> None:
    plan, _ = run(four_lines())
    plan = replace(plan, points=points, widen=widen)
    wanted = ProtocolOptions(
        datasets=(), choices=plan.choices, points=points, margin=DEFAULT_MARGIN, workers=1, dask="", widen=widen
    )
    [words] = commands(plan, wanted, None)
    said = words[words.index("--grid") + 1] if "--grid" in words else str(DEFAULT_POINTS)
    assert grid_size(DEFAULT_POINTS)(said) == GridSize(points, widen)
