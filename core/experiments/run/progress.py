"""Progress of a run of the protocol, by dataset and method, with the time left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from core.experiments.run.cells import Cell
from core.work import duration


@dataclass(frozen=True)
class LineProgress:
    """Progress of one line of the table: a method on a dataset.

    Attributes
    ----------
    dataset, label : str
    done, failed, total : int
        Cells. Those that failed are not among those done.
    """

    dataset: str
    label: str
    done: int
    failed: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether none of its cells is left."""
        return self.done + self.failed >= self.total


@dataclass(frozen=True)
class Progress:
    """All lines, and the whole."""

    lines: tuple[LineProgress, ...]
    seconds_left: float | None  # with the workers there are

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
        shown.append(LineProgress(dataset, label, done, lost, len(line)))
    total = None if None in work else sum(filter(None, work)) / max(workers, 1)
    return Progress(tuple(shown), total)


def progress_sentence(found: Progress) -> str:
    """Say the progress in one line."""
    left = "" if found.done >= found.total else f", {duration(found.seconds_left)} left"
    return f"{found.done} of {found.total} cells{left}"
