"""The formats of exported tables. A new one is a file with a function, and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from core.experiments.results.printed_table import Entry, Table
from core.export.csv_tables import csv_text
from core.export.latex import latex_table

_ESCAPES = str.maketrans({"|": r"\|", "\n": " ", "<": "&lt;", ">": "&gt;", "*": r"\*", "_": r"\_", "`": r"\`"})


def markdown_table(table: Table) -> str:
    """Return the table with its title above and its note below; the best in bold, † where significantly worse."""
    lines = [f"**{_escaped(table.title)}**", "", _row([_escaped(name) for name in table.head])]
    lines.append(_row(["--:" if k in table.numeric else "---" for k in range(len(table.head))]))
    lines += [_row([_entry(entry) for entry in row]) for row in table.rows]
    return "\n".join([*lines, "", _escaped(table.note), ""])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _entry(entry: Entry) -> str:
    text = _escaped(entry.text)
    text = f"**{text}**" if entry.mark == "best" else text
    return " ".join(filter(None, [text, _escaped(entry.aside)])) + (" †" if entry.mark == "worse" else "")


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


FORMATS: Mapping[str, Callable[[Table], str]] = {
    "csv": lambda table: csv_text(table.numbers),
    "tex": latex_table,
    "md": markdown_table,
}
"""What makes a table the content of a file, by the file's ending, in the order in which a report writes them."""


def table_files(tables: Iterable[Table], endings: Iterable[str] = tuple(FORMATS)) -> dict[str, bytes]:
    """Content by file name: every table in each of these formats."""
    wanted = tuple(endings)
    return {f"{table.name}.{ending}": FORMATS[ending](table).encode() for table in tables for ending in wanted}
