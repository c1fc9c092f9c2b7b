"""The formats of exported tables. A new one is a file with a function, and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.experiments.results.printed_table import Table
from core.export.csv_tables import csv_text
from core.export.latex import latex_table
from core.export.markdown import markdown_table


@dataclass(frozen=True)
class TableFormat:
    """How a table becomes a file.

    Attributes
    ----------
    suffix : str
        Of the file's name, without the dot.
    text : callable
        From the table to the file's content.
    """

    suffix: str
    text: Callable[[Table], str]


CSV = TableFormat("csv", lambda table: csv_text(table.numbers))
LATEX = TableFormat("tex", latex_table)
MARKDOWN = TableFormat("md", markdown_table)
FORMATS = (
    CSV,
    LATEX,
    MARKDOWN,
)
"""Every format, in the order in which a report writes them."""


def table_files(tables: Iterable[Table], formats: Iterable[TableFormat]) -> dict[str, bytes]:
    """Content by file name: every table in each of these formats."""
    wanted = tuple(formats)
    return {f"{table.name}.{kind.suffix}": kind.text(table).encode() for table in tables for kind in wanted}
