"""The command ``fit``: one model."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.arguments import UsageError, names_from_the_command_line
from core.fitting_options import prepare
from core.on_the_way import shown_fit, shown_on_the_way
from core.option_types import GridSize
from core.terminal import fit_text

if TYPE_CHECKING:  # at run time a command imports what it needs: numba alone takes as long as a short command
    from core.analysis.fitting import Fitting
    from core.methods import Fit, Method


def fit(options: Namespace) -> tuple[dict[str, Any], str]:
    """Fit one model, and return its record and its text."""
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
    how, record = prepare(options)
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


def _from_starts(how: Fitting, fit: Fit, n: int) -> dict[str, Any]:
    """Fit the model's problem from several starts, and return the record of the minima."""
    from core.analysis.penalties.starts_spread import StartsSpread, starts_run

    run = starts_run(how, fit, n)
    for _ in shown_on_the_way(run.ends_one_by_one(), n, "starts fitted"):
        pass
    return StartsSpread.of(run.minima(), how.judge).record()
