"""What the options of a fit name: the fold of a dataset, the method, and the rules for features."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from functools import partial
from typing import Any

from core.analysis.features.rules import RULE_NAMES, Rules, read_rules
from core.analysis.fitting import Fitting
from core.cli.options import UsageError, names_from_the_command_line, starting, within
from core.cli.reading import reading_of
from core.data import Convention, Dataset, Fold
from core.data.copies import copies_in_passing
from core.data.numbers import read_number
from core.methods import Method, get_method
from core.program import PROGRAM
from core.warm_up import warm_up_method


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


def assigned(text: str) -> tuple[str, str]:
    """Split NAME=VALUE."""
    name, _, value = text.partition("=")
    if not (name and value):
        msg = f"NAME=VALUE is needed, not {text!r}"
        raise ArgumentTypeError(msg)
    return name, value


def _assignment(text: str) -> tuple[str, float | str]:
    """Split NAME=VALUE; the parameter itself decides whether a word can be its value."""
    name, value = assigned(text)
    try:
        return name, read_number(value)
    except ValueError:
        return name, value


def add_where(parser: ArgumentParser) -> None:
    """Give a command the place of a large X: memory, the disk, or a cluster."""
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


def open_fold(options: Namespace) -> tuple[Dataset, Fold, Convention]:
    """Return the dataset of the options, its fold and the convention of the metrics."""
    reading = reading_of(options)
    if options.dask is None and not options.out_of_core:
        dataset = reading.open(options.data)
    else:
        from core.data.parquet.parquet_blocks import Home, ScratchBlocks, open_out_of_core

        home: Home = ScratchBlocks
        if options.dask is not None:
            from core.experiments.run.workers.dask_blocks import ParquetOnDask
            from core.experiments.run.workers.dask_tasks import connect

            home = partial(ParquetOnDask, client=options.closing.enter_context(connect(options.dask)))
        dataset = open_out_of_core(options.data, reading, home=home)
    return dataset, dataset.fold(options.fold), options.convention or dataset.convention


def reading_record(dataset: Dataset, fold: Fold) -> dict[str, list[str]]:
    """Return notes on how the data was read and on what repeats itself in it, if anything is unusual."""
    copies = copies_in_passing(fold).notes(fold.train.feature_names)
    notes = [*dataset.notes, *fold.notes, *copies, *(["--drop-copies leaves them out."] if copies else [])]
    return {"reading": notes} if notes else {}


def prepare(options: Namespace) -> tuple[Fitting, dict[str, Any]]:
    """Return the fitting that the options ask for, and the record's description of the data."""
    with names_from_the_command_line():
        method = get_method(options.method)
        solver = method.solver(options.solver).id
        settings = method.settings(dict(options.set))
    stop = method.stop_at(options.tol)
    if options.max_seconds is not None:
        stop = replace(stop, max_seconds=options.max_seconds)
    dataset, fold, convention = open_fold(options)
    with starting():
        warm_up_method(method.id, solver)  # loading compiled kernels is not the solver's time
    source = {"dataset": dataset.name, "fold": options.fold} | reading_record(dataset, fold)
    rules = rules_of(options, method, fold.train.n_features)
    if rules.active:
        source["rules"] = rules.record()
        method = rules.applied(method)
    given = {name: settings[name] for name, _ in options.set}
    how = Fitting.on(fold, method, given, convention, solver=solver, stop=stop)
    if rules.signed:
        with names_from_the_command_line():
            how.run(1.0)  # a solver that knows no signs says so
    return how, source


def rules_of(options: Namespace, method: Method, n_features: int) -> Rules:
    """Return the rules for features of the options; a method that has none is refused."""
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
