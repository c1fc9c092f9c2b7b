"""The table of caches in the documentation is that of the code: what, by which key, within which bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.sources import nodes_of

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "docs" / "reference" / "caches.md"
Row = tuple[str, str, str]
"""Name, key and bound."""
_BOUNDS = {"single": "one", "cache": "unbounded", "cached": "results"}


def rows_of_code() -> set[Row]:
    """All caches of the program."""
    return {row for path in sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")]) for row in _rows(path)}


def _rows(path: Path) -> Iterator[Row]:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                name, options = _called(decorator)
                if name in ("cached", "single", "cache", "lru_cache"):
                    key = ", ".join(one.arg for one in node.args.args) or "none"
                    bound = options.get("room") or options.get("maxsize") or _BOUNDS[name]
                    age = f", {options['seconds']} s" if "seconds" in options else ""
                    yield f"{module}.{node.name}", key, bound + age
        elif isinstance(node, ast.Call):
            name = _name_of(node)
            if (
                name in ("Results", "DiskCache") or (name == "kept" and len(node.args) == 3)
            ) and module != "pages.shared.cache":
                bound = "disk" if name == "DiskCache" else "results"
                yield f"{module}: {ast.unparse(node.args[0])}", _key_of(name, node), bound


def _called(node: ast.expr) -> tuple[str, dict[str, str]]:
    """The name of what is called, and its options as they are written."""
    given = {one.arg or "": ast.unparse(one.value).strip("'") for one in getattr(node, "keywords", [])}
    return _name_of(node), given


def _name_of(node: ast.expr) -> str:
    function = node.func if isinstance(node, ast.Call) else node
    return function.id if isinstance(function, ast.Name) else ""


def _key_of(name: str, node: ast.Call) -> str:
    return ast.unparse(node.args[1]) if name == "kept" else "name"


def rows_of_table() -> dict[Row, str]:
    """The table's rows, with what it says of each."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0].startswith("`"):
            name, key, bound = (cell.strip("`") for cell in cells[:3])
            found[name, key, bound] = cells[3]
    return found


def test_the_table_of_caches_is_that_of_the_code() -> None:
    table, code = rows_of_table(), rows_of_code()
    missing = "\n".join(f"| `{name}` | `{key}` | {bound} | … |" for name, key, bound in sorted(code - {*table}))
    assert not missing, f"not in {TABLE.name}:\n{missing}"
    assert not {*table} - code
    assert all(len(words.split()) > 2 and "…" not in words for words in table.values())


def test_no_page_has_a_cache_of_streamlits() -> None:
    assert not [path for path in ROOT.glob("pages/**/*.py") if re.search(r"\bst\.cache_", path.read_text())]
