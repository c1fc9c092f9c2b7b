"""Files that are made to fill a computer are refused in one sentence, within a stated multiple of the limit."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data import DataError
from core.data.files.file_content import read_content
from core.data.files.packed import MEMORY_FACTOR, VARIABLE, Limits
from core.data.letor.letor_format import read_letor
from core.data.single_file import open_file
from core.data.tables.table_format import read_table
from tests.data.conftest import memory_below

L = 3 << 20  # the smallest at which buffers of a fixed size no longer count


def packed(line: bytes, size: int, head: bytes = b"") -> bytes:
    """A gzip file that unpacks to about ``size`` bytes of one line, again and again."""
    block = line * max((1 << 19) // len(line), 1)
    return gzip.compress(head) + gzip.compress(block) * (size // len(block))  # members one after the other


def numbered(pattern: bytes, size: int, head: bytes = b"") -> bytes:
    """Lines that differ."""
    n = size // (len(pattern) + 4)
    return head + b"".join(pattern % k for k in range(n))


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a table": ("t.csv.gz", lambda: packed(b"0,1,0\n", 20 * L, b"a,b,class\n")),
    "a table just within": ("t.csv", lambda: numbered(b"%d" + b",12345678,1,2,3,4,5,6,7,8,9" * 2 + b",a\n", L - 100)),
    "many short rows": ("t.csv.gz", lambda: packed(b"1,a\n0,b\n", L - 100, b"a,class\n")),
    "as many short rows as may be": ("t.csv", lambda: b"a,class\n" + b"1,a\n0,b\n" * (L // 128 - 1)),
    "rows of words that differ": ("t.csv", lambda: numbered(b"x%d,y%d,1\n".replace(b"y%d", b"y"), L - 100, b"a,b,c\n")),
    "one endless row": ("t.csv.gz", lambda: packed(b"12,", L - 100)),
    "an open quote": ("t.csv.gz", lambda: packed(b'1,2\n', L - 100, b'a,class\n"')),
    "cells that are missing": ("t.csv.gz", lambda: packed(b"?,1,?,a\n", L - 100, b"a,b,c,class\n")),
    "LETOR lines": ("t.txt.gz", lambda: packed(b"0 qid:1 1:1\n", 20 * L)),
    "LETOR lines just within": ("t.txt", lambda: numbered(b"0 qid:1 1:1 2:2 3:3 4:4 5:5 6:6 7:7 80:0 # d%d\n", L // 2)),
    "a distant feature": ("t.txt.gz", lambda: packed(b"0 qid:1 1000000:1\n", L - 100)),
    "zeros": ("t.txt.gz", lambda: packed(b"\0" * 1000, 50 * L)),
    "one line": ("t.txt.gz", lambda: packed(b"1 ", L - 100)),
    "a gzip file inside": ("t.txt.gz", lambda: gzip.compress(packed(b"0" * 1000, 20 * L))),
}  # fmt: skip
IMPORTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "short qrels": ("q", lambda: numbered(b"1 0 %d 1\n", L // 4)),
    "an endless JSON array": ("l.json.gz", lambda: packed(b"[],", L - 100, b'{"hits": {"x": [')),
    "deep JSON": ("l.json.gz", lambda: packed(b'{"hits":', L - 100)),
    "a log of distant features": ("l.txt.gz", lambda: packed(b"0 qid:1 1000000:1 # docid = a\n", L - 100)),
    "rows of distant features": ("m.txt", lambda: numbered(b"1 %d:1\n", L - 100)),
}  # fmt: skip

READ = """
import resource, sys
from pathlib import Path
from core.data import DataError
from core.data.single_file import open_file, read_classes
from core.data.imports.importing import Import
from core.data.tables.table_options import TableOptions
from io import BytesIO

def attempt(kind, name, content):
    if kind == "import":
        qrels = ("qrels", b"1 0 a 0\\n") if name[0] == "l" else ("l", b"0 qid:1 1:1 # docid = a\\n")
        if name[0] == "m":
            qrels = ("m.query", b"1\\n")
        work = Import([(name, content), qrels], BytesIO())
        while not work.done:
            work.advance()
        return
    if name.startswith("t.csv"):
        read_classes(content, name)
        for way in ("drop", "median"):
            open_file(content, name, options=TableOptions(missing=way, positive="a"))
    open_file(content, name)

