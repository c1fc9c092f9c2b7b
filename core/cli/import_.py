"""The command ``import``: judgments and logged features joined into one LETOR file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from core.cli.options import writing
from core.cli.terminal import finish_shown
from core.data.files.disk import usual_mode, whole_file
from core.data.imports.importing import Import
from core.work import duration


def add_import_files(parser: ArgumentParser) -> None:
    """Give the command ``import`` its options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="judgments (Quepid, OpenSearch, TREC qrels, LETOR) and feature logs "
        "(Elasticsearch, OpenSearch, Solr, LETOR, CSV), or features with their group sizes (LightGBM .query, "
        "XGBoost .group), in any order; the content tells which is which",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="LETOR file to write, which every other command reads"
    )


def import_files(options: Namespace) -> tuple[dict[str, Any], str]:
    """Join the files, write the data, and return the record and the text."""
    out = Path(options.out)
    sources = [(str(path), Path(path)) for path in options.files]
    with writing(out, *options.files), whole_file(out, usual_mode()) as file:
        work = Import(sources, file)
        finish_shown(work, lambda: f"{work.share:.0%} done, {duration(work.seconds_left)} left: {work.now}")
    report = work.report
    assert report is not None, "the work is done"
    return {**report.record(), "out": str(out)}, "\n".join([f"{out}: {report.headline}", *report.sentences()])
