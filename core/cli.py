"""The command line: the capabilities of the app without a browser.

Exit status: 0 fine, 1 the work failed, 2 bad usage or bad data (one line on stderr).
"""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.arguments import UsageError, names_from_the_command_line, parse
from core.audit_command import audit
from core.convert_command import convert
from core.data import Convention, DataError, Dataset, Fold
from core.data.catalogue import catalogue
from core.data.known_sets import KNOWN_SETS
from core.data.out_of_core import open_out_of_core
from core.evaluate_command import evaluate
from core.export_command import export
from core.import_command import import_files
from core.lesson_command import lesson
from core.names.plain import visible
from core.on_the_way import shown_fit, shown_on_the_way
from core.option_hints import with_options
from core.option_types import GridSize
from core.paper_command import paper, papers
from core.program import PROGRAM
from core.protocol_command import PartlyFailedError, protocol
from core.reading_words import reading_of
from core.run_command import run, serve
from core.terminal import datasets_text, features_text, fit_text, path_text, say, table_text

if TYPE_CHECKING:  # at run time a command imports what it needs: numba alone takes as long as a short command
    from core.analysis.features.rules import Rules
    from core.analysis.fitting import Fitting
    from core.analysis.path import PathPoint
    from core.analysis.path_over_k import PathOverK
    from core.methods import Fit, Method


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


def _open(options: Namespace) -> tuple[Dataset, Fold, Convention]:
    reading = reading_of(options)
    if options.dask is not None:
        from core.experiments.run.workers.dask_blocks import cluster, home_on

        client = options.closing.enter_context(cluster(options.dask))
        dataset = open_out_of_core(options.data, reading, home=home_on(client))
    else:
        dataset = open_out_of_core(options.data, reading) if options.out_of_core else reading.open(options.data)
    return dataset, dataset.fold(options.fold), options.convention or dataset.convention


def _reading_record(dataset: Dataset, fold: Fold) -> dict[str, list[str]]:
    """Return notes on how the data was read and on what repeats itself in it, if anything is unusual."""
    from core.data.copies import copies_in_passing

    copies = copies_in_passing(fold).notes(fold.train.feature_names)
    notes = [*dataset.notes, *copies, *(["--drop-copies leaves them out."] if copies else [])]
    return {"reading": notes} if notes else {}


def _prepare(options: Namespace) -> tuple[Fitting, dict[str, Any]]:
    """Return the fitting that the options ask for, and the record's description of the data."""
    from core.analysis.fitting import Fitting
    from core.methods import get_method
    from core.warm_up import warm_up

    with names_from_the_command_line():
        method = get_method(options.method)
        solver = method.solver(options.solver).id
        settings = method.settings(dict(options.set))
    stop = method.stop_at(options.tol)
    if options.max_seconds is not None:
        stop = replace(stop, max_seconds=options.max_seconds)
    dataset, fold, convention = _open(options)
    warm_up((method,))  # loading compiled kernels is not the solver's time
    source = {"dataset": dataset.name, "fold": options.fold} | _reading_record(dataset, fold)
    rules = _rules(options, method, fold.train.n_features)
    if rules.active:
        source["rules"] = rules.record()
        method = rules.applied(method)
    given = {name: settings[name] for name, _ in options.set}
    how = Fitting.on(fold, method, given, convention, solver=solver, stop=stop)
    if rules.signed:
        with names_from_the_command_line():
            how.run(1.0)  # a solver that knows no signs says so
    return how, source


def _kept(method: Method, file: str | None) -> Method:
    """Return the method with a search that is kept in a file, if one is named."""
    from core.solvers import BranchAndBound

    if file is None:
        return method
    solvers = tuple(replace(s, file=Path(file)) for s in method.solvers if isinstance(s, BranchAndBound))
    if not solvers:
        msg = f"{method.id} has no search to save; --keep is for best-subset"
        raise UsageError(msg)
    return replace(method, solvers=solvers)


