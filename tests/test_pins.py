"""Versions are pinned once, in constraints.txt, and the hashes of their files beside them.

What SECURITY.md promises is held: each sentence names tests, and each of them is there.
"""

import ast
import re
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


SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def _is(name: str) -> bool:
    path, _, function = name.partition("::")
    file = ROOT / path
    if not (path.startswith("tests/") and function.startswith("test_") and file.is_file()):
        return False
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body)


def test_each_promise_is_held_by_a_test_that_is_there() -> None:
    promised = SECURITY.partition("\n## Promised\n")[2].partition("\n## ")[0]
    held = [re.findall("`(tests/[^`]+)`", promise) for promise in promised.split("\n- ")[1:]]
    assert len(held) > 20
    assert all(held), "a promise without a test"
    assert not [name for names in held for name in names if not _is(name)]
