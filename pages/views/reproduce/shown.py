"""What a run of the protocol has come to so far, out of the store that all runs of the app share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.experiments.results.comparison import Comparisons
from core.experiments.results.single_scores import SingleScores, training_scores
from core.experiments.results.summary import MethodLine
from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.place import default_store_path
from core.experiments.run.store.store import RunStore
from core.export.protocol_tables import Run

MOST_KNOWN = 20_000  # results, a few kB each


def compared(run: Run) -> Run:
    """The run with its comparisons, which take seconds: worked out once for all visitors."""
    key = (tuple(sorted(cell.key for cell in run.results)), tuple(run.titles), run.reference)
    return replace(run, given=_comparisons(run.lines, run.reference, key))


@st.cache_resource(max_entries=50, show_spinner="Resampling queries …")
def _comparisons(_lines: Sequence[MethodLine], _reference: str | None, key: object) -> Comparisons:
    return Comparisons.of(_lines, _reference)


def subtitle(run: Run) -> str:
    """Under every table and picture."""
    return f"Means over folds on test · {run.plan.choice_words} · {run.conventions} convention"


def single_scores(plan: Plan) -> SingleScores:
    """What every feature can do alone on the training parts; worked out once for all visitors."""
    return _single_scores(plan, tuple((cell.dataset, cell.fold, cell.fingerprints[0]) for cell in plan.cells))


@st.cache_resource(max_entries=20, show_spinner="Measuring every feature alone …")
def _single_scores(_plan: Plan, key: object) -> SingleScores:
    return training_scores(_plan)


def known_results(plan: Plan) -> dict[Cell, CellResult]:
    """Everything finished of a plan, by whichever run.

    Raises
    ------
    DataError
        If the store cannot be used.
    """
    if not default_store_path().is_file():
        return {}
    kept = _kept()
    with RunStore(default_store_path()) as store:
        finished = store.seconds(plan.cells)
        for cell in plan.cells:
            if cell.key in finished and _name(cell) not in kept and (result := store.result(cell)) is not None:
                kept[_name(cell)] = result
    while len(kept) > MOST_KNOWN:
        kept.pop(next(iter(kept)))
    return {cell: kept[_name(cell)] for cell in plan.cells if cell.key in finished and _name(cell) in kept}


@st.cache_resource(show_spinner=False)
def _kept() -> dict[tuple[str, str, int], CellResult]:
    """Results read from the store, which never change: for all sessions."""
    return {}


def _name(cell: Cell) -> tuple[str, str, int]:
    return cell.key, cell.dataset, cell.fold
