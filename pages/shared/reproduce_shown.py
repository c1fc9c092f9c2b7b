"""What a run of the protocol has come to so far, out of the store that all runs of the app share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.experiments.cells import Cell
from core.experiments.plan import Plan
from core.experiments.protocol import CellResult
from core.experiments.store import RunStore
from core.experiments.store_place import default_store_path
from core.experiments.summary import MethodLine, summarise
from core.experiments.titles import choice_titles
from core.experiments.workers import Failure

MOST_KNOWN = 20_000  # results, a few kB each


@dataclass(frozen=True, eq=False)
class Shown:
    """What there is to show of a plan.

    Attributes
    ----------
    plan : Plan
    results : mapping of Cell to CellResult
    problems : mapping of Cell to Failure
        What could not be worked out in this session.
    lines : tuple of MethodLine
    titles : dict of str to str
        A line's name for people, by its label.
    """

    plan: Plan
    results: Mapping[Cell, CellResult]
    problems: Mapping[Cell, Failure]
    lines: tuple[MethodLine, ...]
    titles: dict[str, str]

    @classmethod
    def of(cls, plan: Plan, results: Mapping[Cell, CellResult], problems: Mapping[Cell, Failure]) -> Shown:
        """With its lines."""
        return cls(plan, results, problems, summarise(plan, results), choice_titles(plan.choices))

    @property
    def subtitle(self) -> str:
        """Under every picture and table."""
        conventions = ", ".join(dict.fromkeys(dataset.convention for dataset in self.plan.datasets))
        return f"Means over folds on test · C chosen among {self.plan.points} by validation {self.plan.measure} · " \
               f"{conventions} convention"  # fmt: skip


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
