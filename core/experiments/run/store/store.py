"""The run store: every finished cell of every run, in one SQLite file that several processes may share."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import socket
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from core.content import text_key
from core.experiments.run.cells import Cell, experiment_version
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.file import FILE_NAME, connect, damaged, plain_errors
from core.solvers import TracePoint
from core.values import plain, rebuilt


class TableCell(Protocol):
    """One entry of an experiment's table: plain, hashable, and everything that its outcome depends on."""

    @property
    def where(self) -> str:
        """The part of the table that it belongs to, for people."""
        ...


CellType = TypeVar("CellType", bound=TableCell)
OutcomeType = TypeVar("OutcomeType")


@dataclass(frozen=True)
class Piece(Generic[CellType, OutcomeType]):
    """A cell with what it takes to keep its outcome. It is found again for the same experiment, content and code."""

    experiment: str  # name of the experiment
    cell: CellType
    # A dataclass of plain values, tuples, mappings and dataclasses of such, with a field ``cell`` for the cell.
    outcome: type[OutcomeType]

    @property
    def where(self) -> str:
        """As of the cell."""
        return self.cell.where

    @property
    def key(self) -> str:
        """The digest of everything that the outcome depends on."""
        return text_key(self.experiment, experiment_version(), self.cell)

    def pack(self, outcome: Any) -> str:
        """Return an outcome, but for its cell, as JSON with every digit."""
        return json.dumps({name: value for name, value in vars(outcome).items() if name != "cell"}, default=plain)

    def unpack(self, text: str) -> OutcomeType:
        """Return the outcome that was packed."""
        types = get_type_hints(self.outcome)
        values: dict[str, Any] = {name: rebuilt(types[name], value) for name, value in json.loads(text).items()}
        return self.outcome(**values | {"cell": self.cell})


LEASE_SECONDS = 60.0
ABANDONED_SECONDS = 30 * 24 * 3600.0
AnyCell = Cell | Piece[Any, Any]
Claim = Literal["ours", "taken", "finished"]
_QUERIES, _DRAWN = "per_query", "drawn_tests"


def searches_of(store: Path, cell: Cell) -> Path | None:
    """Return the folder for the searches of an unfinished cell, so that a killed cell goes on from where it was.

    It is named by the cell's key, so a search of other code, data or settings is never found. Only methods that are
    solved by a search that is kept have such files (`core.methods.best_subset`).

    Parameters
    ----------
    store : Path
        The store's file, beside which they are. Where a machine does not see it, there are none: None.
    cell : Cell
    """
    return _searches(store) / cell.key if store.is_file() else None


def _searches(store: Path) -> Path:
    return store.with_suffix(".searches")


