"""Progress on a stream: a redrawn table in a terminal, otherwise a line now and then."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from core.experiments.run.progress import LineProgress, Progress, progress_sentence
from core.names.plain import visible
from core.work import duration

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
