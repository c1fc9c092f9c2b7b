"""How far long work is, for somebody who sits before a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from core.work import duration

if TYPE_CHECKING:  # to import them takes as long as a short command
    from core.methods import Fit
    from core.methods.method_run import MethodRun

T = TypeVar("T")
WAIT_SECONDS = 1.0  # between two looks


def shown_on_the_way(pieces: Iterable[T], n: int, what: str) -> Iterator[T]:
    """Yield all pieces of long work; where somebody sits before a terminal, show how far it is.

    Parameters
    ----------
    pieces : iterable
    n : int
        How many there are.
    what : str
        What has been done to them, as "features measured".
    """
    if not sys.stderr.isatty():
        yield from pieces
        return
    begun = shown = time.perf_counter()
    for number, piece in enumerate(pieces, 1):
        yield piece
        now = time.perf_counter()
        if now - shown > WAIT_SECONDS:
            shown = now
            left = duration((now - begun) * (n - number) / number)
            print(end=f"\r\033[K{number:,} of {n:,} {what}, {left} left", file=sys.stderr, flush=True)
    print(end="\r\033[K", file=sys.stderr, flush=True)


def shown_fit(run: MethodRun) -> Fit:
    """Finish a fit; where somebody sits before a terminal and it takes long, show how far it is."""
    watched, shown = sys.stderr.isatty(), time.perf_counter()
    while not run.done:
        run.advance()
        now = time.perf_counter()
        if watched and now - shown > WAIT_SECONDS:
            shown = now
            last = run.steps.trace[-1]
            words = f"step {last.step:,}, objective {last.objective:.6f}, {last.certificate.kind} "
            words += f"{last.certificate.relative:.1e} of {last.certificate.share_of}, {duration(last.seconds)}"
            print(end=f"\r\033[K{words}", file=sys.stderr, flush=True)
    if watched:
        print(end="\r\033[K", file=sys.stderr, flush=True)
    return run.fit()
