"""The reports of a run and of a paper's experiment: one HTML file with the pictures, and every table as files."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pandas as pd

from core.experiments.papers.experiment import PaperExperiment
from core.experiments.results.printed_table import Table, plain_table
from core.experiments.results.run import Run
from core.experiments.results.single_scores import SingleScores
from core.experiments.results.summary import tried_words
from core.experiments.results.tables import sparsity_table
from core.experiments.run.cells import experiment_version, library_versions, protocol_version
from core.experiments.run.protocol import TESTED
from core.export import protocol_tables as tables
from core.export.html_report import Section, html_report
from core.export.table_formats import table_files
from core.figures.browser.drawing_code import drawing_script, figure_fragment
from core.figures.papers.registry import PICTURES
from core.figures.protocol.features import ProtocolAgreement, ProtocolFeatures, has_pair
from core.figures.protocol.sparsity import ProtocolSpider, ProtocolTime
from core.figures.protocol.tradeoff import ProtocolTradeoff, protocol_tradeoff_sentence
from core.names.plain import in_file_name

PAGE = "report.html"
FOLDER = "tables"


def report_files(
    run: Run,
    commands: Sequence[Sequence[str]],
    *,
    single: SingleScores | None = None,
    made: datetime | None = None,
) -> dict[str, bytes]:
    """Content by path, the page first: ``report.html``, and below ``tables/`` every table in every format.

    ``commands`` are the words, not quoted, of those that repeat the run: one for all datasets that are read alike.
    ``single`` is what each feature can do alone, from `training_scores`; without it nothing is said of that. The report
    says when it was ``made``, now by default.
    """
    sections = _sections(run, commands, single or {}, made or datetime.now().astimezone())
    files = {PAGE: _page(run, sections).encode()}
    printed = [table for section in sections for table in (*section.tables, *section.folded)]
    return files | {f"{FOLDER}/{name}": content for name, content in table_files(printed).items()}


def _page(run: Run, sections: Sequence[Section]) -> str:
    names = [dataset.name for dataset in run.plan.datasets]
    shown = ", ".join(names) if len(names) <= 4 else f"{len(names)} datasets"
    done, total = len([cell for cell in run.plan.cells if cell in run.results]), len(run.plan.cells)
    summary = [
        protocol_tradeoff_sentence(run.lines, TESTED[0], run.titles) + ".",
        f"{len(run.plan.choices)} methods by the protocol of Laporte et al. (2014, §V-C): a grid of "
        f"{tried_words(run.lines, run.titles) or run.plan.points} values of C on each fold's training part, the best "
        f"by {run.plan.measure} on its validation part, measured once on its test part; {run.conventions} convention. "
        + (f"{done} of {total} cells are finished; the missing ones are listed below." if done < total else ""),
    ]
    drawn = any(section.figures for section in sections)
    title = f"Sparse learning to rank on {shown}"
    return html_report(title, summary, sections, script=drawing_script() if drawn else "")


def _sections(run: Run, commands: Sequence[Sequence[str]], single: SingleScores, made: datetime) -> list[Section]:
    missing = tables.missing_table(run)
    sections = [Section("Not everything is finished", tables=(missing,))] if missing else []
    if run.lines:
        removed = figure_fragment(ProtocolSpider(run).figure, "removed-features")
        sections += [
            _results(run),
            Section("Sparsity", figures=(removed,), tables=(sparsity_table(run.lines, run.titles),)),
            Section("Significance", tables=(*tables.quality_tables(run), *_there(tables.comparison_table(run)))),
            _time(run),
        ]
        sections += [
            _features(run, dataset.name, single) for dataset in run.plan.datasets if run.lines_of(dataset.name)
        ]
        published = tables.published_tables(run)
        if published:
            sections.append(Section("Published numbers", tables=tables.reproduced_tables(run), folded=published))
    return [*sections, _made(run, commands, made)]


def _results(run: Run) -> Section:
    pictures = {f"tradeoff-{measure.lower().replace('@', '')}": ProtocolTradeoff(run, measure=measure)
                for measure in TESTED}  # fmt: skip
    return Section(
        "Quality against sparsity",
        figures=tuple(figure_fragment(picture.figure, name) for name, picture in pictures.items()),
        tables=(tables.results_table(run), *_there(tables.starts_table(run))),
        folded=(tables.folds_table(run),),
    )


def _time(run: Run) -> Section:
    picture = ProtocolTime(run)
    note = "Solver time over the whole grid of a fold, while other cells may have run at the same time."
    rows = _rows(picture.table)
    table = plain_table("time", "Time and sparsity", note, [_rounded(row) for row in rows], rows)
    return Section("Time", figures=(figure_fragment(picture.figure, "time"),), tables=(table,))


def _features(run: Run, dataset: str, single: SingleScores) -> Section:
    stem = in_file_name(dataset)
    kept = ProtocolFeatures(run, dataset)
    found = kept.result({"single": single})
    figures = [kept.drawing(found, kept.words(found))]
    folded = [tables.features_table(run, dataset)]
    if has_pair(run.lines_of(dataset)):
        pairs = ProtocolAgreement(run, dataset)
        figures.append(pairs.figure)
        title, note = f"{dataset}: agreement of the methods", "Jaccard index of the kept features, mean over folds."
        folded.append(plain_table(f"agreement-{stem}", title, note, _rows(pairs.table)))
    return Section(
        f"Features kept on {dataset}",
        figures=tuple(figure_fragment(figure, f"features-{stem}-{k}") for k, figure in enumerate(figures, 1)),
        tables=_there(tables.strong_table(run, dataset, single)),
        folded=tuple(folded),
    )


def _made(run: Run, commands: Sequence[Sequence[str]], made: datetime) -> Section:
    versions = ", ".join(f"{name} {version}" for name, version in library_versions().items())
    text = (
        f"{made:%Y-%m-%d %H:%M %Z}, by version {protocol_version()} of this program with {versions}. To repeat it:",
    )
    return Section(
        "How it was made", text=text, code="\n".join(map(shlex.join, commands)), folded=(tables.datasets_table(run),)
    )


def _there(*found: Table | None) -> tuple[Table, ...]:
    return tuple(table for table in found if table is not None)


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _rounded(row: Mapping[str, object]) -> dict[str, object]:
    digits = {name: ".2f" if "ratio" in name else ".2g" for name in row}
    return {name: f"{value:{digits[name]}}" if isinstance(value, float) else value for name, value in row.items()}


def experiment_files(
    experiment: PaperExperiment[Any, Any], outcomes: Sequence[Any], command: Sequence[str]
) -> dict[str, bytes]:
    """Return content by path, the page first: ``NAME.html``, and ``NAME-TABLE.csv`` and ``.tex`` for each table.

    There is at least one outcome, in the order of the cells; ``command`` are the words that repeat it, not quoted.
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
