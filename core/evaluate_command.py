"""The command ``evaluate``: a ranking by given scores, or by a model that ``fit --json`` has written."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.arguments import UsageError, names_from_the_command_line
from core.data import RankingData
from core.data.file_content import file_label, read_head, read_json_file
from core.reading_words import reading_of
from core.terminal import measures_text

CUTOFFS = range(1, 17)
"""As far as the script of LETOR 3.0 prints."""


def evaluate(options: Namespace) -> tuple[dict[str, Any], str]:
    """Measure the ranking, and write it for other tools if asked to. Returns the record and the text.

    Raises
    ------
    UsageError
        If the data has more parts than one, or a file cannot be written.
    DataError
        If the data or the scores cannot be used.
    """
    from core.metrics import JudgedLists
    from core.metrics.measures import further_measures_at, measures_at

    dataset = reading_of(options).open(options.data)
    data, *others = dataset.fold(1).parts().values()
    if others:
        msg = f"{options.data} has more parts than one; name the file whose documents were scored"
        raise UsageError(msg)
    convention = options.convention or dataset.convention
    scores, told = _scores(Path(options.scores), data, options.data)
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


def _scores(path: Path, data: RankingData, came_from: str) -> tuple[Any, tuple[str, ...]]:
    """Read scores, or compute those of a model, with what a person has to know of it."""
    from core.data.imports.text_file import read_scores

    label = file_label(path)
    if not read_head(path, label).lstrip().startswith(b"{"):
        return read_scores(path, data.n_documents), ()
    from core.analysis.fit_records import scores_by_record
    from core.data.reading import is_table_of_columns

    zeros_left_out = not is_table_of_columns(came_from)
    return read_json_file(path, lambda record: scores_by_record(record, data, came_from, zeros_left_out=zeros_left_out))


def _write_trec(options: Namespace, data: RankingData, scores: Any) -> tuple[dict[str, str], list[str]]:
    from core.export.files import not_an_input, write_files
    from core.export.trec import trec_names, trec_qrels, trec_run

    texts: dict[str, Callable[[], str]] = {"run": lambda: trec_run(data, scores), "qrels": lambda: trec_qrels(data)}
    written: dict[str, str] = {}
    for kind, text in texts.items():
        file = getattr(options, f"trec_{kind}")
        if file is None:
            continue
        with names_from_the_command_line():
            not_an_input(Path(file), [Path(options.data), Path(options.scores)])
        try:
            write_files(Path(file).parent, {Path(file).name: text().encode()})
        except OSError as error:
            msg = f"cannot write {file}: {error.strerror or error}"
            raise UsageError(msg) from error
        written[kind] = file
    notes = [f"TREC {kind}: {file}" for kind, file in written.items()]
    numbered = trec_names(data).numbered
    if numbered:
        notes.append(
            f"In TREC's files {' and '.join(numbered)} are numbered, because not all have an id of one word in the "
            "data."
        )
    return written, notes
