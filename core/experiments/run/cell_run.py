"""An experiment as a table of cells, worked out one after the other: take the next or don't."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Generic, Protocol, TypeVar

from core.data import DataError


class Cell(Protocol):
    """One entry of an experiment's table: plain, hashable, and all that its outcome depends on."""

    @property
    def where(self) -> str:
        """The part of the table that it belongs to, for people; a part with unusable data is left out whole."""
        ...


CellType = TypeVar("CellType", bound=Cell)
OutcomeType = TypeVar("OutcomeType")


class CellRun(Generic[CellType, OutcomeType]):
    """Work in steps of one cell. An outcome goes into ``known`` at once and is never worked out again.

    Whoever stops and goes on, or asks for a larger table later, therefore gets the table of an undisturbed run.

    Parameters
    ----------
    cells : sequence of Cell
        In the order in which they are worked out.
    work : callable
        From a cell and what is known so far to its outcome. May raise `DataError`.
    known : mutable mapping
        Outcomes by cell, shared with others.

    Attributes
    ----------
    problems : dict of str to str
        By part of the table: why it could not be worked out.
    now : str
        The part under way.
    """

    def __init__(
        self,
        cells: Sequence[CellType],
        work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType],
        known: MutableMapping[CellType, OutcomeType],
    ) -> None:
        self.cells = tuple(cells)
        self.problems: dict[str, str] = {}
        self.now = ""
        self.seconds = 0.0
        self._work, self._known = work, known
        self._worked = 0

    @property
    def waiting(self) -> list[CellType]:
        """What is still to be worked out."""
        return [cell for cell in self.cells if cell not in self._known and cell.where not in self.problems]

    @property
    def done(self) -> bool:
        """Whether nothing is left to work out."""
        return not self.waiting

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return 1.0 - len(self.waiting) / len(self.cells) if self.cells else 1.0

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far; None before there is one."""
        return self.seconds / self._worked * len(self.waiting) if self._worked else None

    def advance(self) -> None:
        """Work out one cell."""
        waiting = self.waiting
        if not waiting:
            return
        cell, begun = waiting[0], time.perf_counter()
        self.now = cell.where
        try:
            self._known[cell] = self._work(cell, self._known)
        except DataError as error:
            self.problems[cell.where] = str(error)
        self.seconds += time.perf_counter() - begun
        self._worked += 1

    def extend(self) -> None:
        """There is no limit to raise."""

    def finish(self) -> list[OutcomeType]:
        """Run until nothing is left; the outcomes."""
        while not self.done:
            self.advance()
        return self.outcomes()

    def outcomes(self) -> list[OutcomeType]:
        """What is known so far, in the order of the cells."""
        return [self._known[cell] for cell in self.cells if cell in self._known]
