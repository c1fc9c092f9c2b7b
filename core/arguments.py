"""The parser of the command line: commands, options, and the ranges of their numbers."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from core.analysis.choosing import RULES
from core.data import DataError
from core.data.numbers import read_number
from core.export.models.formats import MODEL_FORMATS
from core.option_types import GridSize, any_number, any_whole_number, grid_size, names_between_commas, within
from core.program import PROGRAM, version
from core.reading_words import add_division_options, add_reading_options
from core.terminal import say

CONVENTIONS = ("standard", "letor3", "letor4")
LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"
_DATA = "a catalogue name, a folder of folds, a LETOR file, a CSV, or Parquet (a file or a folder of part files)"
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
    _add_data(fit)
    _add_method(fit)
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
    _add_rule(fit)
    _add_grid(fit, default=None)
    _add_starts(fit)
    _add_where(fit)
    path = command("path", "fit a regularization path, starting at the empty model")
    _add_data(path)
    _add_method(path)
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
        help="smallest lambda / lambda_max (default: the method's own, mostly 1e-4)",
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
    _add_reading(evaluate)
    features = command("features", "measure the ranking by each feature alone")
    features.add_argument(
        "data", metavar="FILE", help="a LETOR file, a CSV, a Parquet file, or a dataset (its training part)"
    )
    _add_fold(features)
    _add_reading(features)
    _add_export(command("export", "write a fitted model in the format of a search engine or of another tool"))
    _add_import(command("import", "join judgments and feature logs into one LETOR file"))
    _add_convert(
        command("convert", "write data as Parquet: one file of one file, the same folds of a dataset with folds")
    )
    _add_protocol(
        command(
            "protocol", "run the papers' protocol: every method on every fold of every dataset; each result is saved"
        )
    )
    _add_paper(command("paper", "compute a figure or table of a paper; each finished piece is saved"))
    command("papers", "list the figures and tables that the command paper can compute")
    audit = command("audit", "compare this program's answers on your data with independent ones")
    _add_data(audit)
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
        help="leave the features of Parquet data on the disk and read them block by block at every pass, for data "
        "larger than memory",
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


def _add_export(parser: ArgumentParser) -> None:
    parser.add_argument("result", metavar="RESULT.json", help=f"a file with the output of {PROGRAM} fit ... --json")
    parser.add_argument("--format", choices=[known.id for known in MODEL_FORMATS], required=True, help="of the model")
    parser.add_argument("--out", required=True, metavar="FILE", help="file to write the model to")
    parser.add_argument("--name", metavar="N", help="name of the model, where the format has one")
    parser.add_argument(
        "--feature-set",
        metavar="FILE",
        help="an Elasticsearch or OpenSearch feature set; the part that the model needs is written next to the model, "
        "with the ending .featureset.json",
    )


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="judgments (Quepid, Rated Ranking Evaluator, OpenSearch, TREC qrels, LETOR) and feature logs "
        "(Elasticsearch, OpenSearch, Solr, LETOR, CSV), or features with their group sizes (LightGBM .query, "
        "XGBoost .group), in any order; the content tells which is which",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="LETOR file to write, which every other command reads"
    )


def _add_convert(parser: ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", help=_DATA)
    parser.add_argument(
        "--out",
        required=True,
        metavar="PLACE",
        help="file to write (NAME.parquet), or for data with folds the folder of Fold1/train.parquet and so on",
    )
    parser.add_argument(
        "--dtype", choices=("float64", "float32"), help="type of the features (default: as they are, float64 for text)"
    )
    add_reading_options(parser)


def _add_paper(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help=f"name of a figure or table; {PROGRAM} papers lists them")
    parser.add_argument(
        "data", nargs="*", metavar="DATA", help="datasets, if it needs any: catalogue names, folders of folds, or files"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for finished pieces, page and tables; run the command again to continue",
    )
    parser.add_argument(
        "--quick", action="store_true", help="use few sizes and trials instead of the paper's, where that is possible"
    )
    _add_reading(parser)
    add_division_options(parser)


def _add_rule(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--choose",
        choices=RULES,
        default="best",
        help="how to choose on the validation part: the best (the papers' rule, default), the sparsest within one "
        "standard error of it, or the average over bootstraps of its queries",
    )


def _add_starts(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--starts",
        type=within(int, 1, 10_000),
        default=1,
        metavar="N",
        help="for non-convex penalties: fit the chosen model's problem from N starts, the model itself and random "
        "ones, and say in how many different minima they end, with the spread of objective, features and measures; "
        "the model stays the one from the plain start (default 1)",
    )


def _add_grid(parser: ArgumentParser, default: int | None) -> None:
    parser.add_argument(
        "--grid",
        type=grid_size(default),
        default=GridSize(default),
        metavar="N|auto",
        help=f"values of C per method (default {default or 'the method’s own, mostly 50'}); auto, or auto:N for N "
        "values, also widens the grid, by at most four decades at each end, until the choice lies inside",
    )


def _add_protocol(parser: ArgumentParser) -> None:
    parser.add_argument("data", nargs="+", metavar="DATA", help="catalogue names, folders of folds, or files to split")
    parser.add_argument(
        "--methods",
        type=names_between_commas,
        required=True,
        metavar="ID,ID,...",
        help=f"ids that {PROGRAM} methods lists, with parameters as in mcp:gamma=2 (MCP as printed); lambdamart, a "
        f"reference; or the name of a paper's table, which {PROGRAM} papers lists, for all its rows",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the report and for runs.sqlite, which holds every finished cell; run the command again to "
        "continue",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=within(int, 1, 4096), metavar="N", help="processes on this machine (default: one per core)"
    )
    where.add_argument("--dask", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument(
        "--measure",
        default="map",
        metavar="MEASURE",
        help="measure that chooses C on the validation part: map as in Laporte et al. (default), ndcg@10 as in Lai et "
        "al.; published numbers are shown next to ours if the same measure chose both",
    )
    _add_rule(parser)
    _add_starts(parser)
    parser.add_argument(
        "--bootstrap-training",
        type=within(int, 0, 10_000),
        default=0,
        metavar="B",
        help="draw the training queries of every fold again B times with replacement, fit and choose on each draw, and "
        "give the spread as a third ±, by training; each draw is saved like a cell (default 0)",
    )
    _add_grid(parser, default=20)
    parser.add_argument(
        "--reference",
        metavar="ID",
        help="the one of --methods that the others are compared with (default l2, else the first)",
    )
    parser.add_argument(
        "--margin",
        type=within(float, 0.0, 1.0),
        default=0.01,
        metavar="M",
        help="methods whose MAP or NDCG@10 differs by no more, the choice of C included, are equivalent (default 0.01, "
        "of measures between 0 and 1)",
    )
    _add_reading(parser)
    add_division_options(parser)


def _add_data(parser: ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", help=_DATA)
    _add_fold(parser)
    _add_reading(parser)
    add_division_options(parser)


def _add_fold(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--fold", type=any_whole_number, default=1, metavar="N", help="number of the fold, from 1 (default 1)"
    )


def _add_reading(parser: ArgumentParser) -> None:
    parser.add_argument("--convention", choices=CONVENTIONS, help="convention of the metrics (default: the dataset's)")
    add_reading_options(parser)


def _add_method(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--method", default="l1", metavar="ID", help=f"id of the method; {PROGRAM} methods lists them (default l1)"
    )
    parser.add_argument("--solver", metavar="ID", help="id of the solver (default: the method's first)")
    parser.add_argument(
        "--tol",
        type=within(float, 0.0, 1.0),
        metavar="T",
        help="fit until the relative gap or residual is at most T, past any rule or step limit of the method's paper "
        "(default: stop as the paper does, or at 1e-6 if it gives no rule)",
    )
    parser.add_argument(
        "--max-seconds",
        type=within(float, 0.0, float("inf")),
        metavar="S",
        help="time limit of a fit, in seconds (default: the method's own, if it has one)",
    )
    parser.add_argument(
        "--set",
        type=_assignment,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the method; may be repeated",
    )
    for name, example, help in (
        ("--off", "3,7", "features that the model must do without, by number from 1"),
        ("--forced", "2", "features that pay no penalty, by number from 1"),
        ("--costs", "3:2.5,9:50",
            "costs of features, by number (the others cost 1); a feature's penalty is its cost over the mean of all "
            "that are not off"),
        ("--helps", "3,7", "features that may only help, by number from 1: their weights are 0 or more"),
        ("--hurts", "2", "features that may only hurt, by number from 1: their weights are 0 or less"),
    ):  # fmt: skip
        parser.add_argument(name, default="", metavar=example, help=help)


def _assignment(text: str) -> tuple[str, float | str]:
    """Split NAME=VALUE; the parameter itself decides whether a word can be its value."""
    name, _, value = text.partition("=")
    if not (name and value):
        msg = f"NAME=VALUE is needed, not {text!r}"
        raise ArgumentTypeError(msg)
    try:
        return name, read_number(value)
    except ValueError:
        return name, value
