"""The parser of the command line: commands, options, and the ranges of their numbers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from core.data import DataError
from core.file_options import add_convert, add_export, add_import
from core.option_groups import add_data, add_fold, add_grid, add_method, add_reading, add_rule, add_starts
from core.option_types import any_number, within
from core.program import PROGRAM, version
from core.protocol_options import add_paper, add_protocol
from core.terminal import say

LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"
TINY, HUGE = 1e-100, 1e100
"""Limits of C and lambda; beyond them double precision fails."""


class UsageError(ValueError):
    """The command line has a wrong or missing command, option or value."""


@contextmanager
def names_from_the_command_line() -> Iterator[None]:
    """Turn a `ValueError` about a typed name or number into a `UsageError`; elsewhere it would mean failed work."""
    try:
        yield
    except DataError:
        raise
    except ValueError as error:
        raise UsageError(str(error)) from None


class _Parser(ArgumentParser):
    def __init__(self, **options: Any) -> None:
        # An abbreviation would let --lambda X pass for --lambda-ratio X.
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def print_help(self, file: object = None) -> None:
        say(self.format_help().rstrip())


def parse(words: Sequence[str]) -> Namespace:
    """Parse a command line. The result has the command's name in ``command`` and all words as typed in ``words``.

    Raises
    ------
    UsageError
        If there is no such command or option, or a value is out of range.
    SystemExit
        With status 0, after printing the requested help.
    """
    return parser().parse_args(words, Namespace(words=list(words)))


def parser() -> ArgumentParser:
    """Make the parser of all commands."""
    made = _Parser(prog=PROGRAM, description="Sparse learning to rank.")
    made.add_argument("--version", action="version", version=f"sparse-ranking-lab {version()}")
    commands = made.add_subparsers(required=True, dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, help: str) -> ArgumentParser:
        added = commands.add_parser(name, help=help, description=help)
        added.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        return added

    command("datasets", "list the available datasets and where to get the others")
    command("methods", "list the methods with their solvers and parameters")
    fit = command("fit", "fit one model")
    add_data(fit)
    add_method(fit)
    how = fit.add_mutually_exclusive_group(required=True)
    how.add_argument("--C", type=within(float, TINY, HUGE), metavar="X", help="C as in the papers, 1 / (lambda P)")
    how.add_argument(
        "--lambda-ratio", type=within(float, TINY, HUGE), metavar="R", help="lambda as a share of lambda_max"
    )
    how.add_argument(
        "--tune",
        metavar="MEASURE",
        help="choose C on the validation part by this measure: map, ndcg@10, p@5, rr, err@10, r@10, top, ...",
    )
    fit.add_argument(
        "--keep",
        metavar="FILE",
        help="with --method best-subset: save the search in FILE (.npz), and continue it if the file exists",
    )
    add_rule(fit)
    add_grid(fit, default=None)
    add_starts(fit)
    _add_where(fit)
    path = command("path", "fit a regularization path, starting at the empty model")
    add_data(path)
    add_method(path)
    path.add_argument(
        "--points",
        type=within(int, 1, 100_000),
        metavar="N",
        help="number of lambdas (default: the method's own, mostly 50)",
    )
    path.add_argument(
        "--smallest-ratio",
        type=any_number,
        metavar="R",
        help="smallest lambda / lambda_max (default: the method's own, mostly 1e-4); a path chooses no model, so that "
        "--grid auto and --starts, which look at the chosen one, belong to fit",
    )
    path.add_argument(
        "--over",
        choices=("lambda", "k"),
        default="lambda",
        help="k: models with 1, 2, 3 ... features up to --set k=K at one lambda, for methods that have a number of "
        "features k, such as best-subset (default lambda)",
    )
    path.add_argument(
        "--html",
        metavar="FILE",
        help="save the path as a page: one file in which C can be dragged, without a server or a network",
    )
    path.add_argument(
        "--view",
        choices=("path", "tradeoff", "features", "lab"),
        help="with --html: show the path as the page of the app with that name does (default path); lab: four linked "
        "pictures",
    )
    path.add_argument(
        "--beside",
        metavar="ID,...",
        help="with --html: other methods, with default parameters, to show beside this one; one for --view lab",
    )
    at = path.add_mutually_exclusive_group()
    at.add_argument(
        "--C",
        type=within(float, TINY, HUGE),
        metavar="X",
        help="C of the path over k; with --html, C of the model under the line when the page is opened",
    )
    at.add_argument(
        "--lambda-ratio",
        type=within(float, TINY, HUGE),
        metavar="R",
        help="lambda of the path over k, as a share of lambda_max (default 1e-3); with --html, that of the model under "
        "the line when the page is opened (default: the best on validation)",
    )
    _add_where(path)
    evaluate = command("evaluate", "measure the ranking that given scores produce")
    evaluate.add_argument("data", metavar="FILE", help="a LETOR file, a CSV or a Parquet file")
    evaluate.add_argument(
        "scores",
        metavar="SCORES",
        help="a file with one score a line, in the order of the documents; or RESULT.json, the output of fit --json, "
        "to score the documents with that model",
    )
    evaluate.add_argument("--trec-run", metavar="FILE", help="write the ranking as a TREC run, for other tools")
    evaluate.add_argument("--trec-qrels", metavar="FILE", help="write the relevance of all documents as TREC qrels")
    add_reading(evaluate)
    features = command("features", "measure the ranking by each feature alone")
    features.add_argument(
        "data", metavar="FILE", help="a LETOR file, a CSV, a Parquet file, or a dataset (its training part)"
    )
    add_fold(features)
    add_reading(features)
    add_export(command("export", "write a fitted model in the format of a search engine or of another tool"))
    add_import(command("import", "join judgments and feature logs into one LETOR file"))
    add_convert(
        command("convert", "write data as Parquet: one file of one file, the same folds of a dataset with folds")
    )
    add_protocol(
        command(
            "protocol", "run the papers' protocol: every method on every fold of every dataset; each result is saved"
        )
    )
    add_paper(command("paper", "compute a figure or table of a paper; each finished piece is saved"))
    command("papers", "list the figures and tables that the command paper can compute")
    audit = command("audit", "compare this program's answers on your data with independent ones")
    add_data(audit)
    lesson = command("lesson", "check the file of a lesson and print its answers")
    lesson.add_argument("file", metavar="FILE", help="a Markdown file with front matter; CONTRIBUTING.md shows one")
    run = commands.add_parser("run", help="start the app on this machine")
    run.add_argument("--no-browser", action="store_true", help="do not open a browser tab")
    _add_place(run, LOCAL)
    serve = commands.add_parser("serve", help="start the app for other machines; SECURITY.md explains how")
    serve.add_argument(
        "--class",
        action="store_true",
        dest="in_class",
        help="for a class: people join by a code, and their pages follow the presenter's",
    )
    serve.add_argument("--no-browser", action="store_true", help="with --class: do not open the presenter's page")
    _add_place(serve, EVERYWHERE)
    return made


def _add_where(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--out-of-core",
        action="store_true",
        help="leave the features of Parquet data on the disk, in a temporary file of plain numbers, and read them "
        "block by block at every pass, for data larger than memory",
    )
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="keep the features of Parquet data in the memory of a Dask cluster's workers, which see the file under "
        "the same path; ADDRESS is the scheduler's, such as tcp://10.0.0.1:8786",
    )


def _add_place(parser: ArgumentParser, address: str) -> None:
    parser.add_argument("--address", default=address, metavar="A", help=f"interface to listen to (default {address})")
    parser.add_argument(
        "--port", type=within(int, 1, 65535), default=8501, metavar="N", help="port to listen to (default 8501)"
    )
