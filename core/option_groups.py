"""Options that several commands share: data, fold, method, rule of choice, grid."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from core.analysis.choosing import RULES
from core.data.numbers import read_number
from core.option_types import GridSize, any_whole_number, grid_size, within
from core.program import PROGRAM
from core.reading_words import add_division_options, add_reading_options

CONVENTIONS = ("standard", "letor3", "letor4")
DATA = "a catalogue name, a folder of folds, a LETOR file, a CSV, or Parquet (a file or a folder of part files)"


def add_data(parser: ArgumentParser) -> None:
    """Give a command the dataset, its fold, and how both are read."""
    parser.add_argument("data", metavar="DATA", help=DATA)
    add_fold(parser)
    add_reading(parser)
    add_division_options(parser)


def add_fold(parser: ArgumentParser) -> None:
    """Give a command the number of the fold."""
    parser.add_argument(
        "--fold", type=any_whole_number, default=1, metavar="N", help="number of the fold, from 1 (default 1)"
    )


def add_reading(parser: ArgumentParser) -> None:
    """Give a command the convention of the metrics and the options for reading files."""
    parser.add_argument("--convention", choices=CONVENTIONS, help="convention of the metrics (default: the dataset's)")
    add_reading_options(parser)


def add_method(parser: ArgumentParser) -> None:
    """Give a command the method with its solver, tolerance, parameters and rules for features."""
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


def add_rule(parser: ArgumentParser) -> None:
    """Give a command the rule by which a model is chosen on the validation part."""
    parser.add_argument(
        "--choose",
        choices=RULES,
        default="best",
        help="how to choose on the validation part: the best (the papers' rule, default), the sparsest within one "
        "standard error of it, or the average over bootstraps of its queries",
    )


def add_starts(parser: ArgumentParser) -> None:
    """Give a command the number of starts of a non-convex penalty."""
    parser.add_argument(
        "--starts",
        type=within(int, 1, 10_000),
        default=1,
        metavar="N",
        help="for non-convex penalties: fit the chosen model's problem from N starts, the model itself and random "
        "ones, and say in how many different minima they end, with the spread of objective, features and measures; "
        "the model stays the one from the plain start (default 1)",
    )


def add_grid(parser: ArgumentParser, default: int | None) -> None:
    """Give a command the number of values of C; ``default`` is None where each method has its own."""
    parser.add_argument(
        "--grid",
        type=grid_size(default),
        default=GridSize(default),
        metavar="N|auto",
        help=f"values of C per method (default {default or 'the method’s own, mostly 50'}); auto, or auto:N for N "
        "values, also widens the grid, by at most four decades at each end, until the choice lies inside",
    )
