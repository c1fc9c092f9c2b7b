"""A report as one self-contained HTML file: text, tables and figures, for light and dark themes and for print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from core.experiments.results.printed_table import Table

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
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_read("report.html")).render(
        title=title,
        summary=summary,
        sections=sections,
        policy=POLICY,
        style=_read("report.css"),
        script=script,
        fit_paper=_FIT_PAPER,
    )


def _read(name: str) -> str:
    return (files("core.export") / name).read_text(encoding="utf-8")
