"""Missing cells of a table: how they are recognised and counted, and how rows are left out or cells filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.data.tables.table_text import Row

_MARKS = frozenset({"", "?", "na", "n/a", "nan", "+nan", "-nan", "null", "none", r"\n"})
_CLASS_MARKS = frozenset({"", "?"})  # a class may well be called none
_LISTED = 5


def is_missing(cell: str) -> bool:
    """Tell whether a feature's cell is empty or a usual mark: ?, NA, n/a, NaN, null, none."""
    return cell.strip().lower() in _MARKS


def is_missing_class(cell: str) -> bool:
    """Tell whether a class cell is empty or a question mark."""
    return cell.strip() in _CLASS_MARKS


@dataclass
class MissingCells:
    """Counts of missing cells over the rows seen so far.

    Attributes
    ----------
    class_position : int
        Position of the class column.
    rows, incomplete_rows : int
        Number of all rows, and of rows with a missing cell.
    by_column : Counter of int
        Number of missing cells by the position of their column.
    """

    class_position: int
    rows: int = 0
    incomplete_rows: int = 0
    by_column: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, rows: Iterable[Row], class_position: int) -> MissingCells:
        """Count over all rows."""
        found = cls(class_position)
        for row in rows:
            found.note(row)
        return found

    def note(self, row: Row) -> bool:
        """Count one row; return whether it has a missing cell."""
        positions = missing_positions(row[1], self.class_position)
        self.rows += 1
        self.incomplete_rows += bool(positions)
        self.by_column.update(positions)
        return bool(positions)

    @property
    def lacks_classes(self) -> bool:
        """Whether a class is missing."""
        return self.by_column[self.class_position] > 0

    def counted(self, names: Sequence[str]) -> str:
        """Say how many cells are missing, and where."""
        total = self.by_column.total()
        cells = "1 cell is missing" if total == 1 else f"{total} cells are missing"
        return f"{cells} in {self.incomplete_rows} of {self.rows} rows ({self.columns(names)})"

    def columns(self, names: Sequence[str]) -> str:
        """List the columns with missing cells and their counts; the first few by name."""
        return listing([f"{names[j]}: {count}" for j, count in sorted(self.by_column.items()) if count])


def missing_positions(cells: Sequence[str], class_position: int) -> list[int]:
    """Return the positions of a row's missing cells."""
    return [j for j, cell in enumerate(cells) if (is_missing_class(cell) if j == class_position else is_missing(cell))]


def complete_rows(rows: Iterable[Row], found: MissingCells) -> Iterator[Row]:
    """Yield the rows without missing cells; all rows are counted in ``found``."""
    return (row for row in rows if not found.note(row))


def filled_rows(rows: Iterable[Row], fillings: dict[int, float]) -> Iterator[Row]:
    """Yield the rows with the missing cells of these columns filled in."""
    texts = {j: repr(value) for j, value in fillings.items()}
    for line, cells in rows:
        yield line, [texts[j] if j in texts and is_missing(cell) else cell for j, cell in enumerate(cells)]


def listing(texts: Sequence[str]) -> str:
    """List the first few texts, and how many more there are."""
    more = len(texts) - _LISTED
    return ", ".join(texts[:_LISTED]) + (f" and {more} more" if more > 0 else "")
