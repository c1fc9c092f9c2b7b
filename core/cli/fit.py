"""The command ``fit``: one model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.analysis.choosing import NOT_KNOWN, RULE_TITLES, Middle
from core.analysis.endings import REASON_OF, ended_words, first_stage_words
from core.analysis.evaluation import printed_rows
from core.analysis.fit_records import empty_optimum_record, fit_record, training_record
from core.analysis.fitting import AtC, AtRatio, OnValidation
from core.analysis.penalties.several_starts import StartsSpread, check_starts, starts_run, starts_words
from core.analysis.tuning.grid_end import END_WORDS, widening_words
from core.cli.fitting import add_method, add_where, prepare
from core.cli.options import (
    HUGE,
    TINY,
    GridSize,
    UsageError,
    add_grid,
    add_rule,
    add_starts,
    names_from_the_command_line,
    within,
)
from core.cli.reading import add_data
from core.cli.terminal import certificate_words, heading, shown_fit, shown_on_the_way, table_text, way_on
from core.methods import EmptyOptimumError, Method, get_method
from core.metrics import Measure
from core.names.counted import counted
from core.solvers import BranchAndBound

SHOWN_MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def add_fit(parser: ArgumentParser) -> None:
    """Give the command its options."""
    add_data(parser)
    add_method(parser)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--C", type=within(float, TINY, HUGE), metavar="X", help="C as in the papers, 1 / (lambda P)")
    how.add_argument(
        "--lambda-ratio", type=within(float, TINY, HUGE), metavar="R", help="lambda as a share of lambda_max"
    )
    how.add_argument(
        "--tune",
        metavar="MEASURE",
        help="choose C on the validation part by this measure: map, ndcg@10, p@5, rr, err@10, r@10, top, ...",
    )
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help="with --method best-subset: save the search in FILE (.npz), and continue it if the file exists",
    )
    add_rule(parser)
    add_grid(parser, default=None)
    add_starts(parser)
    add_where(parser)


def fit(options: Namespace) -> tuple[dict[str, Any], str]:
    """Fit one model, and return its record and its text."""
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
    fold, convention = how.judge.fold, how.judge.convention
    chosen = {}
    try:
        if measure is not None:
            tuned = how.tune(OnValidation(measure, options.choose, options.grid.points, options.grid.widen), shown_fit)
            found, chosen = tuned.point, {"tuned": tuned.record()}
        else:
            lam = how.lam(AtRatio(options.lambda_ratio) if options.C is None else AtC(options.C))
            if options.keep is not None:
                with names_from_the_command_line():
                    how.run(lam)  # a file with another search is refused
            found = how.model(lam, shown_fit)
    except EmptyOptimumError as empty:
        found = how.model(1.0, shown_fit)  # the same at every lambda
        record |= empty_optimum_record(found.fit, empty, found.judgement, convention)
        record |= training_record(fold, found.fit)
        return record, "\n".join([*record.get("reading", []), str(empty)])
    record |= fit_record(found.fit, found.judgement, convention) | chosen | training_record(fold, found.fit)
    if options.starts > 1:
        run = starts_run(how, found.fit, options.starts)
        for _ in shown_on_the_way(run.ends_one_by_one(), options.starts, "starts fitted"):
            pass
        record["starts"] = StartsSpread.of(run.minima(), how.judge).record()
    return record, fit_text(record)


def _kept(method: Method, file: str | None) -> Method:
    """Return the method with a search that is kept in a file, if one is named."""
    if file is None:
        return method
    solvers = tuple(replace(s, file=Path(file)) for s in method.solvers if isinstance(s, BranchAndBound))
    if not solvers:
        msg = f"{method.id} has no search to save; --keep is for best-subset"
        raise UsageError(msg)
    return replace(method, solvers=solvers)


def fit_text(record: Mapping[str, Any]) -> str:
    """Format a fit in about a dozen lines."""
    ratio = record["lambda_ratio"]
    share = "" if ratio is None else f" = {ratio:.2e} lambda_max"
    lines = [
        *record.get("reading", []),
        heading(record, record),
        f"C = {record['C']:.3e}, lambda = {record['lambda']:.3e}{share}",
        f"objective {record['objective']:.9g}; {certificate_words(record['certificate'])}",
        f"{ended_words(record)} after {counted(record['steps'], 'step')}, {record['seconds']:.2g} s"
        f"{way_on(record['stop'])}",
    ]
    if "first_stage" in record:
        lines.append(f"its features were {_first_stage(record['first_stage'])}")
    chosen_by = "MAP"
    if "tuned" in record:
        tuned = record["tuned"]
        chosen_by = tuned["measure"]
        lines += [
            f"{name} = {value:g} chosen among {', '.join(f'{v:g}' for v in tuned['tried'][name])}"
            for name, value in tuned.get("chosen", {}).items()
        ]
        rule = "" if tuned["choice"]["rule"] == "best" else f", {RULE_TITLES[tuned['choice']['rule']]}"
        lines.append(f"C chosen among {tuned['points']} by validation {tuned['measure']} ({tuned['vali']:.4f}){rule}")
        grid = tuned.get("grid", {})
        if "widened" in grid:
            lines.append(widening_words(grid["widened"]))
        if grid.get("end"):
            lines.append(END_WORDS[grid["end"]])
        lines.append(_choice_words(tuned["choice"], chosen_by))
    if "starts" in record:
        lines.append(starts_words(record["starts"]))
    metrics, measures = record["metrics"], tuple(dict.fromkeys((*SHOWN_MEASURES, chosen_by)))
    rows = printed_rows(metrics, record["expected_over_ties"], measures)
    in_file_order = len(rows) > len(metrics)  # a second row of a part, where four digits differ
    ties = "; * in the order of the file, else over the orders of tied documents" if in_file_order else ""
    lines += [
        "",
        table_text([{"part": part} | values for part, values in rows.items()]),
        f"({record['convention']} convention{ties})",
        "",
        f"{counted(record['nonzero'], 'feature')} kept",
    ]
    if record["features"]:
        lines.append(table_text(record["features"]))
    return "\n".join(lines)


def _choice_words(choice: Mapping[str, Any], measure: str) -> str:
    """Say how the choice varies over resamples of the validation queries."""
    if choice["resamples"] == 0:
        return NOT_KNOWN
    middle = "" if "average" not in choice else f"{Middle(0, **choice['average']).words}; "
    part = "test" if "test" in choice else "vali"
    spread = ", ".join(
        f"{part} {measure} {choice[part][measure]['mean']:.4f} ± {choice[part][measure]['deviation']:.4f}"
        for measure in dict.fromkeys(("MAP", "NDCG@10", measure))
    )
    c, kept = choice["C"], choice["nonzero"]
    return (
        f"{middle}on {choice['resamples']} resamples of the validation queries: C {c['5 %']:.1e} to {c['95 %']:.1e} "
        f"(nine in ten), {kept['mean']:.1f} ± {kept['deviation']:.1f} features, {spread}{_known_to(choice[part])}"
    )


def _known_to(reported: Mapping[str, Any]) -> str:
    """Say how exactly the resamples give each ±."""
    shares = [found["deviation_error"] / found["deviation"] for found in reported.values() if found["deviation"] > 0.0]
    return f" (each ± to {100.0 * max(shares):.0f} % of itself)" if shares else ""


def _first_stage(stage: Mapping[str, Any]) -> str:
    chosen = first_stage_words(REASON_OF[stage["stop"]], stage["certificate"]["kind"])
    return f"{chosen}, {certificate_words(stage['certificate'])}{way_on(stage['stop'])}"
