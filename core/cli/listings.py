"""The commands ``datasets`` and ``methods``: what there is to choose from."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from core.cli.terminal import table_text


def datasets(options: Namespace) -> tuple[list[dict[str, Any]], str]:
    """List what can be opened, and what could be had. Returns the rows and the text."""
    from core.data.catalogue import KNOWN_SETS, catalogue

    rows: list[dict[str, Any]] = [
        {"name": entry.name, "title": entry.title, "folds": entry.n_folds, "state": entry.state}
        for entry in catalogue()
    ]
    sources = {known.name: (known.page, known.place) for known in KNOWN_SETS}
    absent = [row["name"] for row in rows if row["name"] in sources and row["folds"] == 0]
    lines = [table_text([row for row in rows if row["name"] not in absent])]
    for page, place in dict.fromkeys(sources[name] for name in absent):
        names = [name for name in absent if sources[name] == (page, place)]
        lines += [
            "",
            f"{', '.join(names)}:",
            f"  not here; get {'them' if len(names) > 1 else 'it'} from {page}",
            f"  and {place.format(name='NAME' if len(names) > 1 else names[0])}",
        ]
    return rows, "\n".join(lines)


def methods(options: Namespace) -> tuple[list[dict[str, Any]], str]:
    """List the methods. Returns the rows and the text."""
    from core.methods import METHODS

    rows: list[dict[str, Any]] = [
        {
            "id": method.id,
            "title": method.title,
            "source": method.source,
            "solvers": [solver.id for solver in method.solvers],
            "parameters": [
                {"name": p.name, "default": p.default, "minimum": p.minimum, "maximum": p.maximum, "help": p.help}
                | ({"choices": list(p.choices)} if p.choices else {})
                | ({"tried": list(p.tried)} if p.tried else {})
                for p in method.parameters
            ],
        }
        for method in METHODS
    ]
    shown = [
        {"id": row["id"], "title": row["title"], "solvers": ", ".join(row["solvers"])}
        | {"parameters": ", ".join(f"{p.name}={p.text(p.default)}" for p in method.parameters)}
        for row, method in zip(rows, METHODS, strict=True)
    ]
    return rows, table_text(shown)
