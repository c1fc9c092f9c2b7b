"""The table of several methods side by side on one fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.choosing import choosing_part
from core.analysis.endings import reason_words
from core.analysis.tuning.method_bench import BenchRow
from core.experiments.results.difference import Difference
from core.figures.look.style import certificate_label
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.method_bench import kept
from core.methods import get_method
from core.methods.families import full_title

CHOSEN = "chosen with C"
AGAINST = "against the one picked"


def bench_table(
    rows: Sequence[BenchRow],
    part: str,
    measures: Sequence[str],
    *,
    chosen_by: str,
    differences: Mapping[str, Difference] | None = None,
) -> pd.DataFrame:
    """One row a method; a method without a model has its sentence in the last column instead of numbers.

    Parameters
    ----------
    rows : sequence of BenchRow
    part : str
        What ``measures`` are taken on.
    chosen_by : str
        The measure that picks one of the methods, on the part that models are chosen on.
    differences : mapping, optional
        By method: its difference to the one that is picked.
    """
    table = pd.DataFrame([_row(row, part, measures, chosen_by, (differences or {}).get(row.method)) for row in rows])
    return table.drop(columns=[name for name in (CHOSEN, AGAINST) if not any(table[name])])


def _row(
    row: BenchRow, part: str, measures: Sequence[str], chosen_by: str, difference: Difference | None
) -> dict[str, object]:
    cells: dict[str, object] = {"method": full_title(get_method(row.method))}
    cells |= {f"{measure} ({PART_TITLES[part]})": row.value(part, measure) for measure in measures}
    picks = choosing_part(row.judgement.metrics) if row.fit is not None else part
    if picks != part:
        cells[f"{chosen_by} ({PART_TITLES[picks]})"] = row.value(picks, chosen_by)
    cells[AGAINST] = "" if difference is None else difference.words
    fit = row.fit
    if fit is None:
        numbers = ("features", CHOSEN, "sparsity ratio", "seconds", "passes over X", "certificate")
        cells |= dict.fromkeys(numbers) | {"kind": ""} | {"ended": f"{row.refusal[:1].upper()}{row.refusal[1:]}."}
        return cells | {"C": None, "λ/λ_max": None, "id": row.method}
    certificate = fit.result.certificate
    return cells | {
        "features": kept(row),
        CHOSEN: ", ".join(f"{name} = {fit.parameters[name]:g}" for name in row.tried),
        "sparsity ratio": row.sparsity,
        "seconds": row.seconds,
        "passes over X": row.passes,
        "certificate": certificate.relative,
        "kind": certificate_label(certificate.kind, certificate.share_of, certificate.among),
        "ended": _ended(row),
        "C": fit.c,
        "λ/λ_max": fit.lam / fit.lam_max,
        "id": row.method,
    }


def _ended(row: BenchRow) -> str:
    assert row.fit is not None
    words = reason_words(row.fit.result)
    if row.wanted > 1:
        words += f"; {row.fitted} of {row.wanted} models within the budget" if row.fitted < row.wanted else ""
    if not row.ranks:
        words += "; the model is empty at this C, so nothing is ranked"
    return words
