"""A table as it is printed, and the numbers it is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

Mark = Literal["", "best", "worse"]
SIGNS: Mapping[Mark, str] = {"": "", "best": " ★", "worse": " ↓"}
"""Where neither bold nor a dagger can be had."""
LONGEST_LINE = 48  # characters
_NUMBER = re.compile(r"[<+−-]?\d[\d.,e+-]*( %)?|")


@dataclass(frozen=True)
class Entry:
    """A cell of a printed table.

    Attributes
    ----------
    text : str
        With as many digits as are printed.
    aside : str
        Smaller, behind it: the published value, a p-value.
    mark : {"", "best", "worse"}
        Best of its dataset, or significantly below the best.
    """

    text: str
    aside: str = ""
    mark: Mark = ""

    def marked(self, mark: Mark) -> Entry:
        """The same with this mark."""
        return replace(self, mark=mark)

    @property
    def plain(self) -> str:
        """In one line of text."""
        return " ".join(filter(None, [self.text, self.aside])) + SIGNS[self.mark]


@dataclass(frozen=True)
class Table:
    """A table for people and the numbers it is made of.

    Attributes
    ----------
    name : str
        Stem of its files.
    title, note : str
        What it shows, and how to read it.
    head : tuple of str
    rows : tuple of tuple of Entry
        The first entry of a row names it.
    numbers : tuple of dict
        Tidy: one row a number, every digit.
    numeric : frozenset of int
        Columns of numbers, which stand to the right.
    """

    name: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    numbers: tuple[dict[str, Any], ...]
    numeric: frozenset[int] = frozenset()

    @property
    def wide(self) -> frozenset[int]:
        """Columns of sentences, whose lines may be broken."""
        return frozenset(
            k for k in range(len(self.head)) if max((len(row[k].text) for row in self.rows), default=0) > LONGEST_LINE
        )

    def records(self) -> list[dict[str, str]]:
        """The printed table as plain text, by column; the best has a ★, what is significantly below it a ↓."""
        return [dict(zip(self.head, [entry.plain for entry in row], strict=True)) for row in self.rows]


class Grid(TypedDict):
    """Head and rows of a `Table`."""

    head: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


def grid(
    datasets: Sequence[str],
    labels: Sequence[str],
    titles: Mapping[str, str],
    entries: Mapping[tuple[str, str], Entry],
) -> Grid:
    """Datasets down and methods across as in the papers, or the other way where methods are more.

    Parameters
    ----------
    datasets, labels : sequence of str
        Labels of methods, whose ``titles`` are printed.
    titles : mapping
    entries : mapping
        By dataset and label; others are printed as –.
    """
    nothing = Entry("–")
    names = [titles.get(label, label) for label in labels]
    if len(labels) <= len(datasets):
        rows = [(Entry(dataset), *(entries.get((dataset, label), nothing) for label in labels)) for dataset in datasets]
        return Grid(head=("dataset", *names), rows=tuple(rows))
    rows = [
        (Entry(name), *(entries.get((dataset, label), nothing) for dataset in datasets))
        for label, name in zip(labels, names, strict=True)
    ]
    return Grid(head=("method", *datasets), rows=tuple(rows))


def plain_table(
    name: str,
    title: str,
    note: str,
    rows: Sequence[Mapping[str, Any]],
    numbers: Sequence[Mapping[str, Any]] | None = None,
) -> Table:
    """A table of these rows as they are, metrics with four digits.

    Parameters
    ----------
    name, title, note : str
    rows : sequence of mapping
        All with the same keys.
    numbers : sequence of mapping, optional
        The same with every digit; ``rows`` by default.
    """
    head = tuple(rows[0]) if rows else ()
    numeric = {k for k, column in enumerate(head) if all(_is_number(row[column]) for row in rows)}
    return Table(
        name=name,
        title=title,
        note=note,
        head=head,
        rows=tuple(tuple(Entry(_text(row[column])) for column in head) for row in rows),
        numbers=tuple(dict(row) for row in (rows if numbers is None else numbers)),
        numeric=frozenset(numeric),
    )


def _is_number(value: Any) -> bool:
    return _NUMBER.fullmatch(str(value)) is not None


def _text(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
