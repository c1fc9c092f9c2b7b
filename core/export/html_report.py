"""A report as one self-contained HTML file: text, tables and figures, for light and dark themes and for print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

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
    """A section of the report: paragraphs, the HTML of figures, unchanged, and then tables.

    ``code`` is a command for copying; ``folded`` tables are closed until a reader opens them.
    """

    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[str, ...] = ()
    code: str = ""
    folded: tuple[Table, ...] = ()


def html_report(title: str, summary: Sequence[str], sections: Sequence[Section], *, script: str = "") -> str:
    """Return the text of the file: the summary's paragraphs stand under the title; figures need the JavaScript."""
    return page_html("report.html", title=title, summary=summary, sections=sections, script=script, policy=POLICY)


def page_html(template: str, **parts: object) -> str:
    """Return a page, or a part of one, from one of the templates beside this module."""
    looks = {"style": _read("report.css"), "site_style": _read("site.css"), "fit_paper": _FIT_PAPER}
    return _templates().get_template(template).render(parts, **looks)


def section_html(section: Section) -> str:
    """Return what stands in a section, without the page around it."""
    macros: Any = _templates().get_template("sections.html").module
    return str(macros.contents(section))


@cache
def _templates() -> Environment:
    how: Any = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=FunctionLoader(_read), **how)


def _read(name: str) -> str:
    return (files("core.export") / name).read_text(encoding="utf-8")
