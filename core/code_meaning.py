"""Hashes of the meaning of source code: they do not change with moves, docstrings, comments or layout."""

from __future__ import annotations

import ast
import hashlib
from typing import Any, TypeGuard

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
