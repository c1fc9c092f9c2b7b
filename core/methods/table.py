"""The registry as a Markdown table for the README."""

from __future__ import annotations

from core.methods.base import Method
from core.methods.registry import METHODS

BEGINS, ENDS = "<!-- methods:", "<!-- end of methods -->"
_HEAD = "| id | method | solvers | parameters | source |\n|---|---|---|---|---|"


def markdown_table() -> str:
    """Write one row a method in the registry's order: id, title, solvers, parameters with defaults, authors."""
    return "\n".join([_HEAD, *map(_row, METHODS)])


def with_table(text: str) -> str:
    """The text with the table between its marks: the line that begins with `BEGINS`, and `ENDS`.

    Raises
    ------
    ValueError
        If the marks are not there, once each and in this order.
    """
    before, begins, rest = text.partition(BEGINS)
    words, _, old_and_after = rest.partition("\n")
    _, ends, after = old_and_after.partition(ENDS)
    if not ends or BEGINS in rest or ENDS in after:
        msg = f"the table of methods stands between one line that begins with {BEGINS!r} and one {ENDS!r}; add both"
        raise ValueError(msg)
    return f"{before}{begins}{words}\n{markdown_table()}\n{ends}{after}"


def _row(method: Method) -> str:
    solvers = " ".join(f"`{solver.id}`" for solver in method.solvers)
    parameters = ", ".join(f"`{p.name}` {p.text(p.default)}" for p in method.parameters)
    before, year, _ = method.source.partition(")")
    authors = before + year
    cells = (f"`{method.id}`", method.title, solvers, parameters, authors)
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
