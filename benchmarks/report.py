"""The report of a benchmark, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Cell = str | int | float


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    head : str
        With the unit, as the field of a JSON row, too.
    format : str
        A format specification, e.g. ``".2f"``; a column of texts has none. A text in a column of numbers ("-" for a
        missing one) is left as it is.
    """

    head: str
    format: str = ""

    def show(self, cell: Cell) -> str:
        """Format a cell; a text stays as it is."""
        return cell if isinstance(cell, str) else format(cell, self.format)


@dataclass(frozen=True)
class Goal:
    """A claim and whether this run bears it out."""

    claim: str
    measured: str
    met: bool

    def __str__(self) -> str:
        return f"Goal {'met' if self.met else 'NOT MET'}: {self.claim}; measured {self.measured}."


@dataclass(frozen=True)
class Report:
    """One table with what it was measured on, the goals it answers, and what a reader should know.

    Attributes
    ----------
    title : str
    setting : str
        Sizes, threads, repeats.
    columns : sequence of Column
    rows : sequence of sequences of cells, in the order of the columns
    goals : sequence of Goal
    notes : sequence of str
    """

    title: str
    setting: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = ()

    def text(self) -> str:
        """For a terminal: texts to the left, numbers (also a missing one among them) to the right."""
        shown = [[column.show(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]
        heads = [column.head for column in self.columns]
        align = [str.rjust if column.format else str.ljust for column in self.columns]
        widths = [max(len(line[c]) for line in [heads, *shown]) for c in range(len(heads))]
        lines = [
            "  ".join(pad(text, width) for pad, text, width in zip(align, line, widths, strict=True)).rstrip()
            for line in [heads, *shown]
        ]
        return "\n".join([self.title, self.setting, "", *lines, "", *map(str, self.goals), *self.notes])

    def record(self) -> dict[str, Any]:
        """For ``--json``: a row is an object, numbers as measured."""
        heads = [column.head for column in self.columns]
        return {
            "title": self.title,
            "setting": self.setting,
            "rows": [dict(zip(heads, row, strict=True)) for row in self.rows],
            "goals": [{"claim": goal.claim, "measured": goal.measured, "met": goal.met} for goal in self.goals],
            "notes": list(self.notes),
        }
