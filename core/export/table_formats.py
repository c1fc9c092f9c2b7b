"""The formats of exported tables: CSV, LaTeX with booktabs, Markdown. A new one is a function, and a row here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.experiments.results.printed_table import Entry, Table
from core.names.plain import in_spreadsheet

NEEDS = "% needs \\usepackage{booktabs}; with many columns, \\usepackage{graphicx} and \\resizebox around the tabular\n"
DAGGER = "$^\\dagger$"
DAGGER_WORDS = "\\ $\\dagger$: significantly worse than the best."
_SYMBOLS = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "_": "\\_", "%": "\\%",
    "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''", "~": "$\\sim$", "±": "$\\pm$",
    "−": "$-$", "–": "--", "—": "---", "×": "$\\times$", "·": "$\\cdot$", "≤": "$\\leq$", "≥": "$\\geq$",
    "∩": "$\\cap$", "∪": "$\\cup$", "γ": "$\\gamma$", "λ": "$\\lambda$", "κ": "$\\kappa$", "ε": "$\\varepsilon$",
    "τ": "$\\tau$", "₁": "$_1$", "₂": "$_2$", "ℓ": "$\\ell$", "∞": "$\\infty$", "§": "\\S{}", "’": "'",
    "\u2009": "\\,", "‡": "$\\ddagger$", "…": "\\dots{}",
}  # fmt: skip
_NORM = re.compile(r"ℓ(\d+(?:\.\d+)?)")
_PER_CENT = re.compile(r"(?<=\d) %")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")


def escaped(text: str) -> str:
    r"""Escape text for LaTeX: ``"ℓ0.5 & 3 %"`` becomes ``"$\ell_{0.5}$ \& 3\,\%"``."""
    parts = _NORM.split(text)  # between two texts stands the number of a norm
    return "".join(f"$\\ell_{{{part}}}$" if k % 2 else _symbols(part) for k, part in enumerate(parts))


def latex_table(table: Table) -> str:
    """Return a ``table`` environment; its caption says what the table shows and how to read it."""
    wide = dict.fromkeys(table.wide, "p{0.4\\linewidth}")
    alignment = "".join("r" if k in table.numeric else wide.get(k, "l") for k in range(len(table.head)))
    worse = any(entry.mark == "worse" for row in table.rows for entry in row)
    caption = f"{escaped(table.title)}. {escaped(table.note)}{DAGGER_WORDS if worse else ''}"
    lines = [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{caption}}}",
        f"  \\label{{tab:{_label(table.name)}}}",
        f"  \\begin{{tabular}}{{{alignment}}}",
        "    \\toprule",
        f"    {_tex_row([escaped(name) for name in table.head])}",
        "    \\midrule",
        *(f"    {_tex_row([_tex_entry(entry) for entry in row])}" for row in table.rows),
        "    \\bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
    ]
    return NEEDS + "\n".join(lines) + "\n"


def _tex_row(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _tex_entry(entry: Entry) -> str:
    text = escaped(entry.text)
    if entry.mark == "best":
        # Bold does not reach mathematics: $\pm$ and the like stay as they are, their digits do not.
        text = f"\\textbf{{{text}}}"
    aside = f" {{\\footnotesize {escaped(entry.aside)}}}" if entry.aside else ""
    return f"{text}{DAGGER if entry.mark == 'worse' else ''}{aside}"


def _symbols(text: str) -> str:
    """Escape character by character, so that no replacement is escaped again."""
    prepared = _MINUS.sub("−", _PER_CENT.sub("\u2009%", text))
    return "".join(_SYMBOLS.get(character, character) for character in prepared)


def _label(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9:.-]", "-", name)


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows under the union of their columns, in order of first appearance.

    A text that a spreadsheet would take for a formula has an apostrophe before it. Floats are written so that reading
    them gives the same float. None, and a column that a row lacks, is an empty cell.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(in_spreadsheet, columns))
    writer.writerows([_text(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _text(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else in_spreadsheet(str(value))


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
