"""The registry as a table for the README."""

from __future__ import annotations

from core.methods.base import Method
from core.methods.registry import METHODS

_HEAD = "| id | method | solvers | parameters | source |\n|---|---|---|---|---|"


def markdown_table() -> str:
    """One row a method in the registry's order: id, title, solvers, parameters with defaults, authors."""
    return "\n".join([_HEAD, *map(_row, METHODS)])


def _row(method: Method) -> str:
    solvers = " ".join(f"`{solver.id}`" for solver in method.solvers)
    parameters = ", ".join(f"`{p.name}` {p.text(p.default)}" for p in method.parameters)
    authors = method.source.partition(")")[0] + ")"
    cells = (f"`{method.id}`", method.title, solvers, parameters, authors)
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
