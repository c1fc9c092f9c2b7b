"""Versions are pinned once, in constraints.txt, and the hashes of their files beside them.

What SECURITY.md promises is held: each sentence names tests, and each of them is there.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.stand_ins import module_at

ROOT = Path(__file__).resolve().parents[1]
HASHES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".ci" / "hashes").glob("*.txt")}


newest = module_at(ROOT / ".ci" / "newest.py")
PINNED = newest.pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))


def test_hashes_are_those_of_the_versions_that_are_pinned() -> None:
    hashed = [newest.pins(text) for text in HASHES.values()]
    assert {name: version for pins in hashed for name, version in pins.items()} == PINNED
    assert sum(map(len, hashed)) == len(PINNED), "a package stands in one of the files"
    for text in HASHES.values():
        packages = re.split(r"\n(?=\S)", text.strip())[1:]
        assert all(package.startswith("-r ") or "--hash=sha256:" in package for package in packages)
        assert "://" not in text, "no address of an index"


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
