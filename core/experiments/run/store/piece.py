"""A piece: one cell of an experiment outside the protocol, as the run store keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, get_type_hints

from core.content import text_key
from core.experiments.run.versions import experiment_version
from core.values import plain, rebuilt


class TableCell(Protocol):
    """One entry of an experiment's table: plain, hashable, and everything that its outcome depends on."""

    @property
    def where(self) -> str:
        """The part of the table that it belongs to, for people."""
        ...


CellType = TypeVar("CellType", bound=TableCell)
OutcomeType = TypeVar("OutcomeType")


@dataclass(frozen=True)
class Piece(Generic[CellType, OutcomeType]):
    """A cell with what it takes to keep its outcome. It is found again for the same experiment, content and code.

    Attributes
    ----------
    experiment : str
        Name of the experiment.
    cell : TableCell
    outcome : type
        A dataclass of plain values, tuples, mappings and dataclasses of such, with a field ``cell`` for the cell.
    """

    experiment: str
    cell: CellType
    outcome: type[OutcomeType]

    @property
    def where(self) -> str:
        """As of the cell."""
        return self.cell.where

    @property
    def key(self) -> str:
        """The digest of everything that the outcome depends on."""
        return text_key(self.experiment, experiment_version(), self.cell)

    def pack(self, outcome: Any) -> str:
        """Return an outcome, but for its cell, as JSON with every digit."""
        return json.dumps({name: value for name, value in vars(outcome).items() if name != "cell"}, default=plain)

    def unpack(self, text: str) -> OutcomeType:
        """Return the outcome that was packed."""
        types = get_type_hints(self.outcome)
        values: dict[str, Any] = {name: rebuilt(types[name], value) for name, value in json.loads(text).items()}
        return self.outcome(**values | {"cell": self.cell})
