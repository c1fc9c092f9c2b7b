"""Reader of tables with a class for every document; the result is one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from pathlib import Path

import numpy as np

from core.data.errors import DataError, MissingValuesError
from core.data.missing import WAYS, gap
from core.data.ranking_data import RankingData
from core.data.tables.class_column import ClassColumn
from core.data.tables.class_layout import ClassLayout, class_layout
from core.data.tables.missing_values import (
    MissingCells,
    complete_rows,
    filled_rows,
    is_missing,
    is_missing_class,
    listing,
)
from core.data.tables.table_cells import Block, read_block
from core.data.tables.table_options import TableOptions
from core.data.tables.table_text import CsvText, Row, of_width, read_csv

USUAL = TableOptions()


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A table with classes whose columns have their roles, ready to be read.

    Attributes
    ----------
    text : CsvText
    layout : ClassLayout
    options : TableOptions
    """

    text: CsvText = field(repr=False)
    layout: ClassLayout
    options: TableOptions

    @classmethod
    def of(cls, text: CsvText, options: TableOptions = USUAL) -> ClassTable:
        """Infer the roles of a table's columns."""
        return cls(text, class_layout(text, options), options)

    @cached_property
    def class_position(self) -> int:
        """Position of the class column among the columns that are not left out."""
        position = self.layout.decided(self.text.name)
        return position - sum(j < position for j in self.layout.left_out)

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns that are not left out."""
        return self._kept(self.layout.names)

    @cached_property
    def places(self) -> list[str]:
        """Names of these columns in error messages; without a header, with their number in the file if it differs."""
        if self.layout.headed or (self.layout.usual and not self.layout.left_out):
            return self.names
        return self._kept([f"{j} ({name})" for j, name in enumerate(self.layout.names, 1)])

    def rows(self) -> Iterator[Row]:
        """Yield line and cells of every row, without the columns that are left out.

        Raises
        ------
        DataError
            If a row has another number of fields than the first; the error names its line.
        """
        for line, cells in of_width(self._all_rows(), len(self.layout.names), self.text.name):
            yield line, self._kept(cells)

    def classes(self) -> ClassColumn:
        """Return the class of every document; rows without a class are skipped (reading the data reports them)."""
        position, n = self.class_position, len(self.layout.names)
        whole = ((line, self._kept(cells)) for line, cells in self._all_rows() if len(cells) == n)
        rows: Iterator[Row] = ((line, cells) for line, cells in whole if not is_missing_class(cells[position]))
        if self.options.missing == "drop":
            rows = complete_rows(rows, MissingCells(position))
        labels = [cells[position].strip() for _, cells in rows]
        return ClassColumn(labels, self.names[position], self.text.name)

    def _all_rows(self) -> Iterator[Row]:
        return self.text.header_and_rows()[2] if self.layout.headed else self.text.rows()

    @cached_property
    def _mask(self) -> list[bool]:
        left_out = frozenset(self.layout.left_out)
        return [j not in left_out for j in range(len(self.layout.names))]

    def _kept(self, cells: Sequence[str]) -> list[str]:
        return list(compress(cells, self._mask))


@dataclass(frozen=True, eq=False)
class ClassReading:
    """Ranking data read from a table, with notes on how it was read.

    Attributes
    ----------
    data : RankingData
    notes : tuple of str
        One sentence for everything that differs from a plain table of features with the class last.
    """

    data: RankingData
    notes: tuple[str, ...]


def read_bipartite_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    positive: str | None = None,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a CSV file with a class for every row, with or without a header, as one query; see `read_class_table`.

    Parameters
    ----------
    source : Path or bytes
    name : str, optional
        Name of the file in messages.
    positive : str, optional
        The class with relevance 1; all others get 0. Default: `ClassColumn.usual`.
    dtype : type
        float64 or float32.

    Raises
    ------
    DataError
        With line and column name, at the first thing that is wrong; or if there are not two classes.
    """
    return read_class_table(read_csv(source, name), TableOptions(positive), dtype).data


