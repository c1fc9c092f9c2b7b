"""The command line: the capabilities of the app without a browser.

Exit status: 0 fine, 1 the work failed, 2 bad usage or bad data (one line on stderr).
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from core.arguments import UsageError, parse
from core.audit_command import audit
from core.convert_command import convert
from core.data import DataError
from core.data.catalogue import KNOWN_SETS, catalogue
from core.evaluate_command import evaluate
from core.export_command import export
from core.fit_command import fit
from core.fitting_options import reading_record
from core.import_command import import_files
from core.lesson_command import lesson
from core.names.plain import visible
from core.on_the_way import shown_on_the_way
from core.option_hints import with_options
from core.paper_command import paper, papers
from core.path_command import path
from core.program import PROGRAM
from core.protocol_command import PartlyFailedError, protocol
from core.reading_words import reading_of
from core.run_command import run, serve
from core.terminal import datasets_text, features_text, say, table_text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parse(words)
        try:
            with ExitStack() as options.closing:
                record, text = _COMMANDS[options.command](options)
        except PartlyFailedError as partly:
            _answer(options, partly.record, partly.text)
            return _refuse(str(partly), 1)
        _answer(options, record, text)
    except DataError as error:
        return _refuse(with_options(error), 2)
    except UsageError as error:
        return _refuse(f"{error} (see {PROGRAM} --help)", 2)
    except KeyboardInterrupt:
        return _refuse("stopped", 1)
    except BrokenPipeError:
        return 1  # the reader of our output has gone: nobody is left to tell
    except Exception as error:
        return _refuse(f"the work failed: {type(error).__name__}: {error}", 1)
    return 0


def _answer(options: Namespace, record: Any, text: str) -> None:
    answer = _strict_json(record)
    say(answer if options.json else text)


def _refuse(sentence: str, status: int) -> int:
    print(visible(" ".join(sentence.split())), file=sys.stderr)
    return status


def _strict_json(record: Any) -> str:
    try:
        return json.dumps(record, allow_nan=False)
    except ValueError:
        msg = "a result is not a finite number; scale the features, for instance with --scale standard"
        raise ArithmeticError(msg) from None


def _features(options: Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.features.single_feature import each_single_feature
    from core.data.nouns import nouns_of

    dataset = reading_of(options).open(options.data)
    convention = options.convention or dataset.convention
    fold = dataset.fold(options.fold)
    train, nouns = fold.train, nouns_of(fold.train)
    rows = [
        {
            "index": score.index,
            "name": score.name,
            "NDCG@10": score.official_ndcg_at_10,
            "MAP": score.official_map,
            "expected_over_ties": score.expected_over_ties,
            "ranks": score.ranks,
        }
        | ({"Top": score.top} if nouns.by_class else {})
        for score in shown_on_the_way(each_single_feature(train, convention), train.n_features, "features measured")
    ]
    record = {"features": rows, "convention": convention} | reading_record(dataset, fold)
    # The table of many thousand features takes as long as measuring them.
    return record, "" if options.json else "\n".join([*record.get("reading", []), features_text(record, nouns)])


def _methods(options: Namespace) -> tuple[list[dict[str, Any]], str]:
    from core.methods import METHODS

    rows: list[dict[str, Any]] = [
        {
            "id": method.id,
            "title": method.title,
            "source": method.source,
            "solvers": [solver.id for solver in method.solvers],
            "parameters": [
                {"name": p.name, "default": p.default, "minimum": p.minimum, "maximum": p.maximum, "help": p.help}
                | ({"choices": list(p.choices)} if p.choices else {})
                | ({"tried": list(p.tried)} if p.tried else {})
                for p in method.parameters
            ],
        }
        for method in METHODS
    ]
    shown = [
        {
            "id": method.id,
            "title": method.title,
            "solvers": ", ".join(solver.id for solver in method.solvers),
            "parameters": ", ".join(f"{p.name}={p.text(p.default)}" for p in method.parameters),
        }
        for method in METHODS
    ]
    return rows, table_text(shown)


def _datasets(options: Namespace) -> tuple[list[dict[str, Any]], str]:
    rows = [
        {"name": entry.name, "title": entry.title, "folds": entry.n_folds, "state": entry.state}
        for entry in catalogue()
    ]
    return rows, datasets_text(rows, {known.name: (known.page, known.place) for known in KNOWN_SETS})


_COMMANDS = {
    "datasets": _datasets,
    "methods": _methods,
    "fit": fit,
    "path": path,
    "evaluate": evaluate,
    "features": _features,
    "export": export,
    "import": import_files,
    "convert": convert,
    "protocol": protocol,
    "paper": paper,
    "papers": papers,
    "audit": audit,
    "lesson": lesson,
    "run": run,
    "serve": serve,
}
