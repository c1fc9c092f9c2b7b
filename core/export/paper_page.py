"""An experiment of a paper as files: one HTML page with figures and tables, and every table as CSV and LaTeX."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from core.experiments.papers.experiment import PaperExperiment
from core.experiments.results.printed_table import plain_table
from core.experiments.run.cells import experiment_version
from core.export.html_report import Section, html_report
from core.export.table_formats import table_files
from core.figures.browser.drawing_code import drawing_script, figure_fragment
from core.figures.papers.registry import PICTURES


def experiment_files(
    experiment: PaperExperiment[Any, Any], outcomes: Sequence[Any], command: Sequence[str]
) -> dict[str, bytes]:
    """Return content by path, the page first: ``NAME.html``, and ``NAME-TABLE.csv`` and ``.tex`` for each table.

    Parameters
    ----------
    experiment : PaperExperiment
    outcomes : sequence
        Outcomes in the order of the cells; at least one.
    command : sequence of str
        Words of the command that repeats it, not quoted.
    """
    printed = [
        plain_table(f"{experiment.name}-{table.name}", table.title, "", table.rows)
        for table in experiment.tables(outcomes)
    ]
    pictures = PICTURES.get(experiment.name, {})
    section = Section(
        experiment.source,
        (experiment.help,),
        tuple(printed),
        tuple(figure_fragment(draw(outcomes), f"{experiment.name}-{name}") for name, draw in pictures.items()),
        shlex.join(command),
    )
    page = html_report(
        experiment.title, (f"Made with version {experiment_version()}.",), (section,), script=drawing_script()
    )
    return {f"{experiment.name}.html": page.encode()} | table_files(printed, ("csv", "tex"))