def read_class_table(text: CsvText, options: TableOptions, dtype: type[np.floating] = np.float64) -> ClassReading:
    """Read a table with a class for every row as one query.

    The class is in the last column unless another column has the name of a class column, or the last one cannot hold
    classes; see `core.data.tables.class_layout`.

    Returns
    -------
    ClassReading
        The query's id says which class is positive, e.g. ``"b-against-g"``; a document's id is its line.

    Raises
    ------
    DataError
        With line and column name, at the first thing that is wrong; or if there are not two classes.
    UndecidedColumnError
        If several columns may hold the classes.
    MissingValuesError
        If cells are missing and ``options.missing`` is None.
    """
    table = ClassTable.of(text, options)
    position = table.class_position
    if len(table.names) < 2:
        msg = "no feature is left besides the class; leave out fewer columns"
        raise DataError(msg, file=text.name)
    block, notes = _read(table)
    classes = ClassColumn(block.texts[table.places[position]], table.names[position], text.name)
    chosen = classes.positive(options.positive)
    data = RankingData.build(
        block.features,
        classes.relevance(chosen),
        [0, len(block.lines)],
        query_ids=[classes.query_id(chosen)],
        feature_names=[name for j, name in enumerate(table.names) if j != position],
        document_ids=[f"line {line}" for line in block.lines],
        dtype=dtype,
    )
    return ClassReading(data, (*_column_notes(table, classes), *text.notes, *notes, *_constant_notes(data)))


def _read(table: ClassTable) -> tuple[Block, list[str]]:
    """Convert the rows to numbers; also return notes on how missing cells were treated."""
    if table.options.missing is None:
        return _read_complete(table), []
    position, places = table.class_position, table.places
    found = MissingCells.of(table.rows(), position)
    rows = table.rows()
    if found.lacks_classes and table.options.missing != "drop":
        line = next(line for line, cells in rows if is_missing_class(cells[position]))
        msg = f"the class is missing, and cannot be filled in; {found.counted(table.names)}"
        raise MissingValuesError(msg, ways=("drop",), file=table.text.name, line=line, column=places[position])
    without = found.by_column.pop(position, 0)
    rows = (row for row in rows if not is_missing_class(row[1][position])) if without else rows
    filled = filled_rows(rows, dict.fromkeys(found.by_column, gap(np.dtype(np.float64))))
    notes = [f"The class is missing in {without:,} rows, which are left out."] if without else []
    return read_block(filled, places, [position], table.text), notes


def _read_complete(table: ClassTable) -> Block:
    """Convert the rows to numbers; a missing cell is an error."""
    position, places = table.class_position, table.places
    try:
        block = read_block(table.rows(), places, [position], table.text)
    except DataError as error:
        if _is_of_missing_cell(error, table):
            raise _missing(table, error.reason, error.line, error.column) from None
        raise
    for line, text in zip(block.lines, block.texts[places[position]], strict=True):
        if text == "?":
            raise _missing(table, "the class is ?", line, places[position])
    return block


def _is_of_missing_cell(error: DataError, table: ClassTable) -> bool:
    if error.line is None or error.column not in table.places:
        return False
    j = table.places.index(str(error.column))
    return any(line == error.line and is_missing(cells[j]) for line, cells in table.rows())


def _missing(table: ClassTable, reason: str, line: int | None, column: int | str | None) -> MissingValuesError:
    found = MissingCells.of(table.rows(), table.class_position)
    ways = ("drop",) if found.lacks_classes else WAYS
    out = "leave those rows out" + ("" if found.lacks_classes else ", or fill in 0 or their columns' medians")
    msg = f"{reason}; {found.counted(table.names)}; {out}"
    return MissingValuesError(msg, ways=ways, file=table.text.name, line=line, column=column)


def _column_notes(table: ClassTable, classes: ClassColumn) -> list[str]:
    layout = table.layout
    notes = []
    if not layout.usual and layout.class_position is not None:
        counts = ", ".join(f"{n} of {label}" for label, n in classes.counts.items())
        notes.append(f"{_capital(layout.told(layout.class_position))} has the classes: {counts}.")
    if layout.left_out:
        why = {c.position: "text" if c.has_words else "whole number" for c in layout.ids}
        notes += [
            f"{_capital(layout.told(j))} is left out"
            + (f": every row has a different {why[j]}, like an id." if j in why else ", as asked.")
            for j in layout.left_out
        ]
    notes += [
        f"{_capital(column.told)} looks like an id but is used as a feature; it can be left out."
        for column in layout.kept_ids
    ]
    return notes


def _constant_notes(data: RankingData) -> list[str]:
    """Name the features that have one value in all rows, if there are any."""
    constant = np.flatnonzero((data.features == data.features[0]).all(axis=0)).tolist()
    if not constant or data.n_documents == 1:
        return []
    names = listing([repr(data.feature_names[j]) for j in constant])
    if len(constant) == 1:
        return [f"Column {names} has the same value in every row, so it cannot rank; it can be left out."]
    told = f"{len(constant):,} columns have the same value in every row, so they cannot rank"
    return [f"{told}: {names}; they can be left out."]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
