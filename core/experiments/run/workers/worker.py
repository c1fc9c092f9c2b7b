"""``python -m core.experiments.run.workers.worker``: a process that computes cells on request over its standard input.

Requests and answers are pickles on pipes between this program and itself. It is not a process of `multiprocessing`,
because that would run the main module again, which in the app is a page.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import warnings
from functools import partial
from typing import BinaryIO

from core.experiments.run.plan import opened_fold
from core.experiments.run.workers.workers import attempt, one_thread


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, each of a cell, its dataset source and the path of the store, until there are no more."""
    while True:
        try:
            cell, source, store = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(attempt(cell, partial(opened_fold, source, cell.fold), store), answers)
        answers.flush()


def _end_with(parent: int) -> None:
    """End this process when its parent has ended, as its cells would be lost."""
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(1.0)
    os._exit(1)


def main() -> None:
    """Serve on the standard streams; all other output goes to the standard error."""
    warnings.simplefilter("ignore", RuntimeWarning)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    one_thread()
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
