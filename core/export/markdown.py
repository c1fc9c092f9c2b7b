"""Tables in Markdown, for a README or an issue."""

from __future__ import annotations

from core.experiments.results.printed_table import Entry, Table

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
