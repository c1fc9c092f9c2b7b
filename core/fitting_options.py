"""What the options of a fit name: the fold of a dataset, the method, and the rules for features."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.arguments import UsageError, names_from_the_command_line
from core.data import Convention, Dataset, Fold
from core.data.out_of_core import open_out_of_core
from core.reading_words import reading_of

if TYPE_CHECKING:  # at run time a command imports what it needs: numba alone takes as long as a short command
    from core.analysis.features.rules import Rules
    from core.analysis.fitting import Fitting
    from core.methods import Method


def open_fold(options: Namespace) -> tuple[Dataset, Fold, Convention]:
    """Return the dataset of the options, its fold and the convention of the metrics."""
    reading = reading_of(options)
    if options.dask is not None:
        from core.experiments.run.workers.dask_blocks import cluster, home_on

        client = options.closing.enter_context(cluster(options.dask))
        dataset = open_out_of_core(options.data, reading, home=home_on(client))
    else:
        dataset = open_out_of_core(options.data, reading) if options.out_of_core else reading.open(options.data)
    return dataset, dataset.fold(options.fold), options.convention or dataset.convention


def reading_record(dataset: Dataset, fold: Fold) -> dict[str, list[str]]:
    """Return notes on how the data was read and on what repeats itself in it, if anything is unusual."""
    from core.data.copies import copies_in_passing

    copies = copies_in_passing(fold).notes(fold.train.feature_names)
    notes = [*dataset.notes, *fold.notes, *copies, *(["--drop-copies leaves them out."] if copies else [])]
    return {"reading": notes} if notes else {}


def prepare(options: Namespace) -> tuple[Fitting, dict[str, Any]]:
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
    dataset, fold, convention = open_fold(options)
    warm_up((method,))  # loading compiled kernels is not the solver's time
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
