"""A report as one self-contained HTML file: text, tables and figures, for light and dark themes and for print."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from core.experiments.results.printed_table import Entry, Table

# Whatever is in the file, a browser asks no other machine for anything.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
# A picture keeps the width it was drawn in. A4 and Letter are narrower than the screen, and a browser does not wait for
# what is drawn later than its event.
_FIT_PAPER = """const drawAll = size => {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) Plotly.relayout(chart, size);
};
addEventListener("beforeprint", () => drawAll({autosize: false, width: 660}));
addEventListener("afterprint", () => drawAll({autosize: true, width: null}));"""


@dataclass(frozen=True)
class Section:
    """A section of the report.

    Attributes
    ----------
    title : str
    text : tuple of str
        Paragraphs.
    tables : tuple of Table
    figures : tuple of str
        HTML of figures, inserted unchanged before the tables.
    code : str
        A command for copying.
    folded : tuple of Table
        Tables that are closed until a reader opens them.
    """

    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[str, ...] = ()
    code: str = ""
    folded: tuple[Table, ...] = ()


def html_report(title: str, summary: Sequence[str], sections: Sequence[Section], *, script: str = "") -> str:
    """Return the text of the file.

    Parameters
    ----------
    title : str
    summary : sequence of str
        Paragraphs under the title.
    sections : sequence of Section
    script : str
        JavaScript that the figures need, inserted once.
    """
    names = [f"s{k}" for k in range(1, len(sections) + 1)]
    links = "".join(
        f'<li><a href="#{name}">{_text(section.title)}</a></li>' for name, section in zip(names, sections, strict=True)
    )
    scripts = f"<script>{script}</script>\n<script>{_FIT_PAPER}</script>" if script else ""
    body = "\n".join(_section(name, section) for name, section in zip(names, sections, strict=True))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<link rel="icon" href="data:,">
<title>{_text(title)}</title>
<style>{_style()}</style>
{scripts}
</head>
<body>
<main>
<header>
<h1>{_text(title)}</h1>
{_paragraphs(summary)}
</header>
<nav aria-label="Contents"><ul>{links}</ul></nav>
{body}
</main>
</body>
</html>
"""


def _style() -> str:
    return (files("core.export") / "report.css").read_text(encoding="utf-8")


def _text(text: str) -> str:
    return html.escape(text)


def _paragraphs(text: Sequence[str]) -> str:
    return "".join(f"<p>{_text(paragraph)}</p>" for paragraph in text)


def _section(name: str, section: Section) -> str:
    code = f"<pre><code>{_text(section.code)}</code></pre>" if section.code else ""
    folded = "".join(
        f"<details><summary>{_text(table.title)}</summary>{_table(table)}</details>" for table in section.folded
    )
    return (
        f'<section id="{name}"><h2>{_text(section.title)}</h2>{_paragraphs(section.text)}{code}'
        f"{''.join(section.figures)}{''.join(map(_table, section.tables))}{folded}</section>"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"{_side(k, table)}>{_text(name)}</th>' for k, name in enumerate(table.head))
    rows = "".join(f"<tr>{_row(row, table)}</tr>" for row in table.rows)
    return (
        f'<p class="caption" id="about-{_text(table.name)}"><b>{_text(table.title)}</b> {_text(table.note)}</p>'
        f'<div class="table" tabindex="0"><table id="{_text(table.name)}" aria-labelledby="about-{_text(table.name)}">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(row: Sequence[Entry], table: Table) -> str:
    first, *others = row
    cells = "".join(f"<td{_side(k, table)}>{_entry(entry)}</td>" for k, entry in enumerate(others, 1))
    return f'<th scope="row"{_side(0, table)}>{_entry(first)}</th>{cells}'


def _side(column: int, table: Table) -> str:
    kind = "number" if column in table.numeric else "wide" if column in table.wide else ""
    return f' class="{kind}"' if kind else ""


def _entry(entry: Entry) -> str:
    text = _text(entry.text)
    aside = f" <small>{_text(entry.aside)}</small>" if entry.aside else ""
    match entry.mark:
        case "best":
            text = f'<b title="best">{text}</b>'
        case "worse":
            text = f'{text}<sup title="significantly worse than the best">†</sup>'
        case _:
            pass
    return f"{text}{aside}"