class RunStore:
    """Results by cell, claims on cells in progress, and beside the file what unfinished searches have reached.

    A result is written in one transaction once its cell is finished, and never changed. A claim keeps two processes
    from repeating each other's work. It lapses after `LEASE_SECONDS` without a heartbeat, and at once if its process is
    known to have ended. So a process that ends early loses only the cells it was working on. What a search has reached
    is deleted when its cell has a result, or when no process has continued the search for thirty days.

    Parameters
    ----------
    path : Path
        The file, or the folder of a file ``runs.sqlite``; created if missing.
    clock : callable
        Returns seconds since the epoch.

    Attributes
    ----------
    busy_seconds : float
        Time spent on reading and writing so far, including waiting for other processes.

    Raises
    ------
    DataError
        If the file is damaged, no run store, or of a newer version of this program.
    OSError
        If the place cannot be written.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path / FILE_NAME if path.suffix != Path(FILE_NAME).suffix else path
        self.owner = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:8]}"
        self.busy_seconds = 0.0
        self._clock = clock
        self._lock = threading.RLock()
        self._connection = connect(self.path)
        with suppress(OSError):
            for folder in _searches(self.path).iterdir():
                with suppress(OSError):
                    if time.time() - folder.stat().st_mtime > ABANDONED_SECONDS:
                        shutil.rmtree(folder)

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back all claims and close the file."""
        try:
            self.release()
        finally:
            self._connection.close()

    def result(self, cell: AnyCell) -> Any:
        """Return the result of a cell, a `CellResult` or a piece's outcome; None if there is none yet.

        Raises
        ------
        DataError
            If the stored result is damaged.
        """
        with self._reading() as database:
            row = database.execute("SELECT record, arrays, checksum FROM found WHERE key = ?", (cell.key,)).fetchone()
        if row is None:
            return None
        record, arrays, checksum = row
        if not isinstance(record, str) or not isinstance(arrays, bytes) or _checksum(record, arrays) != checksum:
            raise damaged(self.path)
        return cell.unpack(record) if isinstance(cell, Piece) else unpack(cell, record, arrays)

    def seconds(self, cells: Sequence[AnyCell]) -> dict[str, float]:
        """Return the seconds from start to end of those of these cells that are finished, by key; 0 for pieces."""
        wanted = {cell.key for cell in cells}
        with self._reading() as database:
            rows = database.execute("SELECT key, seconds FROM found").fetchall()
        return {key: seconds for key, seconds in rows if key in wanted}

    def claim(self, cell: AnyCell) -> Claim:
        """Claim a cell; the answer says whether it is ours, taken by another process, or finished."""
        now = self._clock()
        with self._writing() as database:
            if database.execute("SELECT 1 FROM found WHERE key = ?", (cell.key,)).fetchone():
                return "finished"
            row = database.execute("SELECT owner, until FROM claims WHERE key = ?", (cell.key,)).fetchone()
            if row is not None and row[0] != self.owner and row[1] > now and not _gone(row[0]):
                return "taken"
            database.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", (cell.key, self.owner, now + LEASE_SECONDS)
            )
        return "ours"

    def heartbeat(self) -> None:
        """Renew all claims."""
        with self._writing() as database:
            until = self._clock() + LEASE_SECONDS
            database.execute("UPDATE claims SET until = ? WHERE owner = ?", (until, self.owner))

    def put(self, cell: AnyCell, result: Any) -> None:
        """Store a finished cell. If another process was faster, its result stays."""
        record, arrays = (cell.pack(result), b"") if isinstance(cell, Piece) else pack(result)
        spent = 0.0 if isinstance(cell, Piece) else result.record["times"]["cell"]
        row = (cell.key, cell.where, spent, self._clock(), record, arrays, _checksum(record, arrays))
        with self._writing() as database:
            database.execute("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            database.execute("DELETE FROM claims WHERE key = ?", (cell.key,))
        with suppress(OSError):  # what cannot be deleted now is deleted as abandoned
            shutil.rmtree(_searches(self.path) / cell.key)
            _searches(self.path).rmdir()

    def release(self, cell: AnyCell | None = None) -> None:
        """Give back the claim on a cell, or all claims, without a result."""
        with self._writing() as database:
            if cell is None:
                database.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
            else:
                database.execute("DELETE FROM claims WHERE owner = ? AND key = ?", (self.owner, cell.key))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        begun = time.perf_counter()
        with self._lock, plain_errors(self.path):
            try:
                yield self._connection
            finally:
                self.busy_seconds += time.perf_counter() - begun

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that locks the file from its first statement on, so that what it reads stays true."""
        with self._reading() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise


def _gone(owner: str) -> bool:
    """Tell whether the process of that name is known to have ended; nothing is known of other machines."""
    host, process, _ = owner.rsplit("/", 2)
    if host != socket.gethostname() or os.name != "posix":  # elsewhere, asking a process may end it
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def pack(result: CellResult) -> tuple[str, bytes]:
    """Return JSON text of record and trace, and a compressed archive of model and queries."""
    archive = io.BytesIO()
    named = {f"{_QUERIES} {measure}": values for measure, values in result.per_query.items()}
    named |= {f"{_DRAWN} {measure}": values for measure, values in result.drawn_tests.items()}
    written = np.frombuffer(result.text.encode(), dtype=np.uint8)
    np.savez_compressed(archive, allow_pickle=False, weights=result.weights, text=written, drawn=result.drawn, **named)
    return json.dumps([result.record, plain(result.trace)]), archive.getvalue()


def unpack(cell: Cell, text: str, arrays: bytes) -> CellResult:
    """Return what was packed, under the cell's name: the same content may be known under another."""
    with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
        held = dict(archive)
    queries, again = (_named(held, kind) for kind in (_QUERIES, _DRAWN))
    (record, points), written = json.loads(text), held["text"].tobytes().decode()
    trace = rebuilt(tuple[TracePoint, ...], points)
    record |= {"dataset": cell.dataset, "fold": cell.fold}
    return CellResult(record, held["weights"], queries, trace, written, held["drawn"], again)


def _named(archive: Mapping[str, NDArray[Any]], kind: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a kind by their own names."""
    return {name.removeprefix(f"{kind} "): archive[name] for name in archive if name.startswith(f"{kind} ")}


def _checksum(text: str, arrays: bytes) -> str:
    return hashlib.sha256(text.encode() + b"\0" + arrays).hexdigest()