def _rules(options: Namespace, method: Method, n_features: int) -> Rules:
    from core.analysis.features.rules import RULE_NAMES, read_rules

    rules, problem = read_rules({name: getattr(options, name) for name in RULE_NAMES}, n_features)
    if problem:
        raise UsageError(problem.partition(". ")[0])
    if rules.active and not method.separable:
        msg = (
            f"{method.id} does not support --off, --forced, --helps, --hurts and --costs; choose a sparse penalty "
            "such as l1"
        )
        raise UsageError(msg)
    return rules


def _fit(options: Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.fit_records import empty_optimum_record, fit_record, training_record
    from core.analysis.fitting import AtC, AtRatio, OnValidation, fitted
    from core.analysis.penalties.starts_spread import check_starts
    from core.methods import get_method
    from core.metrics import Measure

    with names_from_the_command_line():
        measure = None if options.tune is None else str(Measure.parse(options.tune))
        if options.starts > 1:
            check_starts(get_method(options.method))
    if options.keep is not None and measure is not None:
        msg = "--keep saves the search at one lambda; use --C or --lambda-ratio instead of --tune"
        raise UsageError(msg)
    if measure is None and options.grid != GridSize(None):
        msg = "--grid is what --tune chooses from; leave it out, or use --tune instead of --C and --lambda-ratio"
        raise UsageError(msg)
    how, record = _prepare(options)
    how = replace(how, method=_kept(how.method, options.keep))  # after the warm-up, whose search is another one
    if measure is not None:
        at_best = OnValidation(measure, options.choose, options.grid.points, options.grid.widen)
        found = fitted(how, at_best, shown_fit)
    else:
        at = AtRatio(options.lambda_ratio) if options.C is None else AtC(options.C)
        if options.keep is not None:
            with names_from_the_command_line():
                how.run(how.lam(at))  # a file with another search is refused
        found = fitted(how, at, shown_fit)
    fold, convention = how.judge.fold, how.judge.convention
    if found.empty is not None:
        record |= empty_optimum_record(found.fit, found.empty, found.judgement, convention)
        record |= training_record(fold, found.fit)
        return record, "\n".join([*record.get("reading", []), str(found.empty)])
    record |= fit_record(found.fit, found.judgement, convention)
    record |= {} if found.tuned is None else {"tuned": found.tuned.record()}
    record |= training_record(fold, found.fit)
    if options.starts > 1:
        record["starts"] = _from_starts(how, found.fit, options.starts)
    return record, fit_text(record)


def _from_starts(how: Fitting, fit: Fit, n: int) -> dict[str, Any]:
    """Fit the model's problem from several starts, and return the record of the minima."""
    from core.analysis.penalties.starts_spread import StartsSpread, starts_run

    run = starts_run(how, fit, n)
    for _ in shown_on_the_way(run.ends_one_by_one(), n, "starts fitted"):
        pass
    return StartsSpread.of(run.minima(), how.judge).record()


def _path(options: Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.fit_records import empty_path_record, over_k_record, path_record, training_records
    from core.methods import EmptyOptimumError
    from core.metrics.measures import telling_measures

    at_one = options.C is not None or options.lambda_ratio is not None
    if options.over == "lambda" and at_one and options.html is None:
        msg = "a path over lambda has no single lambda; leave out --C and --lambda-ratio, or add --over k"
        raise UsageError(msg)
    if options.html is None and (options.view or options.beside):
        msg = "--view and --beside say what the page shows; add --html FILE"
        raise UsageError(msg)
    if options.over == "k" and options.html is not None:
        msg = "--html saves a path over lambda; leave out --over k"
        raise UsageError(msg)
    how, source = _prepare(options)
    with names_from_the_command_line():
        beside = _fittings_beside(options, how)
    try:
        with names_from_the_command_line():
            over_lambda = how.path(options.points, options.smallest_ratio)
            over_k = _path_over_k(options, how) if options.over == "k" else None
    except EmptyOptimumError as empty:
        return source | empty_path_record(empty), "\n".join([*source.get("reading", []), str(empty)])
    points = over_k.points if over_k else list(over_lambda)
    record = source | path_record(points, how.training.lam_max, how.judge.convention)
    if over_k:
        record = over_k_record(record, points)
    for point, more in zip(record["points"], training_records(how.judge.fold, [p.fit for p in points]), strict=True):
        point |= more
    text = path_text(record, sorted(telling_measures(how.judge.fold.train)[:2]))
    if options.html is not None:
        _save_page(options, how, points, beside, record["dataset"])
        record |= {"html": options.html}
        text += f"\n\nSaved as a page: {options.html}"
    return record, text


def _save_page(
    options: Namespace, how: Fitting, points: Sequence[PathPoint], beside: Sequence[Fitting], dataset: str
) -> None:
    """Write the path as an HTML file in which C can be dragged."""
    from core.analysis.fitting import AtC, AtRatio
    from core.analysis.fold_models import FoldPath
    from core.export.files import not_an_input, write_files
    from core.export.saved.views import SavedPath, saved_view

    file = Path(options.html)
    with names_from_the_command_line():
        not_an_input(file, [Path(options.data)])
    fold, convention = how.judge.fold, how.judge.convention
    ratio = options.lambda_ratio
    at = AtC(options.C) if options.C is not None else None if ratio is None else AtRatio(ratio)
    lead = SavedPath.of(how, FoldPath(tuple(points), fold, convention), None if at is None else how.lam(at))
    page = saved_view(
        options.view or "path",
        lead,
        [SavedPath.of(one, FoldPath(tuple(one.path(options.points)), fold, convention)) for one in beside],
        where=f"{dataset}, {fold.name}",
        command=shlex.join([PROGRAM, *options.words]),
    )
    try:
        write_files(file.parent, {file.name: page.encode()})
    except OSError as error:
        msg = f"cannot write {file}: {error.strerror or error}"
        raise UsageError(msg) from error


def _fittings_beside(options: Namespace, how: Fitting) -> list[Fitting]:
    """Return the fittings of the methods of ``--beside``: default parameters, but the same loss and rules."""
    from core.analysis.fitting import Fitting
    from core.methods import get_method

    fold, convention = how.judge.fold, how.judge.convention
    named = dict.fromkeys(name.strip() for name in (options.beside or "").split(",") if name.strip())
    methods = [get_method(name) for name in named if name != how.method.id]
    if options.view == "lab" and len(methods) > 1:
        msg = "--view lab has room for one method beside the other; give --beside one"
        raise UsageError(msg)
    rules = _rules(options, how.method, fold.train.n_features)
    return [
        Fitting.on(
            fold,
            rules.applied(one) if rules.active and one.separable else one,
            {name: value for name, value in how.given.items() if name in one.loss.parameters},
            convention,
        )
        for one in methods
    ]


def _path_over_k(options: Namespace, how: Fitting) -> PathOverK:
    """Run a path over k from 1 to the k of the options."""
    from core.analysis.fitting import AtC, AtRatio
    from core.analysis.path_over_k import DEFAULT_RATIO, K, PathOverK

    ratio = DEFAULT_RATIO if options.lambda_ratio is None else options.lambda_ratio
    lam = how.lam(AtRatio(ratio) if options.C is None else AtC(options.C))
    most = int(how.settings.get(K, 1))
    path = PathOverK(how.method, how.training, lam, range(1, most + 1), how.judge, how.settings, how.stop)
    while not path.done:
        path.advance()
    return path


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
            "expected_over_ties": {"NDCG@10": score.ndcg_at_10, "MAP": score.map},
            "ranks": score.ranks,
        }
        | ({"Top": score.top} if nouns.by_class else {})
        for score in shown_on_the_way(each_single_feature(train, convention), train.n_features, "features measured")
    ]
    record = {"features": rows, "convention": convention} | _reading_record(dataset, fold)
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
    "fit": _fit,
    "path": _path,
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
