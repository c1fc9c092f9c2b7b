"""What a run of the protocol has come to so far, out of the store that all runs of the app share."""

from __future__ import annotations

from dataclasses import replace

from core.experiments.results.comparison import Comparisons
from core.experiments.results.run import Run
from core.experiments.results.single_scores import SingleScores, TrainingScores
from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.store import RunStore
from pages.shared.cache import Results, kept
from pages.shared.work.stepwise import at_once
from pages.views.reproduce.data import place_of


def compared(run: Run) -> Run:
    """The run with its comparisons, which take seconds: worked out once for all visitors."""
    of = (sorted((*_name(cell), cell.choice.label) for cell in run.results if not cell.draw), run.titles, run.reference)
    found = kept("comparisons", of, lambda: Comparisons.of(run.lines, run.reference), says="Resampling queries …")
    return replace(run, given=found)


def single_scores(plan: Plan) -> SingleScores:
    """What every feature can do alone on the training parts, shared by all visitors."""
    return at_once(TrainingScores.of(plan))


def known_results(plan: Plan) -> dict[Cell, CellResult]:
    """Everything finished of a plan, by whichever run.

    Raises
    ------
    DataError
        If the store cannot be used.
    """
    place = place_of(plan)
    if not place.is_file():
        return {}
    read = Results("cells of runs")
    known: dict[Cell, CellResult] = {}
    with RunStore(place) as store:
        finished = store.seconds(plan.cells)
        for cell in plan.cells:
            if cell.key not in finished:
                continue
            result = read.get(_name(cell))
            if result is None and (result := store.result(cell)) is not None:
                read[_name(cell)] = result
            if result is not None:
                known[cell] = result
    return known


def _name(cell: Cell) -> tuple[str, str, int]:
    return cell.key, cell.dataset, cell.fold
