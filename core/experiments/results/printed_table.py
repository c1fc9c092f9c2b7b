"""A table as text for people, with the numbers behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Mark = Literal["", "best", "worse"]
SIGNS: Mapping[Mark, str] = {"": "", "best": " ★", "worse": " ↓"}
"""Signs in plain text, in place of bold type and daggers."""
LONGEST_LINE = 48  # characters
_NUMBER = re.compile(r"[<+−-]?\d[\d.,e+-]*( %)?|")


@dataclass(frozen=True)
class Entry:
    """A cell of a printed table."""

    text: str  # the text, with as many digits as are printed
    aside: str = ""  # smaller text behind it, such as the published value or a p-value
    mark: Mark = ""  # whether it is the best of its dataset, or significantly below the best

    def marked(self, mark: Mark) -> Entry:
        """Return the entry with this mark."""
        return replace(self, mark=mark)

    @property
    def plain(self) -> str:
        """The entry as one line of text."""
        return " ".join(filter(None, [self.text, self.aside])) + SIGNS[self.mark]


@dataclass(frozen=True)
class Table:
    """A table for people, with the numbers behind it."""

    name: str  # stem of its files
    # title, note: its content, and how to read it
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]  # the first entry of a row names it
    numbers: tuple[dict[str, Any], ...]  # the same in tidy form: one row a number, with every digit
    numeric: frozenset[int] = frozenset()  # columns of numbers, which are aligned to the right

    @property
    def wide(self) -> frozenset[int]:
        """Columns of sentences, whose lines may wrap."""
        return frozenset(
            k for k in range(len(self.head)) if max((len(row[k].text) for row in self.rows), default=0) > LONGEST_LINE
        )

    def records(self) -> list[dict[str, str]]:
        """Return the printed table as plain text by column; ★ marks the best, ↓ what is significantly below it."""
        return [dict(zip(self.head, [entry.plain for entry in row], strict=True)) for row in self.rows]


def grid(
    datasets: Sequence[str],
    labels: Sequence[str],
    titles: Mapping[str, str],
    entries: Mapping[tuple[str, str], Entry],
) -> dict[str, Any]:
    """Return head and rows of a `Table`: datasets as rows, methods as columns, or transposed if those are more.

    Parameters
    ----------
    datasets, labels : sequence of str
        Datasets, and labels of methods (their ``titles`` are printed).
    titles : mapping
    entries : mapping
        Entries by dataset and label; missing ones are printed as –.
    """
    nothing = Entry("–")
    names = [titles.get(label, label) for label in labels]
    if len(labels) <= len(datasets):
        rows = [(Entry(dataset), *(entries.get((dataset, label), nothing) for label in labels)) for dataset in datasets]
        return {"head": ("dataset", *names), "rows": tuple(rows)}
    rows = [
        (Entry(name), *(entries.get((dataset, label), nothing) for dataset in datasets))
        for label, name in zip(labels, names, strict=True)
    ]
    return {"head": ("method", *datasets), "rows": tuple(rows)}


def plain_table(
    name: str,
    title: str,
    note: str,
    rows: Sequence[Mapping[str, Any]],
    numbers: Sequence[Mapping[str, Any]] | None = None,
) -> Table:
    """Make a table of these rows, metrics with four digits.

    Parameters
    ----------
    name, title, note : str
    rows : sequence of mapping
        Rows with the same keys.
    numbers : sequence of mapping, optional
        The rows with every digit; ``rows`` by default.
    """
    head = tuple(rows[0]) if rows else ()
    numeric = {k for k, column in enumerate(head) if all(_NUMBER.fullmatch(str(row[column])) for row in rows)}
    return Table(
        name=name,
        title=title,
        note=note,
        head=head,
        rows=tuple(tuple(Entry(_text(row[column])) for column in head) for row in rows),
        numbers=tuple(dict(row) for row in (rows if numbers is None else numbers)),
        numeric=frozenset(numeric),
    )


def _text(value: Any) -> str:
    return "–" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
