"""The command ``path``: models at many values of lambda, or of k."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.analysis.endings import REASON_OF, first_stage_words
from core.analysis.fit_records import empty_path_record, over_k_record, path_record, training_records
from core.analysis.fitting import AtC, AtRatio, Fitting
from core.analysis.path import PathPoint
from core.analysis.path_over_k import DEFAULT_RATIO, K, PathOverK
from core.cli.fitting import add_method, add_where, assigned, prepare, rules_of
from core.cli.options import HUGE, TINY, UsageError, names_from_the_command_line, within, writing
from core.cli.reading import add_data
from core.cli.terminal import certificate_words, heading, marked, table_text, way_on
from core.methods import EmptyOptimumError, get_method
from core.metrics.measures import telling_measures
from core.names.counted import counted
from core.program import PROGRAM


def add_path(parser: ArgumentParser) -> None:
    """Give the command its options."""
    add_data(parser)
    add_method(parser)
    parser.add_argument(
        "--points",
        type=within(int, 1, 100_000),
        metavar="N",
        help="number of lambdas (default: the method's own, mostly 50)",
    )
    parser.add_argument(
        "--smallest-ratio",
        type=within(float),
        metavar="R",
        help="smallest lambda / lambda_max (default: the method's own, mostly 1e-4); a path chooses no model, so that "
        "--grid auto and --starts, which look at the chosen one, belong to fit",
    )
    parser.add_argument(
        "--over",
        choices=("lambda", "k"),
        default="lambda",
        help="k: models with 1, 2, 3 ... features up to --set k=K at one lambda, for methods that have a number of "
        "features k, such as best-subset (default lambda)",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="save the path as a page: one file in which C can be dragged, without a server or a network",
    )
    parser.add_argument(
        "--view",
        choices=("path", "tradeoff", "features", "lab", "fit"),
        help="with --html: show the path as the page of the app with that name does (default path); lab: four linked "
        "pictures; fit: weights and convergence",
    )
    parser.add_argument(
        "--beside",
        metavar="ID,...",
        help="with --html: other methods, with default parameters, to show beside this one; one for --view lab",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=assigned,
        metavar="NAME=VALUE",
        help="with --html: an option of the page's picture, by its name in a notebook, such as across=features; may be "
        "repeated",
    )
    at = parser.add_mutually_exclusive_group()
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
    add_where(parser)


def path(options: Namespace) -> tuple[dict[str, Any], str]:
    """Fit a path, and return its record and its text."""
    at_one = options.C is not None or options.lambda_ratio is not None
    if options.over == "lambda" and at_one and options.html is None:
        msg = (
            "a path over lambda has no single lambda; leave out --C and --lambda-ratio, or add --over k --method "
            "best-subset"
        )
        raise UsageError(msg)
    if options.html is None and (options.view or options.beside or options.option):
        msg = "--view, --beside and --option say what the page shows; add --html FILE"
        raise UsageError(msg)
    if options.over == "k" and options.html is not None:
        msg = "--html saves a path over lambda; leave out --over k"
        raise UsageError(msg)
    drawn = _drawn(options)
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
        _save_page(options, how, points, beside, record["dataset"], drawn)
        record |= {"html": options.html}
        text += f"\n\nSaved as a page: {options.html}"
    return record, text


def _drawn(options: Namespace) -> Mapping[str, Any]:
    """Return the options of the page's picture that the command gives."""
    if not options.option:
        return {}
    from core.export.saved.views import read_options

    with names_from_the_command_line():
        return read_options(options.view or "path", dict(options.option))


def _save_page(
    options: Namespace,
    how: Fitting,
    points: Sequence[PathPoint],
    beside: Sequence[Fitting],
    dataset: str,
    drawn: Mapping[str, Any],
) -> None:
    """Write the path as an HTML file in which C can be dragged, its picture with the options ``drawn``."""
    from core.export.files import write_files
    from core.export.saved.views import SavedPath, saved_view

    file = Path(options.html)
    ratio = options.lambda_ratio
    at = AtC(options.C) if options.C is not None else None if ratio is None else AtRatio(ratio)
    lead = SavedPath.of(how, points)
    page = saved_view(
        options.view or "path",
        lead if at is None else lead.at(how.lam(at)),
        [SavedPath.of(one, one.path(options.points)) for one in beside],
        where=f"{dataset}, {how.judge.fold.name}",
        options=drawn,
        command=shlex.join([PROGRAM, *options.words]),
    )
    with writing(file, options.data):
        write_files(file.parent, {file.name: page.encode()})


def _fittings_beside(options: Namespace, how: Fitting) -> list[Fitting]:
    """Return the fittings of the methods of ``--beside``: default parameters, but the same loss and rules."""
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
    ratio = DEFAULT_RATIO if options.lambda_ratio is None else options.lambda_ratio
    lam = how.lam(AtRatio(ratio) if options.C is None else AtC(options.C))
    most = int(how.settings.get(K, 1))
    path = PathOverK(how, lam, range(1, most + 1))
    while not path.done:
        path.advance()
    return path


def path_text(record: Mapping[str, Any], measures: Sequence[str]) -> str:
    """Format one row a model, with some measures on every part."""
    points = record["points"]
    rows = []
    for point in points:
        row: dict[str, Any] = {"features": point["nonzero"]}
        if "k" in point:
            bound = "" if point["bound"] is None else f"{point['bound']:.6f}"
            row = {"k": point["k"]} | row | {"objective": f"{point['objective']:.6f}", "bound": bound}
        else:
            row = {"lambda/max": f"{point['lambda_ratio']:.2e}", "C": f"{point['C']:.2e}"} | row
        for part, values in point["metrics"].items():
            expected = point["expected_over_ties"].get(part, {})
            row |= {f"{part} {m}": marked(values[m], expected.get(m)) for m in measures}
        rows.append(row)
    lines = [
        *record.get("reading", []),
        heading(record, points[0], without=("k",) if "over" in record else ()),
        f"lambda_max = {record['lambda_max']:.3e}",
        "",
        table_text(rows),
    ]
    stages = [point["first_stage"] for point in points if "first_stage" in point]
    lines += _not_converged(points, len(points), lambda reason, _: f"not converged: {reason}")
    lines += _not_converged(
        stages, len(points), lambda why, worst: f"with features {first_stage_words(REASON_OF[why], worst['kind'])}"
    )
    ties = "; * in the order of the file: another number over the orders of tied documents, which --json has"
    in_file_order = any(str(value).endswith("*") for row in rows for value in row.values())
    lines.append(f"({points[0]['convention']} convention{ties if in_file_order else ''})")
    return "\n".join(lines)


def _not_converged(
    found: Sequence[Mapping[str, Any]], n_models: int, said: Callable[[str, Mapping[str, Any]], str]
) -> list[str]:
    """Count models, or their first stages, by why they ended; ``said`` words that, with the worst certificate."""
    lines = []
    for reason in dict.fromkeys(one["stop"] for one in found if one["stop"] != "converged"):
        ended = [one["certificate"] for one in found if one["stop"] == reason]
        worst = max(ended, key=lambda certificate: certificate["relative"])
        of = f"{len(ended)} of {counted(n_models, 'model')}"
        lines.append(f"{of} {said(reason, worst)}, {certificate_words(worst)} at most{way_on(reason)}")
    return lines
