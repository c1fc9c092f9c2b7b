"""Records as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SHOWN_MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10")


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
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def metrics_text(metrics: Mapping[str, Mapping[str, float]], convention: str) -> str:
    """One row a part, the measures people look at first."""
    rows = [{"part": part} | {m: values[m] for m in SHOWN_MEASURES if m in values} for part, values in metrics.items()]
    return f"{table_text(rows)}\n({convention} convention)"


def fit_text(record: Mapping[str, Any]) -> str:
    """A fit in a dozen lines."""
    certificate = record["certificate"]
    unit = "of the objective" if certificate["kind"] == "duality gap" else "of lambda"
    ratio = record["lambda_ratio"]
    share = "" if ratio is None else f" = {ratio:.2e} lambda_max"
    lines = [
        f"{record['dataset']} fold {record['fold']}: {record['method']} by {record['solver']}",
        f"C = {record['C']:.3e}, lambda = {record['lambda']:.3e}{share}",
        f"objective {record['objective']:.9g}; {certificate['kind']} {certificate['relative']:.1e} {unit}",
        f"{record['stop']} after {record['steps']} steps, {record['seconds']:.2g} s",
    ]
    if "tuned" in record:
        tuned = record["tuned"]
        lines.append(f"C chosen among {tuned['points']} by validation {tuned['measure']} ({tuned['vali']:.4f})")
    lines += ["", metrics_text(record["metrics"], record["convention"]), "", f"{record['nonzero']} features kept"]
    if record["features"]:
        lines.append(table_text(record["features"]))
    return "\n".join(lines)


def path_text(record: Mapping[str, Any]) -> str:
    """One row a model."""
    rows = []
    for point in record["points"]:
        row: dict[str, Any] = {
            "lambda/max": f"{point['lambda_ratio']:.2e}",
            "C": f"{point['C']:.2e}",
            "features": point["nonzero"],
        }
        for part, values in point["metrics"].items():
            row |= {f"{part} MAP": values["MAP"], f"{part} NDCG@10": values["NDCG@10"]}
        rows.append(row)
    return table_text(rows)
