"""Workers on this machine: processes of this program, each with one cell and one thread.

``python -m core.experiments.run.workers.local_workers`` is such a process. Requests and answers are pickles on pipes
between this program and itself. It is not a process of `multiprocessing`, because that would run the main module again,
which in the app is a page.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, LifoQueue
from threading import Lock, Thread
from typing import BinaryIO

import psutil

import core
from core.experiments.run.cells import Cell
from core.experiments.run.plan import DatasetSource, Plan, opened_fold
from core.experiments.run.workers.workers import Failure, Lost, Outcome, QueuedWorkers, attempt, one_thread
from core.threads import thread_count

WORKER_BYTES = 300 * 2**20
"""Of a worker without data: the interpreter, numpy, scipy and the compiled kernels."""
COPIES = 3
"""A worker holds a fold, and at most about twice as much beside it: a block in float64, columns in another order."""
SHARE = 0.8
"""Of the free memory; the rest is for whatever else happens meanwhile."""
_CGROUPS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def worker_need(fold_bytes: int) -> int:
    """Bytes that a worker needs for folds whose features take up so many."""
    return WORKER_BYTES + COPIES * fold_bytes


def workers_that_fit(wanted: int, fold_bytes: int, free: int) -> int:
    """At most ``wanted``, at least 1: as many as have room side by side.

    Parameters
    ----------
    wanted : int
    fold_bytes : int
        Size of the features of the largest fold.
    free : int
        From `free_bytes`.
    """
    return max(1, min(wanted, int(SHARE * free) // worker_need(fold_bytes)))


def free_bytes() -> int:
    """Memory that is free for use, the limit of a container included."""
    machine: int = psutil.virtual_memory().available
    in_groups = (_group_free(*files) for files in _CGROUPS)
    return min([machine, *(free for free in in_groups if free is not None)])


def _group_free(limit: Path, used: Path) -> int | None:
    try:
        return max(int(limit.read_text()) - int(used.read_text()), 0)
    except (OSError, ValueError):  # no such group, or a limit of "max"
        return None


_PACKAGE_FOLDER = Path(core.__file__).resolve().parents[1]


class LocalWorkers(QueuedWorkers):
    """Runs as many processes as there are cores, limited by the memory.

    A process that dies (for example killed by the system for its memory) costs the cell it was computing; the next cell
    gets a new process.

    Parameters
    ----------
    plan : Plan
        Whose cells will be handed out.
    wanted : int, optional
        At most so many; by default one a core.
    """

    def __init__(self, plan: Plan, wanted: int | None = None) -> None:
        super().__init__()
        self.capacity = workers_that_fit(wanted or thread_count(), plan.fold_bytes, free_bytes())
        self._plan = plan
        self._threads: list[Thread] = []
        self._idle: LifoQueue[subprocess.Popen[bytes]] = LifoQueue()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """Of the processes there are."""
        with self._lock:
            return sorted(process.pid for process in self._processes)

    def submit(self, cell: Cell, store: Path | None = None) -> None:
        """Hand out a cell, to a process that is idle or to a new one."""
        asked = cell, self._plan.source(cell.dataset), None if store is None else str(store.absolute())
        # A daemon: the program can end while cells are in flight.
        thread = Thread(target=lambda: self._back.put((cell, self._ask(*asked))), name=cell.where, daemon=True)
        self._threads = [other for other in self._threads if other.is_alive()] + [thread]
        thread.start()

    def close(self) -> None:
        """End every process, whatever it is computing."""
        with self._lock:
            self._closed = True
            processes = list(self._processes)
        for process in processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in processes:
            _bury(process)

    def _ask(self, cell: Cell, source: DatasetSource, store: str | None) -> Outcome:
        try:
            message = pickle.dumps((cell, source, store))
            process = self._process()
        except OSError as error:
            return Failure(f"no worker could be started: {error}", bad_data=False)
        except (pickle.PicklingError, AttributeError, TypeError) as error:  # code was loaded anew under a running app
            return Failure(f"the cell could not be sent to a worker, so restart the program: {error}", bad_data=False)
        if process is None or process.stdin is None or process.stdout is None:
            return Lost()
        try:
            process.stdin.write(message)
            process.stdin.flush()
            outcome: Outcome = pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            with self._lock:
                self._processes.discard(process)
            process.kill()
            _bury(process)
            return Lost()
        self._idle.put(process)
        return outcome

    def _process(self) -> subprocess.Popen[bytes] | None:
        """Return an idle process, the last used first, or a new one."""
        with suppress(Empty):
            return self._idle.get_nowait()
        with self._lock:
            if self._closed:
                return None
            started = subprocess.Popen(
                [sys.executable, "-P", "-m", "core.experiments.run.workers.local_workers"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the run, which then lets its workers go
            )
            self._processes.add(started)
        return started


def _bury(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what could not be sent any more
                pipe.close()


def _environment() -> dict[str, str]:
    """Return an environment with one thread a process and this very package."""
    one = dict.fromkeys(("SPARSE_RANK_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = os.pathsep.join(filter(None, (str(_PACKAGE_FOLDER), os.environ.get("PYTHONPATH"))))
    return os.environ | one | {"PYTHONPATH": path}


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
