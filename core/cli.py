"""The command line: the same capabilities as the app, without a browser.

Exit status 0 fine, 1 the work failed, 2 bad usage or bad data (one line on stderr).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from core.data import Convention, DataError, Dataset, Fold, UngroupedQueriesError
from core.data.catalogue import catalogue, open_dataset
from core.data.scaling import SCALINGS
from core.terminal import fit_text, metrics_text, path_text, table_text

CONVENTIONS = ("standard", "letor3", "letor4")


class UsageError(ValueError):
    """The command's words do not fit together."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser().parse_args(words)
        record, text = options.command(options)
        print(json.dumps(record, allow_nan=False) if options.json else text)
    except UngroupedQueriesError as error:
        return _refuse(f"{error}: add --group", 2)
    except DataError as error:
        return _refuse(str(error), 2)
    except ValueError as error:
        return _refuse(f"{error} (see python -m core --help)", 2)
    except KeyboardInterrupt:
        return _refuse("stopped", 1)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone: nobody is left to tell
        return 1
    except Exception as error:
        return _refuse(f"the work failed: {type(error).__name__}: {error}", 1)
    return 0


def _refuse(sentence: str, status: int) -> int:
    print(" ".join(sentence.split()), file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m core", description="Sparse learning to rank.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def command(name: str, work: Any, help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=help)
        added.set_defaults(command=work)
        added.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        return added

    command("datasets", _datasets, "list the datasets at hand, and where to get the others")
    command("methods", _methods, "list the methods with their solvers and parameters")
    fit = command("fit", _fit, "fit one model")
    _add_data(fit)
    _add_method(fit)
    how = fit.add_mutually_exclusive_group(required=True)
    how.add_argument("--C", type=float, metavar="X", help="C of the papers, 1 / (lambda P)")
    how.add_argument("--lambda-ratio", type=float, metavar="R", help="lambda as a share of lambda_max")
    how.add_argument("--tune", metavar="MEASURE", help="choose C on the validation part, by map or ndcg@10")
    path = command("path", _path, "fit a regularization path from the empty model on")
    _add_data(path)
    _add_method(path)
    path.add_argument("--points", type=int, default=50, metavar="N", help="number of lambdas (default 50)")
    path.add_argument("--smallest-ratio", type=float, default=1e-4, metavar="R", help="where it ends (default 1e-4)")
    evaluate = command("evaluate", _evaluate, "measure given scores of a LETOR file's documents")
    evaluate.add_argument("data", metavar="FILE")
    evaluate.add_argument("scores", metavar="SCORES", help="one number a line, in the order of the documents")
    evaluate.add_argument("--convention", choices=CONVENTIONS)
    features = command("features", _features, "what each feature can do alone")
    features.add_argument("data", metavar="FILE")
    features.add_argument("--convention", choices=CONVENTIONS)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", help="a catalogue name, a folder of folds, a LETOR file or a CSV")
    parser.add_argument("--fold", type=int, default=1, metavar="N", help="counting from 1 (default 1)")
    parser.add_argument("--convention", choices=CONVENTIONS, help="of the metrics (default: the dataset's)")
    parser.add_argument("--scale", choices=[s.id for s in SCALINGS], default="none", help="of the features")
    parser.add_argument("--positive", metavar="LABEL", help="the positive class of a bipartite CSV")
    parser.add_argument(
        "--split", type=float, metavar="SHARE", help="train on this share of a single file, test on the rest"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of --split (default 0)")
    parser.add_argument("--group", action="store_true", help="put together documents of a query that are not")


def _add_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", default="l1", metavar="ID", help="see python -m core methods (default l1)")
    parser.add_argument("--solver", metavar="ID", help="default: the method's first")
    parser.add_argument("--tol", type=float, default=1e-6, metavar="T", help="relative gap or residual (default 1e-6)")
    parser.add_argument("--max-seconds", type=float, default=float("inf"), metavar="S", help="give up after this long")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the method")


def _open(options: argparse.Namespace) -> tuple[Dataset, Fold, Convention]:
    dataset = open_dataset(
        options.data,
        positive=options.positive,
        scale=options.scale,
        split=options.split,
        seed=options.seed,
        group=options.group,
    )
    return dataset, dataset.fold(options.fold), options.convention or dataset.convention


def _settings(assignments: Sequence[str]) -> dict[str, float]:
    settings = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        try:
            settings[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            msg = f"--set takes NAME=VALUE with a number, not {assignment!r}"
            raise UsageError(msg)
    return settings


def _fit(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.evaluation import FoldJudge
    from core.analysis.path import lambda_grid, regularization_path
    from core.analysis.records import fit_record
    from core.analysis.tuning import best_on_validation
    from core.methods import get_method
    from core.metrics import Measure
    from core.solvers import Stop
    from core.warm_up import warm_up

    warm_up()  # loading compiled kernels is not the solver's time
    method = get_method(options.method)
    how: dict[str, Any] = {
        "solver": method.solver(options.solver).id,
        "parameters": method.settings(_settings(options.set)),
        "stop": Stop(tol=options.tol, max_seconds=options.max_seconds),
    }
    measure = None if options.tune is None else str(Measure.parse(options.tune))
    dataset, fold, convention = _open(options)
    judge = FoldJudge(fold, convention)
    training = method.training(fold.train)
    chosen = None
    if options.C is not None:
        lam = training.lam_of(options.C)
    elif options.lambda_ratio is not None:
        lam = training.lam_at(options.lambda_ratio)
    else:
        lams = lambda_grid(training.lam_at(1.0), len(method.ratios), float(method.ratios[-1]))
        chosen = best_on_validation(list(regularization_path(method, training, lams, judge, **how)), options.tune)
        lam = chosen.fit.lam
    fit = method.fit(training, lam, **how)
    record = {"dataset": dataset.name, "fold": options.fold}
    record |= fit_record(fit, judge.metrics(fit.weights), convention)
    if chosen is not None and measure is not None:
        record["tuned"] = {"measure": measure, "vali": chosen.metrics["vali"][measure], "points": len(lams)}
    return record, fit_text(record)


def _path(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.evaluation import FoldJudge
    from core.analysis.path import lambda_grid, regularization_path
    from core.analysis.records import path_record
    from core.methods import get_method
    from core.solvers import Stop
    from core.warm_up import warm_up

    warm_up()
    method = get_method(options.method)
    solver, parameters = method.solver(options.solver).id, method.settings(_settings(options.set))
    _, fold, convention = _open(options)
    training = method.training(fold.train)
    lams = lambda_grid(training.lam_at(1.0), options.points, options.smallest_ratio)
    stop = Stop(tol=options.tol, max_seconds=options.max_seconds)
    judge = FoldJudge(fold, convention)
    points = list(regularization_path(method, training, lams, judge, solver=solver, parameters=parameters, stop=stop))
    record = path_record(points, training.lam_max, convention)
    return record, path_text(record)


def _evaluate(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from core.data.scores import read_scores
    from core.metrics import evaluate_ranking

    dataset = open_dataset(options.data)
    data = dataset.fold(1).train
    convention = options.convention or dataset.convention
    metrics = evaluate_ranking(data, read_scores(Path(options.scores), data.n_documents), convention)
    return metrics | {"convention": convention}, metrics_text({"scores": metrics}, convention)


def _features(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from core.analysis.single_feature import single_feature_scores

    dataset = open_dataset(options.data)
    convention = options.convention or dataset.convention
    rows: list[dict[str, Any]] = [
        {"index": score.index, "name": score.name, "NDCG@10": score.ndcg_at_10, "MAP": score.map}
        for score in single_feature_scores(dataset.fold(1).train, convention)
    ]
    best_first = sorted(rows, key=lambda row: row["NDCG@10"], reverse=True)
    return {"features": rows, "convention": convention}, table_text(best_first)


def _methods(options: argparse.Namespace) -> tuple[list[dict[str, Any]], str]:
    from core.methods import METHODS

    rows: list[dict[str, Any]] = [
        {
            "id": method.id,
            "title": method.title,
            "source": method.source,
            "solvers": [solver.id for solver in method.solvers],
            "parameters": [
                {"name": p.name, "default": p.default, "minimum": p.minimum, "maximum": p.maximum, "help": p.help}
                for p in method.parameters
            ],
        }
        for method in METHODS
    ]
    shown = [
        {
            "id": row["id"],
            "title": row["title"],
            "solvers": ", ".join(row["solvers"]),
            "parameters": ", ".join(f"{p['name']}={p['default']:g}" for p in row["parameters"]),
        }
        for row in rows
    ]
    return rows, table_text(shown)


def _datasets(options: argparse.Namespace) -> tuple[list[dict[str, Any]], str]:
    rows = [
        {"name": entry.name, "title": entry.title, "folds": entry.n_folds, "state": entry.state}
        for entry in catalogue()
    ]
    return rows, table_text(rows)
