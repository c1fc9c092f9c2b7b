"""What several files know of the session stands in one file: no name is written twice, and none is misspelt."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.shared import keys

PAGES = Path(keys.__file__).parents[1]
FILES = sorted(path for path in PAGES.rglob("*.py") if path.name != "keys.py")
NAMES = {value for name, value in vars(keys).items() if name.isupper()}
OF_THE_SESSION = ("session_state", "query_params")


def _is_session(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in OF_THE_SESSION


def session_keys(tree: ast.AST) -> Iterator[ast.expr]:
    """Every expression that names something in the session or the address."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and _is_session(node.value):
            yield node.slice
        elif isinstance(node, ast.Compare) and any(map(_is_session, node.comparators)):
            yield node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asks = node.func.attr in ("get", "pop", "setdefault") and _is_session(node.func.value)
            yield from node.args[:1] if asks else []


def widget_keys(tree: ast.AST) -> Iterator[ast.expr]:
    """Every expression that is the key of a widget or container."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "key")


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def own_names(tree: ast.Module) -> dict[str, str]:
    """The text constants of a file."""
    return {
        target.id: value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and (value := literal(statement.value)) is not None
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def keys_of(source: str) -> set[str]:
    """The keys that a file writes itself, as text or as constants of its own."""
    tree = ast.parse(source)
    own = own_names(tree)
    used = [*session_keys(tree), *widget_keys(tree)]
    return {text for node in used if (text := literal(node)) is not None} | {
        own[node.id] for node in used if isinstance(node, ast.Name) and node.id in own
    }


def raw_session_keys(source: str) -> list[str]:
    return [text for node in session_keys(ast.parse(source)) if (text := literal(node)) is not None]


def test_the_session_is_asked_by_constants_and_the_shared_ones_stand_in_one_file() -> None:
    sources = {path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8") for path in FILES}
    unnamed = {name: found for name, source in sources.items() if (found := raw_session_keys(source))}
    assert not unnamed, "name them: constants of that file, or of keys.py if another file uses them"
    twice = {name: found for name, source in sources.items() if (found := keys_of(source) & NAMES)}
    assert not twice, "keys.py has them"


def test_no_two_files_write_the_same_key() -> None:
    users = defaultdict(list)
    for path in FILES:
        for key in keys_of(path.read_text(encoding="utf-8")):
            users[key].append(path.relative_to(PAGES).as_posix())
    assert {key: files for key, files in users.items() if len(files) > 1} == {}


def test_the_shared_names_differ() -> None:
    assert len(NAMES) == len([name for name in vars(keys) if name.isupper()])


@pytest.mark.parametrize(
    "source",
    [
        'st.session_state["job"]', 'st.session_state.get("job", 1)', 'st.session_state.pop("job")',
        '"job" in st.session_state', 'st.session_state["job"] = 1', 'st.query_params["job"]',
    ],
)  # fmt: skip
def test_the_rule_sees_every_way_to_ask(source: str) -> None:
    assert raw_session_keys(source) == ["job"]
    assert keys_of(source) == {"job"}


def test_the_rule_sees_keys_of_widgets_and_constants() -> None:
    assert keys_of('MINE = "a"\nst.button("b", key=MINE)\nst.toggle("c", key="d")') == {"a", "d"}
