"""How much one file may hold: a small file can unpack to any size, and a short line can name a distant column.

With a limit of L bytes, a reader takes at most L bytes of text, 4 L bytes of numbers and L / 64 rows. Altogether it
needs less than `MEMORY_FACTOR` times L, whatever the file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.data.errors import DataError, refuse
from core.data.numbers import is_digits

VARIABLE = "SPARSE_RANK_LARGEST_FILE"
"""The environment variable that sets the limit, as ``500M`` or ``8G``."""
MEMORY_FACTOR = 12
"""Memory that reading takes at most, in units of the limit; see ``tests/data/files/test_limits.py``."""
MOST_COLUMNS = 1_000_000
_USUAL_FILE = 4 << 30
_USUAL_UPLOAD = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MOST_REPETITIVE = 400
_REPETITIVE_FROM = 64 << 20
_NUMBERS = 4
_BYTES_A_ROW = 64


@dataclass(frozen=True)
class Limits:
    """What one file may hold.

    Attributes
    ----------
    text : int
        Bytes of unpacked text.
    """

    text: int

    @classmethod
    def of(cls, source: Path | bytes) -> Limits:
        """Return the limits of a file, or of an upload, which may hold less; `VARIABLE`, a size, sets both."""
        said = os.environ.get(VARIABLE, "").strip().upper().removesuffix("B")
        if not said:
            return cls(_USUAL_UPLOAD if isinstance(source, bytes) else _USUAL_FILE)
        digits, unit = (said[:-1], said[-1]) if said[-1:] in _UNITS else (said, "")
        if not is_digits(digits) or int(digits) == 0:
            refuse(f"{VARIABLE} is {os.environ[VARIABLE]!r}; give a size such as 500M or 8G")
        return cls(int(digits) * _UNITS[unit])

    @property
    def rows(self) -> int:
        """Largest number of rows."""
        return max(self.text // _BYTES_A_ROW, 5000)

    @property
    def numbers(self) -> int:
        """Largest size of all numbers together, in bytes."""
        return _NUMBERS * self.text

    @property
    def of_numbers_as_objects(self) -> Limits:
        """The limits of numbers that become Python's objects, which take six times the memory."""
        return Limits(self.text // 6)

    @property
    def row(self) -> int:
        """Largest row of a table, in characters."""
        return min(max(self.text // 16, 1 << 16), 1 << 24)

    @property
    def json_element(self) -> int:
        """Largest element of a JSON text that is taken whole, in characters: its parts take up to twenty times that."""
        return min(max(self.text // 16, 1 << 16), 1 << 26)

    def check_text(self, unpacked: int, packed: int | None, name: str) -> None:
        """Refuse a text that is too large, or that unpacks to hundreds of times its size.

        Parameters
        ----------
        unpacked, packed : int
            Bytes of text, and of the packed file, so far; the latter None where it is not packed.
        name : str
            Name of the file in messages.
        """
        if unpacked > self.text:
            what = "the file is larger" if packed is None else "the file unpacks to more"
            refuse(f"{what} than {self._allowed(self.text)}", file=name)
        if packed is not None and unpacked > max(_REPETITIVE_FROM, _MOST_REPETITIVE * packed):
            msg = (
                f"the file unpacks to more than {_MOST_REPETITIVE} times its size, like files made to fill a "
                "computer; if you trust it, unpack it first"
            )
            raise DataError(msg, file=name)

    def check_rows(self, n_rows: int, name: str) -> None:
        """Refuse more rows than `rows`."""
        if n_rows > self.rows:
            msg = f"there are more than {self.rows:,} rows, the most for files of {self._allowed(self.text)}"
            raise DataError(msg, file=name)

    def check_numbers(self, n_numbers: int, name: str) -> None:
        """Refuse more numbers than fit in `numbers`, 8 bytes each."""
        if 8 * n_numbers > self.numbers:
            msg = f"{n_numbers:,} numbers would take {_size(8 * n_numbers)}, more than {self._allowed(self.numbers)}"
            raise DataError(msg, file=name)

    def _allowed(self, size: int) -> str:
        return f"{_size(size)}, which is the limit here ({VARIABLE}={_short(self.text)} in the environment sets it)"


def check_columns(n_columns: int, name: str, line: int | None = None) -> None:
    """Refuse a table that is wider than any method here can use."""
    if n_columns > MOST_COLUMNS:
        refuse(f"there are {n_columns:,} columns; at most {MOST_COLUMNS:,} can be read", file=name, line=line)


def _size(size: int) -> str:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:,.3g} {name}"
    return f"{size} bytes"


def _short(size: int) -> str:
    unit = next(unit for unit in ("T", "G", "M", "K", "") if size % _UNITS[unit] == 0 and size >= _UNITS[unit])
    return f"{size // _UNITS[unit]}{unit}"
