"""The version of the code that a result depends on: of a module and all that it imports, found from the imports."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

TREE = Path(__file__).resolve().parents[1]
"""The folder of the package: a checkout, or where packages are installed."""


OWN = "core"
"""In imports from this package only the names count, because modules may move."""
_WORDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
_UNSAID = frozenset({"ctx", "kind", "type_comment", "type_ignores", "type_params"})
"""Fields of the syntax tree without meaning of their own, or missing in some versions of Python."""


def meanings(source: str | ast.Module) -> frozenset[str]:
    """Hash every statement of a module that does something, without docstrings, comments and layout.

    The set of hashes of a program stays the same when statements move between files, or files between folders. It
    changes when any statement does something else.

    Parameters
    ----------
    source : str or ast.Module
        Source code of a module, or its syntax tree.

    Raises
    ------
    SyntaxError
        If it is no valid Python.
    """
    module = ast.parse(source) if isinstance(source, str) else source
    return frozenset(hashlib.sha256(_tree(statement).encode()).hexdigest() for statement in _doing(module.body))


def _doing(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements without text such as docstrings; imports of our own with one name each."""
    return [single for statement in statements if not _is_text(statement) for single in _name_by_name(statement)]


def _name_by_name(statement: ast.stmt) -> list[ast.stmt]:
    if _is_own_import(statement):
        return [ast.ImportFrom(module=None, names=[name], level=0) for name in statement.names]
    return [statement]


def _is_own_import(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == OWN


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _tree(node: Any) -> str:
    """Write the syntax tree as text that does not depend on the version of Python."""
    if isinstance(node, list):
        return f"[{','.join(_tree(item) for item in node)}]"
    if not isinstance(node, ast.AST):
        return f"{type(node).__name__}:{node!r}"
    fields = {name: value for name, value in ast.iter_fields(node) if name not in _UNSAID and value not in (None, [])}
    if isinstance(node, _WORDS):
        fields["body"] = _doing(node.body)
    inside = ",".join(f"{name}={_tree(fields[name])}" for name in sorted(fields))
    return f"{type(node).__name__}({inside})"


@cache
def code_version(*modules: str, without: str = "", tree: Path = TREE) -> str:
    """Return the sha256 of what modules and everything that they import from this program do.

    It covers the meaning of the code (`meanings`), so that a result stays valid when code is explained, moved or laid
    out anew. It is computed once a process, because a process keeps running the code that it started with.

    Parameters
    ----------
    modules : str
        Such as ``"core.analysis.path"``.
    without : str
        A module that does not count, nor what is imported by it alone: a list of everything, of which a result needs
        one thing.
    tree : Path
        The folder that holds the package.

    Raises
    ------
    ModuleNotFoundError
        If there is no such module.
    """
    files = {path for module in modules for path in files_of(module, tree, without)}
    every: set[str] = set().union(*(_of_file(path)[0] for path in files))
    return hashlib.sha256("".join(sorted(every)).encode()).hexdigest()


def files_of(module: str, tree: Path = TREE, without: str = "") -> set[Path]:
    """Return the file of a module and of all that it imports from this program, at its top or inside a function.

    ``without`` is as for `code_version`.

    Raises
    ------
    ModuleNotFoundError
        If there is no such module.
    """
    waiting = list(_files(module, tree))
    if not waiting:
        msg = f"there is no module {module} in this program"
        raise ModuleNotFoundError(msg)
    found: set[Path] = set()
    unread = set(_files(without, tree))
    while waiting:
        path = waiting.pop()
        if path not in found | unread:
            found.add(path)
            waiting += (file for name in _of_file(path)[1] for file in _files(name, tree))
    return found


def _files(module: str, tree: Path) -> Iterator[Path]:
    """Yield the file of a module or package; nothing where the name is none, or of another program."""
    if module.partition(".")[0] == OWN:
        inner = tree.joinpath(*module.split("."))
        yield from (file for file in (inner.with_suffix(".py"), inner / "__init__.py") if file.is_file())
        package, _, name = module.rpartition(".")
        if home := _homes(inner.parent / "__init__.pyi").get(name):
            yield from _files(f"{package}.{home}", tree)


@cache
def _homes(stub: Path) -> dict[str, str]:
    """Return the modules of a package's names, which it loads when they are first used."""
    nodes = ast.walk(ast.parse(stub.read_text(encoding="utf-8"))) if stub.is_file() else ()
    return {alias.name: node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


@cache
def _of_file(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a file does, and the modules that it may import: of ``from a import b``, both a and a.b."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return meanings(module), frozenset(names)
