"""The file of a run store: opened if it is one, created if it is missing, refused if it is anything else.

An existing file is never overwritten. By default it stands in the user's own folder.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.data import DataError
from core.data.errors import refuse
from core.program import home

FILE_NAME = "runs.sqlite"
SCHEMA_VERSION = 4
"""Up to 3: a table for cells and one for pieces, of code of then, which is never asked for; they stay as they are."""
APPLICATION_ID = 0x53524C31  # "SRL1": an SQLite file of another program is not taken for a store
_BUSY_SECONDS = 60.0
_HEAD = b"SQLite format 3\0"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS found (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    seconds REAL NOT NULL,
    finished REAL NOT NULL,
    record TEXT NOT NULL,
    arrays BLOB NOT NULL,
    checksum TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    until REAL NOT NULL
)
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open the store at this path, or create it.

    Raises
    ------
    DataError
        If the file is damaged, no run store, or of a newer version of this program; it is left as it is.
    OSError
        If the file cannot be written.
    """
    _look_at(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with plain_errors(path):
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def damaged(path: Path) -> DataError:
    """Return the error for a file that can no longer be read."""
    return DataError(
        "this run store is damaged and has not been changed; move it away to start again, or restore a copy of it",
        file=path,
    )


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Convert SQLite's errors: a damaged file becomes a `DataError`, trouble with the disk an `OSError`.

    Raises
    ------
    DataError, OSError
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        if "decode" in str(error):  # damage in a text, which a later Python tells as the error below
            raise damaged(path) from error
        msg = (
            f"the run store {path} cannot be used: {error}; once that is fixed, the run continues from the finished "
            "cells"
        )
        raise OSError(msg) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(path) from error


def _look_at(path: Path) -> None:
    """Refuse a path that is plainly no store before SQLite touches it."""
    if path.is_dir():
        refuse("this is a folder, and a file for the run store is needed; give another place", file=path)
    if path.parent.exists() and not path.parent.is_dir():
        refuse("this is a file, and a folder for the run store is needed; give another place", file=path.parent)
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        head = file.read(len(_HEAD))
    if head != _HEAD:
        raise damaged(path)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version, application, tables = _facts(connection)
    if (tables or version) and application != APPLICATION_ID:
        refuse("this is a database of another program, not a run store; give another place", file=path)
    if version > SCHEMA_VERSION:
        refuse(
            f"this run store was written by a newer version of this program (its format is {version}, this one reads "
            f"{SCHEMA_VERSION}); update the program, or give another place",
            file=path,
        )
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise damaged(path)
    if version < SCHEMA_VERSION:
        _create(connection)
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")  # a finished cell survives a power cut


def _facts(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Read version, application and number of tables in one transaction: another process may create the file."""
    connection.execute("BEGIN")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    finally:
        connection.execute("ROLLBACK")
    return version, application, tables


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging, so that readers and a writer work at once.

    For this change SQLite does not wait by itself while another process uses the file.

    Raises
    ------
    sqlite3.OperationalError
        If another process uses the file for too long.
    """
    end = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def _create(connection: sqlite3.Connection) -> None:
    """Create the whole schema or nothing, even if other processes try the same."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def default_store_path() -> Path:
    """Return ``runs.sqlite`` in ``SPARSE_RANK_RUNS``, else in ``runs`` of the user's own folder.

    Results are no cache: what took hours does not belong in a place that a system cleans by itself.
    ``SPARSE_RANK_RUNS`` may also name the file.
    """
    chosen = os.environ.get("SPARSE_RANK_RUNS")
    if chosen:
        place = Path(chosen).expanduser()
        return place if place.suffix == Path(FILE_NAME).suffix else place / FILE_NAME
    return home() / "runs" / FILE_NAME
