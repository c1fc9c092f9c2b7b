"""Nothing of an upload is on the disk once it is removed, its visit has ended, or its server has, however it ended.

The whole disk that the program may write on is looked through for values, labels and texts that only the upload has.
"""

import gzip
import io
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.experiments.run.store.file import default_store_path
from pages.shared import cache
from pages.shared.choice import access, upload_files
from pages.shared.choice.upload_files import KEPT
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import ended, fit, give, own_data, press, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

ROOT = Path(__file__).resolve().parents[4]
VALUE, TEXT = 0.7310585786300049, "onlyinthisupload"
LABELS = np.random.default_rng(7).integers(0, 2, 60)


def lines() -> bytes:
    """A file of queries whose every document has the marker as a value and in its name."""
    values = np.random.default_rng(8).normal(size=(60, 2))
    return "".join(
        f"{label} qid:{TEXT}{k // 6} 1:{VALUE!r} 2:{row[0] + label:.4f} 3:{row[1]:.4f} #docid = {TEXT}{k}\n"
        for k, (label, row) in enumerate(zip(LABELS, values, strict=True))
    ).encode()


MARKS = (
    TEXT.encode(), repr(VALUE).encode(), np.float64(VALUE).tobytes(), np.float32(VALUE).tobytes(),
    *(LABELS.astype(kind).tobytes() for kind in (np.int8, np.int32, np.int64, np.float32, np.float64)),
)  # fmt: skip


def contents(content: bytes) -> Iterator[bytes]:
    """The bytes of a file, and of everything that is packed in it."""
    yield content
    if content.startswith(b"\x1f\x8b"):
        yield from contents(gzip.decompress(content))
    elif zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield from contents(archive.read(name))
    elif content.startswith(b"SQLite format 3"):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.sqlite"
            copy.write_bytes(content)
            for line in sqlite3.connect(copy).execute("SELECT arrays FROM found"):
                yield from contents(line[0])


def left(folder: Path) -> list[str]:
    """The files of a folder that hold any of the marks."""
    held = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in held if any(mark in part for part in contents(path.read_bytes()) for mark in MARKS)]


@pytest.fixture(autouse=True)
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All places that the program may write on by itself."""
    for name in ("HOME", "TMPDIR", "SPARSE_RANK_HOME", "SPARSE_RANK_CACHE", "XDG_CACHE_HOME"):
        (tmp_path / "disk" / name).mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(name, str(tmp_path / "disk" / name))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "disk" / "TMPDIR"))
    cache.clear()
    return tmp_path / "disk"


def used(open_app: Open, *, fitted: bool) -> None:
    """Drop the file in, ``fitted`` with its path worked out, too, and begin to work on it in other processes."""
    app = open_app(method="l1")  # where nothing is worked out of the data of before
    give(app, ("mine.txt", lines()))
    name = app.selectbox(key="dataset").value
    assert name.startswith("mine.txt")
    if fitted:
        app.switch_page("pages/fit.py").run()
        fit(app)
        app.switch_page("pages/path.py").run()
        until(lambda: board().under_way == 0)
        app.run()
    app.switch_page("pages/reproduce.py").run()
    app.multiselect(key="reproduce_data").set_value([name]).run()
    assert app.button(key="reproduce_run")


def removed(open_app: Open, _: pytest.MonkeyPatch) -> None:
    press(own_data(open_app()), "upload_remove")


def visit_ended(_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    store = access.uploads()
    now = store._clock()
    monkeypatch.setattr(store, "_is_here", lambda _: False)
    store.sweep()
    assert left(Path(os.environ["SPARSE_RANK_CACHE"])), "a reload must find it"
    monkeypatch.setattr(store, "_clock", lambda: now + KEPT + 5)
    store.sweep()


def server_ended(*_: object) -> None:
    access.end_uploads()


@pytest.mark.parametrize("end", [removed, visit_ended, server_ended])
def test_nothing_is_left_when_it_is_removed_or_the_visit_or_the_server_ends(
    end: Callable[[Open, pytest.MonkeyPatch], None], open_app: Open, monkeypatch: pytest.MonkeyPatch, disk: Path
) -> None:
    used(open_app, fitted=end is removed)  # each end leads to the same listeners: test_upload_store.py
    assert any(entry.uploads for room in cache.ROOMS.values() for entry in room._entries.values())
    found = left(disk)
    assert [Path(path).name for path in found] == ["mine.txt"], "what other processes need, and nothing else"
    assert list((disk / "SPARSE_RANK_CACHE").rglob("*.json.gz")) == [], "its path"
    assert upload_files.copy_of(access.uploads().get(next(iter(access.uploads()._digests)))) == Path(found[0])
    end(open_app, monkeypatch)
    assert left(disk) == []
    assert access.uploads()._digests == set()
    assert not [task.key for task in board()._known._tasks.values() if task.uploads != {""}], (
        "nor is its work in memory"
    )
    made = [entry for room in cache.ROOMS.values() for entry in room._entries.values() if entry.uploads]
    assert not made, "nor what was made of it"


def test_finished_cells_of_an_upload_go_with_it(open_app: Open, disk: Path) -> None:
    app = open_app("reproduce", reproduce_methods="l1", reproduce_grid="5")
    give(app, ("mine.txt", lines()))
    name = app.selectbox(key="dataset").value
    app.multiselect(key="reproduce_data").set_value([name]).run()
    ended(press(app, "reproduce_run"), "reproduce_job")
    assert_says(" ".join(one.value for one in app.main.caption), "5 folds", "1 method", "all cells", "finished")
    assert not default_store_path().exists()
    assert len(list(disk.rglob("runs.sqlite"))) == 1
    press(own_data(app), "upload_remove")
    assert list(disk.rglob("runs.sqlite*")) == []
    assert left(disk) == []


SERVER = """
import os, sys
from pathlib import Path
from pages.shared.choice import upload_files
from pages.shared.choice.upload_files import Upload
upload_files.forget_left_behind()
copy = upload_files.copy_of(Upload("a" * 64, "mine.txt", b""))
copy.parent.mkdir(parents=True)
copy.write_bytes(sys.argv[1].encode())
print("ready", flush=True)
sys.stdin.read()
"""


def server() -> subprocess.Popen[bytes]:
    """Another process that puts an upload on the disk, and then says so."""
    return subprocess.Popen(
        [sys.executable, "-c", SERVER, TEXT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_the_next_server_clears_up_after_one_that_was_killed_and_leaves_those_that_live(disk: Path) -> None:
    killed, living = server(), server()
    try:
        for one in (killed, living):
            assert one.stdout.readline() == b"ready\n"
        assert len(left(disk)) == 2
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        upload_files.forget_left_behind()
        (kept,) = left(disk)
        assert Path(kept).parents[2].name.startswith(f"{living.pid}-")
    finally:
        killed.kill()
        living.communicate()
    assert living.returncode == 0
    assert left(disk) == [], "one that ends by itself leaves nothing"
    assert list((disk / "SPARSE_RANK_CACHE" / "uploads").iterdir()) == []


def test_the_server_looks_for_what_is_left_behind_when_it_starts(disk: Path) -> None:
    old = [
        disk / "SPARSE_RANK_HOME" / "uploads" / ("a" * 16) / "mine.txt",  # where older versions had them
        disk / "SPARSE_RANK_CACHE" / "uploads" / "1-dead" / "mine.txt",
    ]
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lines())
    access.uploads.clear()
    access.uploads()
    assert left(disk) == []
