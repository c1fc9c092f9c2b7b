"""What SECURITY.md promises is held: each sentence names tests, and each of them is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
SECTIONS = ("Password", "Class", "Foreign pages", "Files and names", "Log", "Health and metrics", "Uploads", "Caches")
_HELD = re.compile(r"(?P<sentence>.+?)\. \((?P<tests>`[^`]+`(?:, `[^`]+`)*)\)")
_ANOTHER = re.compile(r"[.!?]\)? [A-Z]")


def problems(text: str) -> Iterator[str]:
    """What is wrong with the promises of a text."""
    promised = text.partition("\n## Promised\n")[2].partition("\n## ")[0]
    for section in SECTIONS:
        if f"\n### {section}\n" not in promised:
            yield f"there is no section {section}"
    blocks = [" ".join(block.split()) for block in re.split(r"\n(?=- )|\n\s*\n|\n(?=###)", promised)]
    for block in filter(None, blocks):
        held = _HELD.fullmatch(block.removeprefix("- "))
        if block.startswith("### "):
            continue
        if not block.startswith("- ") or held is None or _ANOTHER.search(held["sentence"]):
            yield f"this is not one sentence and its tests: {block}"
        else:
            yield from (f"there is no test {name}" for name in re.findall("`([^`]+)`", held["tests"]) if not _is(name))


def _is(name: str) -> bool:
    path, _, function = name.partition("::")
    file = ROOT / path
    if not (path.startswith("tests/") and function.startswith("test_") and file.is_file()):
        return False
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body)


def test_each_promise_is_held_by_a_test_that_is_there() -> None:
    assert not list(problems(TEXT))
    assert TEXT.count("\n- ") > 20


def test_a_promise_without_a_test_is_found() -> None:
    held = "`tests/test_security.py::test_a_promise_without_a_test_is_found`"
    good = (
        "\n## Promised\n"
        + "".join(f"\n### {name}\n\n- All is\n  well. ({held})\n" for name in SECTIONS)
        + "\n## Not\n- x"
    )
    assert not list(problems(good))
    for bad in (
        good.replace(held, held.replace("found`", "lost`"), 1),
        good.replace(held, held.replace("test_security.py", "none.py"), 1),
        good.replace(f" ({held})", "", 1),
        good.replace("All is", "All is.\n  It is", 1),
        good.replace("- All", "All", 1),
        good.replace("### Caches", "### Other"),
    ):
        assert len(list(problems(bad))) == 1, bad
