"""Sentences and table of several methods side by side on one fold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.choosing import choosing_part
from core.analysis.endings import reason_words
from core.analysis.path import PathPoint
from core.analysis.tradeoff.tradeoff import TradeoffPoint, best_within, tradeoff_points
from core.analysis.tuning.method_bench import BenchRow
from core.experiments.results.difference import NOT_CLEAR, Difference, signed
from core.figures.look.style import certificate_label, seconds
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.methods import get_method
from core.methods.registry import full_title

CHOSEN = "chosen with C"
AGAINST = "against the one picked"

SMALLEST, LARGEST = 9.0, 30.0  # diameters of marks, in pixels


def kept(row: BenchRow) -> int:
    """Return the number of features kept; 0 without a model."""
    return row.fit.result.nonzero if row.fit is not None else 0


def mark_sizes(times: Sequence[float]) -> list[float]:
    """Return diameters that grow with the logarithm of the time; all are alike if the times are."""
    logs = [math.log10(max(time, 1e-6)) for time in times]
    if not logs or max(logs) - min(logs) < 1e-9:
        return [SMALLEST + 4.0] * len(logs)
    spread = max(logs) - min(logs)
    return [SMALLEST + (LARGEST - SMALLEST) * (log - min(logs)) / spread for log in logs]


def bench_best(rows: Sequence[BenchRow], usable: NDArray[np.bool_], measure: str) -> TradeoffPoint | None:
    """Return the model that the choosing part picks; None where no method keeps a feature.

    Parameters
    ----------
    rows : sequence of BenchRow
    usable : ndarray of bool, shape (n_features,)
        From `FoldJudge.usable_features`.
    measure : str
    """
    points = [
        point
        for row in rows
        if row.fit is not None
        for point in tradeoff_points([PathPoint.of(row.fit, row.judgement)], usable)
    ]
    return best_within(points, len(usable), measure)


def bench_sentence(
    rows: Sequence[BenchRow],
    titles: Mapping[str, str],
    part: str,
    measure: str,
    usable: NDArray[np.bool_],
    differences: Mapping[str, Difference],
) -> str:
    """Say which method the choosing part picks, and the sparsest one without a clear difference to it.

    ``differences`` has each other method's difference to the one picked.
    """
    best = bench_best(rows, usable, measure)
    if best is None:
        return "No method keeps a feature here"
    count = sum(row.ranks for row in rows)
    value = f"{PART_WORDS[part]} {measure} {best.value(part, measure):.4f}"
    if count == 1:
        return f"{titles[best.method]} reaches {value} with {best.kept} of {len(usable)} features"
    by = PART_WORDS[choosing_part(best.values)].capitalize()
    sentence = (
        f"{by} picks {titles[best.method]} of {count} methods: {value} with {best.kept} of {len(usable)} features"
    )
    sparser = [
        row
        for row in rows
        if kept(row) < best.kept and row.method in differences and differences[row.method].verdict == NOT_CLEAR
    ]
    if not sparser:
        return sentence
    sparse = min(sparser, key=kept)
    found = differences[sparse.method]
    return f"{sentence}; {titles[sparse.method]} with {kept(sparse)}: {signed(found.value)}, {found.verdict}"


def time_sentence(rows: Sequence[BenchRow], titles: Mapping[str, str]) -> str:
    """Say how much longer the slowest method takes than the fastest."""
    shown = sorted((row for row in rows if row.ranks), key=lambda row: row.seconds)
    if not shown:
        return "No method keeps a feature here"
    fast, slow = shown[0], shown[-1]
    if len(shown) == 1 or fast.seconds <= 0.0:
        return f"{titles[slow.method]} keeps {kept(slow)} features in {seconds(slow.seconds)}"
    times = slow.seconds / fast.seconds
    return (
        f"{titles[slow.method]} takes {times:,.{0 if times >= 10 else 1}f} times as long as {titles[fast.method]}: "
        f"{seconds(slow.seconds)} against {seconds(fast.seconds)}"
    )


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
