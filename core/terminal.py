"""Text of records for a terminal, and printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.choosing import NOT_KNOWN, RULE_TITLES, Middle
from core.analysis.endings import REASON_OF, ended_words, first_stage_words
from core.analysis.penalties.starts_words import starts_words
from core.analysis.tuning.grid_end import END_WORDS, widening_words
from core.data.nouns import Nouns
from core.names.counted import counted
from core.names.plain import in_terminal, visible

SHOWN_MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def say(text: str) -> None:
    """Print, names as text, and fail at once if the reader has gone or the disk is full."""
    encoding = sys.stdout.encoding or "utf-8"
    try:  # the interpreter flushes too late
        print(in_terminal(text).encode(encoding, "replace").decode(encoding), flush=True)
    except OSError:
        # What could not be written stays in the buffer, and would be tried again on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format a table: columns as wide as needed, numbers to the right, metrics with four digits."""
    if not rows:
        return "(nothing)"
    heads = list(rows[0])
    cells = [[_cell(row[head]) for head in heads] for row in rows]
    numeric = [all(isinstance(row[head], int | float) for row in rows) for head in heads]
    widths = [max(len(line[c]) for line in [heads, *cells]) for c in range(len(heads))]
    lines = []
    for line in [heads, *cells]:
        parts = [t.rjust(w) if right else t.ljust(w) for t, w, right in zip(line, widths, numeric, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return visible(str(value))
    shows_with_four_decimals = value == 0.0 or 5e-5 <= abs(value) < 1e6
    return f"{value:.4f}" if shows_with_four_decimals else f"{value:.1e}"


def datasets_text(rows: Sequence[Mapping[str, Any]], sources: Mapping[str, tuple[str, str]]) -> str:
    """List the datasets that can be opened or are broken, and below them how to get the rest.

    ``sources`` maps a set's name to the page that offers it and to what to do with it, with ``{name}`` for the name.
    """
    absent = [row["name"] for row in rows if row["name"] in sources and row["folds"] == 0]
    lines = [table_text([row for row in rows if row["name"] not in absent])]
    for page, place in dict.fromkeys(sources[name] for name in absent):
        names = [name for name in absent if sources[name] == (page, place)]
        lines += [
            "",
            f"{', '.join(names)}:",
            f"  not here; get {'them' if len(names) > 1 else 'it'} from {page}",
            f"  and {place.format(name='NAME' if len(names) > 1 else names[0])}",
        ]
    return "\n".join(lines)


def features_text(record: Mapping[str, Any], nouns: Nouns) -> str:
    """Format one row a feature, the best first: by Top where there are classes, else by NDCG@10."""
    top = {row["index"]: {"Top": row["Top"]} if "Top" in row else {} for row in record["features"]}
    best_first = sorted(
        record["features"],
        key=lambda row: row.get("Top", row["expected_over_ties"].get("NDCG@10", row["NDCG@10"])),
        reverse=True,
    )
    same = nouns.compared
    tied = [name for name in ("NDCG@10", "MAP") if any(name in row["expected_over_ties"] for row in best_first)]
    over = "in the order of the file (*), else" if tied else "count"
    rows = [
        {name: row[name] for name in ("index", "name")}
        | top[row["index"]]
        | {name: row["expected_over_ties"].get(name, row[name]) for name in ("NDCG@10", "MAP")}
        | {f"{name}*": row[name] for name in tied}
        | {"": "" if row["ranks"] else f"cannot rank: the same for all {same}"}
        for row in best_first
    ]
    return (
        f"{table_text(rows)}\n({record['convention']} convention; {nouns.rows} with the same value {over} in "
        "expectation over their orders)"
    )


def measures_text(metrics: Mapping[str, float], expected: Mapping[str, float], convention: str) -> str:
    """Format every measure of one ranking: those of the whole list, then those at rank k, one row a k.

    Parameters
    ----------
    metrics : mapping
        Values by measure, as tables print them.
    expected : mapping
        The values that differ in expectation over the orders of tied documents; they are marked.
    convention : str
    """
    shown: dict[str, float | str] = {name: marked(value, expected.get(name)) for name, value in metrics.items()}
    whole = {name: value for name, value in shown.items() if "@" not in name}
    kinds = list(dict.fromkeys(name.partition("@")[0] for name in metrics if "@" in name))
    ranks = dict.fromkeys(name.partition("@")[2] for name in metrics if "@" in name)
    at_rank = [{"k": int(k)} | {f"{kind}@k": shown[f"{kind}@{k}"] for kind in kinds} for k in ranks]
    differ = ", ".join(f"{name} {value:.4f}" for name, value in expected.items() if str(shown[name]).endswith("*"))
    ties = f"; * in the order of the file; over the orders of tied documents {differ}" if differ else ""
    return f"{table_text([whole])}\n\n{table_text(at_rank)}\n({convention} convention{ties})"


def marked(value: float, expected: float | None) -> float | str:
    """Mark a number in file order if the mean over the orders of tied documents has other digits."""
    return value if expected is None or f"{value:.4f}" == f"{expected:.4f}" else f"{value:.4f}*"


def metrics_text(
    metrics: dict[str, dict[str, float]], expected: dict[str, dict[str, float]], convention: str, chosen_by: str = "MAP"
) -> str:
    """Format one row a part with the main measures, and a second one in file order where four digits of them differ.

    Parameters
    ----------
    metrics : dict
        Values by part, then by measure, as tables print them.
    expected : dict
        The values that differ in expectation over the orders of tied documents.
    convention : str
    chosen_by : str
        A measure that is shown, too.
    """
    from core.analysis.evaluation import printed_rows

    rows = printed_rows(metrics, expected, tuple(dict.fromkeys((*SHOWN_MEASURES, chosen_by))))
    ties = "; * in the order of the file, else over the orders of tied documents"
    table = table_text([{"part": part} | values for part, values in rows.items()])
    return f"{table}\n({convention} convention{ties if len(rows) > len(metrics) else ''})"


def fit_text(record: Mapping[str, Any]) -> str:
    """Format a fit in about a dozen lines."""
    ratio = record["lambda_ratio"]
    share = "" if ratio is None else f" = {ratio:.2e} lambda_max"
    lines = [
        *record.get("reading", []),
        _heading(record, record),
        f"C = {record['C']:.3e}, lambda = {record['lambda']:.3e}{share}",
        f"objective {record['objective']:.9g}; {_certificate(record['certificate'])}",
        f"{ended_words(record)} after {counted(record['steps'], 'step')}, {record['seconds']:.2g} s"
        f"{_way_on(record['stop'])}",
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
    lines += [
        "",
        metrics_text(record["metrics"], record["expected_over_ties"], record["convention"], chosen_by),
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
        _heading(record, points[0], without=("k",) if "over" in record else ()),
        f"lambda_max = {record['lambda_max']:.3e}",
        "",
        table_text(rows),
    ]
    for reason in dict.fromkeys(point["stop"] for point in points if point["stop"] != "converged"):
        ended = [point for point in points if point["stop"] == reason]
        worst = max((point["certificate"] for point in ended), key=lambda certificate: certificate["relative"])
        of = f"{len(ended)} of {counted(len(points), 'model')}"
        lines.append(f"{of} not converged: {reason}, {_certificate(worst)} at most{_way_on(reason)}")
    lines += _first_stages(points)
    ties = "; * in the order of the file: another number over the orders of tied documents, which --json has"
    in_file_order = any(str(value).endswith("*") for row in rows for value in row.values())
    lines.append(f"({points[0]['convention']} convention{ties if in_file_order else ''})")
    return "\n".join(lines)


def _first_stages(points: Sequence[Mapping[str, Any]]) -> list[str]:
    """Count the refitted models whose features come from a model that had not converged."""
    stages = [point["first_stage"] for point in points if "first_stage" in point]
    lines = []
    for reason in dict.fromkeys(stage["stop"] for stage in stages if stage["stop"] != "converged"):
        ended = [stage for stage in stages if stage["stop"] == reason]
        worst = max(ended, key=lambda stage: stage["certificate"]["relative"])
        of = f"{len(ended)} of {counted(len(points), 'model')}"
        chosen = first_stage_words(REASON_OF[reason], worst["certificate"]["kind"])
        lines.append(f"{of} with features {chosen}, {_certificate(worst['certificate'])} at most{_way_on(reason)}")
    return lines


def _first_stage(stage: Mapping[str, Any]) -> str:
    chosen = first_stage_words(REASON_OF[stage["stop"]], stage["certificate"]["kind"])
    return f"{chosen}, {_certificate(stage['certificate'])}{_way_on(stage['stop'])}"


def _certificate(certificate: Mapping[str, Any]) -> str:
    """Format kind and relative value, and the models among which the certificate holds if these are not all."""
    unit = {"F": "of the objective", "λ": "of lambda"}.get(certificate["unit"], f"of {certificate['unit']}")
    words = f"{certificate['kind']} {certificate['relative']:.1e} {unit}"
    if not certificate["among"]:
        return words
    if certificate["kind"] == "duality gap":
        return f"{words} among models {certificate['among']}"
    return f"{words}, as far as models {certificate['among']} go"


def _way_on(stop: str) -> str:
    """Say how to continue if the paper's own rule or limit ended a fit."""
    if stop == "the paper's rule":
        return " (--tol 1e-6 continues until the certificate holds)"
    return " (--tol removes the limit)" if stop.startswith("the paper's") else ""


def _heading(source: Mapping[str, Any], fit: Mapping[str, Any], without: Sequence[str] = ()) -> str:
    settings = {name: value for name, value in fit["parameters"].items() if name not in without}
    ridge = settings.pop("ridge", None)
    refit = f", refitted with ridge = {ridge:g}" if settings.pop("refit", 0.0) else ""
    set_by_hand = "".join(f", {name} = {value:g}" for name, value in settings.items()) + refit
    return f"{source['dataset']} fold {source['fold']}: {fit['method']} by {fit['solver']}{set_by_hand}"
