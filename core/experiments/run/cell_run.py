"""Computation of an experiment's cells, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Generic, Protocol, TypeVar

from core.data import DataError
from core.work import CountedWork


class TableCell(Protocol):
    """One entry of an experiment's table: plain, hashable, and everything that its outcome depends on."""

    @property
    def where(self) -> str:
        """The part of the table that it belongs to, for people; a part with unusable data is left out as a whole."""
        ...


CellType = TypeVar("CellType", bound=TableCell)
OutcomeType = TypeVar("OutcomeType")


class CellRun(CountedWork, Generic[CellType, OutcomeType]):
    """Work in steps of one cell. An outcome goes into ``known`` at once and is never computed again.

    Whoever stops and continues, or asks for a larger table later, therefore gets the table of an undisturbed run.

    Parameters
    ----------
    cells : sequence of TableCell
        In the order in which they are worked out.
    work : callable
        From a cell and what is known so far to its outcome. May raise `DataError`.
    known : mutable mapping
        Outcomes by cell, shared with others.

    Notes
    -----
    Parts and problems go by `TableCell.where`.
    """

    only_at_work = ("_work",)
    grows = ("cells",)

    def __init__(
        self,
        cells: Sequence[CellType],
        work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType],
        known: MutableMapping[CellType, OutcomeType],
    ) -> None:
        super().__init__()
        self.cells = list(cells)
        self._work, self._known = work, known

    @property
    def waiting(self) -> list[CellType]:
        """Cells that are still to be computed."""
        return [cell for cell in self.cells if cell not in self._known and cell.where not in self.problems]

    @property
    def total(self) -> int:
        """How many cells the table has."""
        return len(self.cells)

    @property
    def count(self) -> int:
        """How many are known or left out."""
        return self.total - len(self.waiting)

    def _step(self) -> None:
        """Work out one cell."""
        cell = self.waiting[0]
        self.now = cell.where
        try:
            self._known[cell] = self._work(cell, self._known)
        except DataError as error:
            self.problems[cell.where] = str(error)

    def finish(self) -> list[OutcomeType]:
        """Run until nothing is left, and return the outcomes."""
        while not self.done:
            self.advance()
        return self.outcomes()

    def outcomes(self) -> list[OutcomeType]:
        """Return the outcomes so far, in the order of the cells."""
        return [self._known[cell] for cell in self.cells if cell in self._known]
