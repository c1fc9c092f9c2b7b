"""Records as text for a terminal, and the way there."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

SHOWN_MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def say(text: str) -> None:
    """Print, and notice at once if the reader has gone or the disk is full; the interpreter's own flush is too late."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except OSError:
        # What could not be written stays in the buffer, and would be tried again on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Columns as wide as they need to be; numbers to the right, metrics with four digits."""
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
        return str(value)
    shows_with_four_decimals = value == 0.0 or 5e-5 <= abs(value) < 1e6
    return f"{value:.4f}" if shows_with_four_decimals else f"{value:.1e}"


def datasets_text(rows: Sequence[Mapping[str, Any]], sources: Mapping[str, tuple[str, str]]) -> str:
    """The datasets that can be opened or are broken, and below them how to get the rest.

    ``sources`` has, by name, the page that offers a set and what to do with it, with ``{name}`` for its name.
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


def features_text(record: Mapping[str, Any]) -> str:
    """One row a feature, the best first."""
    best_first = sorted(record["features"], key=lambda row: row["NDCG@10"], reverse=True)
    return f"{table_text(best_first)}\n({record['convention']} convention)"


def measures_text(metrics: Mapping[str, float], convention: str) -> str:
    """Every measure of one ranking: those of the whole list, then those at rank k, one row a k."""
    whole = {name: value for name, value in metrics.items() if "@" not in name}
    kinds = list(dict.fromkeys(name.partition("@")[0] for name in metrics if "@" in name))
    ranks = dict.fromkeys(name.partition("@")[2] for name in metrics if "@" in name)
    at_rank = [{"k": int(k)} | {f"{kind}@k": metrics[f"{kind}@{k}"] for kind in kinds} for k in ranks]
    return f"{table_text([whole])}\n\n{table_text(at_rank)}\n({convention} convention)"


def metrics_text(metrics: Mapping[str, Mapping[str, float]], convention: str) -> str:
    """One row a part, the measures people look at first."""
    rows = [{"part": part} | {m: values[m] for m in SHOWN_MEASURES if m in values} for part, values in metrics.items()]
    return f"{table_text(rows)}\n({convention} convention)"


def fit_text(record: Mapping[str, Any]) -> str:
    """A fit in a dozen lines."""
    certificate = record["certificate"]
    unit = {"F": "of the objective", "λ": "of lambda"}.get(certificate["unit"], f"of {certificate['unit']}")
    ratio = record["lambda_ratio"]
    share = "" if ratio is None else f" = {ratio:.2e} lambda_max"
    lines = [
        _heading(record, record),
        f"C = {record['C']:.3e}, lambda = {record['lambda']:.3e}{share}",
        f"objective {record['objective']:.9g}; {certificate['kind']} {certificate['relative']:.1e} {unit}",
        f"{record['stop']} after {_count(record['steps'], 'step')}, {record['seconds']:.2g} s",
    ]
    if "tuned" in record:
        tuned = record["tuned"]
        lines += [
            f"{name} = {value:g} chosen among {', '.join(f'{v:g}' for v in tuned['tried'][name])}"
            for name, value in tuned.get("chosen", {}).items()
        ]
        lines.append(f"C chosen among {tuned['points']} by validation {tuned['measure']} ({tuned['vali']:.4f})")
    lines += [
        "",
        metrics_text(record["metrics"], record["convention"]),
        "",
        f"{_count(record['nonzero'], 'feature')} kept",
    ]
    if record["features"]:
        lines.append(table_text(record["features"]))
    return "\n".join(lines)


def path_text(record: Mapping[str, Any]) -> str:
    """One row a model."""
    points = record["points"]
    rows = []
    for point in points:
        row: dict[str, Any] = {
            "lambda/max": f"{point['lambda_ratio']:.2e}",
            "C": f"{point['C']:.2e}",
            "features": point["nonzero"],
        }
        for part, values in point["metrics"].items():
            row |= {f"{part} MAP": values["MAP"], f"{part} NDCG@10": values["NDCG@10"]}
        rows.append(row)
    lines = [_heading(record, points[0]), f"lambda_max = {record['lambda_max']:.3e}", "", table_text(rows)]
    unfinished = [point for point in points if point["stop"] != "converged"]
    if unfinished:
        lines.append(f"{len(unfinished)} of {_count(len(points), 'model')} not converged: {unfinished[0]['stop']}")
    lines.append(f"({points[0]['convention']} convention)")
    return "\n".join(lines)


def _heading(source: Mapping[str, Any], fit: Mapping[str, Any]) -> str:
    set_by_hand = "".join(f", {name} = {value:g}" for name, value in fit["parameters"].items())
    return f"{source['dataset']} fold {source['fold']}: {fit['method']} by {fit['solver']}{set_by_hand}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
