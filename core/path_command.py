"""The command ``path``: models at many values of lambda, or of k."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.arguments import UsageError, names_from_the_command_line
from core.fitting_options import prepare, rules_of
from core.program import PROGRAM
from core.terminal import path_text

if TYPE_CHECKING:  # at run time a command imports what it needs: numba alone takes as long as a short command
    from core.analysis.fitting import Fitting
    from core.analysis.path import PathPoint
    from core.analysis.path_over_k import PathOverK


def path(options: Namespace) -> tuple[dict[str, Any], str]:
    """Fit a path, and return its record and its text."""
    from core.analysis.fit_records import empty_path_record, over_k_record, path_record, training_records
    from core.methods import EmptyOptimumError
    from core.metrics.measures import telling_measures

    at_one = options.C is not None or options.lambda_ratio is not None
    if options.over == "lambda" and at_one and options.html is None:
        msg = (
            "a path over lambda has no single lambda; leave out --C and --lambda-ratio, or add --over k --method "
            "best-subset"
        )
        raise UsageError(msg)
    if options.html is None and (options.view or options.beside):
        msg = "--view and --beside say what the page shows; add --html FILE"
        raise UsageError(msg)
    if options.over == "k" and options.html is not None:
        msg = "--html saves a path over lambda; leave out --over k"
        raise UsageError(msg)
    how, source = prepare(options)
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
    rules = rules_of(options, how.method, fold.train.n_features)
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
