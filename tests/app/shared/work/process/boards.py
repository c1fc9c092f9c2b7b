"""Boards whose fits have a process of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pages.shared.work.board import JobBoard
from tests.app.fitting import until


@contextmanager
def process_board(workers: int = 2) -> Iterator[JobBoard]:
    """A board whose process is ready; the process ends with it."""
    board = JobBoard(lambda _: True, workers=workers, own_process=True)
    board.fits.start()
    until(lambda: board.fits.ready)
    try:
        yield board
    finally:
        board.close(5)
