"""No two files of the pages write the same key into the session or the address; what several use stands in keys.py."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from pages.shared import keys
from tests.sources import nodes_of

PAGES = Path(keys.__file__).parents[1]


def is_session(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("session_state", "query_params")


def keys_of(path: Path) -> set[str]:
    """The keys of the session, the address and of widgets that a file writes itself, as text or as its constants."""
    own, used = {}, list[ast.expr]()
    for node in nodes_of(path):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            own[node.targets[0].id] = node.value
        elif isinstance(node, ast.Subscript) and is_session(node.value):
            used.append(node.slice)
        elif isinstance(node, ast.Compare) and any(map(is_session, node.comparators)):
            used.append(node.left)
        elif isinstance(node, ast.Call):
            asks = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault")
            used += node.args[:1] if asks and is_session(node.func.value) else []  # type: ignore[attr-defined]
            used += [keyword.value for keyword in node.keywords if keyword.arg == "key"]
    values = [own.get(node.id, node) if isinstance(node, ast.Name) else node for node in used]
    return {node.value for node in values if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_two_files_write_the_same_key() -> None:
    users = defaultdict(list)
    for path in sorted(PAGES.rglob("*.py")):
        shared = {value for name, value in vars(keys).items() if name.isupper()} if path.name == "keys.py" else set()
        for key in keys_of(path) | shared:
            users[key].append(path.relative_to(PAGES).as_posix())
    assert len(users) > 100
    assert {key: files for key, files in users.items() if len(files) > 1} == {}