open_file(b"0 qid:1 1:1\\n1 qid:1 1:2\\n", "warm.txt")
open_file(b"a,class\\n1,x\\n2,y\\n", "warm.csv")
if sys.argv[1] == "import":
    for name, content in (("m.txt", b"1 1:1\\n"), ("q", b"1 0 a 1\\n"), ("l.json", b"{}")):
        try:
            attempt("import", name, content)
        except DataError:
            pass
for path in sys.argv[2:]:
    name = Path(path).name.partition("-")[2]
    content = Path(path).read_bytes()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    peak = lambda what: next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith(what)) << 10
    before = peak("VmRSS")
    try:
        attempt(sys.argv[1], name, content)
        said = "read"
    except DataError as error:
        said = str(error)
    print(peak("VmHWM") - before, said.replace("\\n", "|"), sep="\\t", flush=True)
"""


def measured(kind: str, files: dict[str, tuple[str, Callable[[], bytes]]], folder: Path) -> dict[str, tuple[int, str]]:
    """Peak of memory beyond what was there before, and what was said, for every file."""
    paths = [folder / f"{number}-{name}" for number, (name, _) in enumerate(files.values())]
    for path, (_, make) in zip(paths, files.values(), strict=True):
        path.write_bytes(make())
    env = {**os.environ, VARIABLE: str(L), "SPARSE_RANK_CACHE": str(folder / "cache"), "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(
        [sys.executable, "-c", READ, kind, *map(str, paths)], capture_output=True, text=True, env=env, timeout=300
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == len(paths)
    return {what: (int(peak), said) for what, (peak, said) in zip(files, lines, strict=True)}


@pytest.mark.more
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="this system does not tell a peak of memory")
@pytest.mark.parametrize(("kind", "files"), [("read", BOMBS), ("import", IMPORTS)], ids=["read", "import"])
def test_memory_is_a_multiple_of_the_limit_whatever_the_file(
    kind: str, files: dict[str, tuple[str, Callable[[], bytes]]], tmp_path: Path
) -> None:
    found = measured(kind, files, tmp_path)
    for what, (peak, said) in found.items():
        print(f"{what}: {peak / L:.1f} L: {said}")
    assert not {what: said for what, (_, said) in found.items() if "|" in said or not said}
    assert not {what: peak / L for what, (peak, _) in found.items() if peak > MEMORY_FACTOR * L}


def test_a_file_that_unpacks_to_hundreds_of_times_its_size_is_refused() -> None:
    bomb = packed(b"0,1,0\n", 100 << 20, b"a,b,class\n")
    with pytest.raises(DataError, match=r"\bunpacks\b.*\b400 times\b"):
        read_table(bomb, name="t.csv.gz")


def test_the_feature_that_makes_numbers_too_many_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1M")
    with pytest.raises(DataError, match=r"line 2, column 9: .*\b2 documents\b.*\b900,000\b.*\bindex 900000\b"):
        read_letor(b"0 qid:1 1:1\n1 qid:1 900000:1\n")


@pytest.mark.parametrize(("said", "size"), [("500M", 500 << 20), ("8G", 8 << 30), ("8gb", 8 << 30), ("70000", 70_000)])
def test_the_limit_is_set_by_the_environment(said: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    assert Limits.of(b"").text == Limits.of(Path("x")).text == size


@pytest.mark.parametrize("said", ["many", "-1", "0", "1.5G", "٣G"])
def test_a_limit_that_is_no_size_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(DataError, match=rf"\b{VARIABLE}\b.*\b500M\b.*\b8G\b"):
        Limits.of(b"")


@pytest.mark.parametrize("name", ["t.csv.gz", "t.txt.gz"])
def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_held(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = packed(b"0,1,0\n" if name == "t.csv.gz" else b"0 qid:1 1:1\n", 40 << 20)
    monkeypatch.setenv(VARIABLE, "32M")
    with memory_below(8 << 20), pytest.raises(DataError, match=rf"\bunpacks\b.*\b32 MiB\b.*\b{VARIABLE}=32M\b"):
        open_file(bomb, name)


def test_a_file_that_is_too_large_as_it_stands_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.txt"
    with path.open("wb") as file:
        file.write(b"0 qid:1 1:1\n" * 100_000)
        file.truncate(1 << 40)  # without blocks on the disk
    monkeypatch.setenv(VARIABLE, "32M")
    with memory_below(8 << 20), pytest.raises(DataError, match=r"\blarger\b.*\b32 MiB\b"):
        read_content(path, "t.txt")
    with pytest.raises(DataError, match=r"\blarger\b.*\b32 MiB\b"):
        read_content(b"0 qid:1 1:1\n" * (3 << 20), "t.txt")
