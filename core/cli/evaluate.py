"""The command ``evaluate``: a ranking by given scores, or by a model that ``fit --json`` has written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.cli.options import UsageError, writing
from core.cli.reading import add_reading, reading_of
from core.cli.terminal import marked, table_text
from core.data import RankingData, Reading
from core.data.files.file_content import file_label, read_head, read_json_file

CUTOFFS = range(1, 17)
"""As far as the script of LETOR 3.0 prints."""


def add_evaluate(parser: ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument("data", metavar="FILE", help="a LETOR file, a CSV or a Parquet file")
    parser.add_argument(
        "scores",
        metavar="SCORES",
        help="a file with one score a line, in the order of the documents; or RESULT.json, the output of fit --json, "
        "to score the documents with that model",
    )
    parser.add_argument("--trec-run", metavar="FILE", help="write the ranking as a TREC run, for other tools")
    parser.add_argument("--trec-qrels", metavar="FILE", help="write the relevance of all documents as TREC qrels")
    add_reading(parser)


def evaluate(options: Namespace) -> tuple[dict[str, Any], str]:
    """Measure the ranking, write it for other tools if asked to, and return the record and the text."""
    from core.metrics import JudgedLists
    from core.metrics.measures import further_measures_at, measures_at

    reading = reading_of(options)
    dataset = reading.open(options.data)
    data, *others = dataset.fold(1).parts().values()
    if others:
        msg = f"{options.data} has more parts than one; name the file whose documents were scored"
        raise UsageError(msg)
    convention = options.convention or dataset.convention
    scores, told = _scores(Path(options.scores), data, options.data, reading)
    ranked = JudgedLists(data, convention).rank(scores)
    measures = [*measures_at(CUTOFFS), *further_measures_at(CUTOFFS)]
    over_orders, metrics = (
        {str(measure): lists.mean(measure) for measure in measures} for lists in (ranked, ranked.official)
    )
    differ = {name: value for name, value in over_orders.items() if f"{value:.9f}" != f"{metrics[name]:.9f}"}
    elsewhere = {str(measure): measure.ir_measures_name(convention) for measure in measures}
    record: dict[str, Any] = metrics | {
        "expected_over_ties": differ,
        "convention": convention,
        "queries_without_relevant": data.queries_without_relevant,
        "ir_measures": {name: other for name, other in elsewhere.items() if other is not None},
    }
    without = data.queries_without_relevant
    if without:
        said = "1 query has" if without == 1 else f"{without:,} of {data.n_queries:,} queries have"
        told = (*told, f"{said} no relevant document, and every measure counts 0 there.")
    notes = [*dataset.notes, *data.grades_note, *told]
    record |= {"reading": [*notes]} if notes else {}
    if options.trec_run or options.trec_qrels:
        written, more = _write_trec(options, data, ranked.scores)
        record |= {"trec": written}
        notes += more
    return record, "\n".join([*notes, measures_text(metrics, differ, convention)])


def _scores(path: Path, data: RankingData, came_from: str, reading: Reading) -> tuple[Any, tuple[str, ...]]:
    """Read scores, or compute those of a model, with what a person has to know of it."""
    from core.data.imports.text_file import read_scores

    label = file_label(path)
    if not read_head(path, label).lstrip().startswith(b"{"):
        return read_scores(path, data.n_documents), ()
    from core.analysis.fit_records import scores_by_record
    from core.data.tables.table_options import Kind

    zeros_left_out = not reading.kind(came_from) & Kind.TABLE
    return read_json_file(path, lambda record: scores_by_record(record, data, came_from, zeros_left_out=zeros_left_out))


def _write_trec(options: Namespace, data: RankingData, scores: Any) -> tuple[dict[str, str], list[str]]:
    from core.export.files import write_files
    from core.export.trec import trec_names, trec_qrels, trec_run

    texts: dict[str, Callable[[], str]] = {"run": lambda: trec_run(data, scores), "qrels": lambda: trec_qrels(data)}
    written: dict[str, str] = {}
    for kind, text in texts.items():
        file = getattr(options, f"trec_{kind}")
        if file is None:
            continue
        with writing(file, options.data, options.scores):
            write_files(Path(file).parent, {Path(file).name: text().encode()})
        written[kind] = file
    notes = [f"TREC {kind}: {file}" for kind, file in written.items()]
    numbered = trec_names(data).numbered
    if numbered:
        notes.append(
            f"In TREC's files {' and '.join(numbered)} are numbered, because not all have an id of one word in the "
            "data."
        )
    return written, notes


def measures_text(metrics: Mapping[str, float], expected: Mapping[str, float], convention: str) -> str:
    """Format every measure of one ranking: those of the whole list, then those at rank k, one row a k.

    ``metrics`` are as tables print them; those that are ``expected`` to be others over the orders of tied documents are
    marked.
    """
    shown: dict[str, float | str] = {name: marked(value, expected.get(name)) for name, value in metrics.items()}
    whole = {name: value for name, value in shown.items() if "@" not in name}
    kinds = list(dict.fromkeys(name.partition("@")[0] for name in metrics if "@" in name))
    ranks = dict.fromkeys(name.partition("@")[2] for name in metrics if "@" in name)
    at_rank = [{"k": int(k)} | {f"{kind}@k": shown[f"{kind}@{k}"] for kind in kinds} for k in ranks]
    differ = ", ".join(f"{name} {value:.4f}" for name, value in expected.items() if str(shown[name]).endswith("*"))
    ties = f"; * in the order of the file; over the orders of tied documents {differ}" if differ else ""
    return f"{table_text([whole])}\n\n{table_text(at_rank)}\n({convention} convention{ties})"
