"""The command under a run of the protocol asks for the grid of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.run.protocol import DEFAULT_POINTS
from core.option_types import GridSize, grid_size
from pages.views.reproduce.command import commands
from pages.views.reproduce.controls import ProtocolOptions
from tests.experiments.made_up import four_lines, run


@pytest.mark.parametrize("points", [5, DEFAULT_POINTS])
@pytest.mark.parametrize("widen", [False, True])
def test_a_grid_is_written_as_the_command_line_reads_it(points: int, widen: bool) -> None:
    plan, _ = run(four_lines())
    plan = replace(plan, points=points, widen=widen)
    wanted = ProtocolOptions((), plan.choices, points, "MAP", "best", DEFAULT_MARGIN, 1, "", 1, 0, widen)
    [words] = commands(plan, wanted, None)
    said = words[words.index("--grid") + 1] if "--grid" in words else str(DEFAULT_POINTS)
    assert grid_size(DEFAULT_POINTS)(said) == GridSize(points, widen)
