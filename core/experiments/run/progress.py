"""Progress of a run of the protocol, by dataset and method, with the time left, and how a terminal shows it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TextIO

from core.experiments.run.cells import Cell
from core.names.plain import visible
from core.work import duration


@dataclass(frozen=True)
class LineProgress:
    """Progress of one line of the table: a method on a dataset.

    Attributes
    ----------
    dataset, label : str
    done, failed, total : int
        Cells. Those that failed are not among those done.
    seconds_left : float or None
        Until all of its cells are done, if nothing else were; None where nothing tells yet.
    """

    dataset: str
    label: str
    done: int
    failed: int
    total: int
    seconds_left: float | None

    @property
    def complete(self) -> bool:
        """Whether none of its cells is left."""
        return self.done + self.failed >= self.total


@dataclass(frozen=True)
class Progress:
    """All lines, and the whole.

    Attributes
    ----------
    lines : tuple of LineProgress
    seconds_left : float or None
        With the workers there are.
    """

    lines: tuple[LineProgress, ...]
    seconds_left: float | None

    @property
    def done(self) -> int:
        """Cells that need no more work."""
        return sum(line.done + line.failed for line in self.lines)

    @property
    def total(self) -> int:
        """Number of all cells."""
        return sum(line.total for line in self.lines)

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.done / self.total if self.total else 1.0


def progress(cells: Sequence[Cell], seconds: Mapping[str, float], failed: Iterable[Cell], workers: int) -> Progress:
    """Where a run stands.

    A cell that is still to be done is taken to last as long as those of its line that are done; where there are none,
    as those of its method, and then as those of its dataset or of all, on average.

    Parameters
    ----------
    cells : sequence of Cell
    seconds : mapping
        How long every finished cell took, by key.
    failed : iterable of Cell
    workers : int
        Cells worked out at a time.
    """
    lines: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        lines.setdefault((cell.dataset, cell.choice.label), []).append(cell)
    known = [(cell.dataset, cell.choice.label, seconds[cell.key]) for cell in cells if cell.key in seconds]
    hopeless = {cell.key for cell in failed}

    def expected(dataset: str, label: str) -> float | None:
        for alike in (
            [spent for d, m, spent in known if (d, m) == (dataset, label)],
            [spent for _, m, spent in known if m == label],
            [spent for d, _, spent in known if d == dataset],
            [spent for _, _, spent in known],
        ):
            if alike:
                return mean(alike)
        return None

    shown, work = [], []
    for (dataset, label), line in lines.items():
        done = sum(cell.key in seconds for cell in line)
        lost = sum(cell.key in hopeless and cell.key not in seconds for cell in line)
        left, each = len(line) - done - lost, expected(dataset, label)
        work.append(0.0 if left == 0 else None if each is None else left * each)
        still = None if work[-1] is None else work[-1] / max(min(workers, left), 1)
        shown.append(LineProgress(dataset, label, done, lost, len(line), still))
    total = None if None in work else sum(filter(None, work)) / max(workers, 1)
    return Progress(tuple(shown), total)


def progress_sentence(found: Progress) -> str:
    """Say the progress in one line."""
    left = "" if found.done >= found.total else f", {duration(found.seconds_left)} left"
    return f"{found.done} of {found.total} cells{left}"


REDRAW_SECONDS = 0.2
_UP_AND_CLEAR = "\x1b[{}F\x1b[0J"


class ProgressWriter:
    """Shows how far a run is. Nothing is written where ``stream`` is None.

    Parameters
    ----------
    stream : text stream or None
        A terminal gets one line a dataset and method, redrawn; anything else a line whenever a cell is done.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._live = stream is not None and stream.isatty()
        self._drawn = 0
        self._last_done = -1
        self._last_time = 0.0

    def show(self, found: Progress) -> None:
        """Update what is shown."""
        if self._stream is None:
            return
        now = time.monotonic()
        changed = found.done != self._last_done
        if not changed and not (self._live and now - self._last_time >= REDRAW_SECONDS):
            return
        self._last_done, self._last_time = found.done, now
        if self._live:
            self._redraw(self._stream, found)
        else:
            self._stream.write(visible(progress_sentence(found)) + "\n")
        self._stream.flush()

    def _redraw(self, stream: TextIO, found: Progress) -> None:
        size = shutil.get_terminal_size()
        lines = [_line(line)[: size.columns - 1] for line in _most_telling(found, max(size.lines - 3, 1))]
        lines.append(progress_sentence(found)[: size.columns - 1])
        up = _UP_AND_CLEAR.format(self._drawn) if self._drawn else ""
        stream.write(up + "".join(f"{visible(line)}\n" for line in lines))
        self._drawn = len(lines)


def _most_telling(found: Progress, room: int) -> list[LineProgress]:
    """All lines where there is room; else those that are not complete, and the last complete ones before them."""
    lines = list(found.lines)
    complete = [line for line in lines if line.complete]
    while len(lines) > room and complete:
        lines.remove(complete.pop(0))
    return lines[:room]


def _line(line: LineProgress) -> str:
    bar = ("#" * line.done + "x" * line.failed).ljust(line.total, ".")
    left = "" if line.complete else f"{duration(line.seconds_left)} left"
    return f"{line.dataset:<16} {line.label:<20} {bar} {line.done} of {line.total}  {left}".rstrip()
