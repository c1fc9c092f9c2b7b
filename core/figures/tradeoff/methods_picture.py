"""The picture of the Methods page: several methods side by side on one fold, each within a budget of time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import choosing_part
from core.analysis.endings import reason_words
from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import AtRatio, OnValidation
from core.analysis.path import PathPoint
from core.analysis.tradeoff.tradeoff import TradeoffRow, best_within, tradeoff_points
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC
from core.analysis.tuning.method_rows import BenchMethod, MethodRows
from core.data import Convention, Fold
from core.experiments.results.difference import NOT_CLEAR, Difference, model_difference, signed
from core.figures.look.drawing import Drawing, note
from core.figures.look.labels import beside_height, beside_room, names_beside, narrow
from core.figures.look.style import MUTED, certificate_label, counting, layout, method_style
from core.figures.look.style import seconds as seconds_words
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.figures.picture import Picture, Words, aside, option, refuse, said
from core.figures.tradeoff.axes import Across
from core.methods import get_method
from core.methods.registry import full_title
from core.metrics import Measure, usable_features
from core.names.numbers import short

BESIDE = 0.16  # of a narrow axis: half of a large mark, which would lie over its name
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


def time_sentence(rows: Sequence[BenchRow], titles: Mapping[str, str]) -> str:
    """Say how much longer the slowest method takes than the fastest."""
    shown = sorted((row for row in rows if row.ranks), key=lambda row: row.seconds)
    if not shown:
        return "No method keeps a feature here"
    fast, slow = shown[0], shown[-1]
    if len(shown) == 1 or fast.seconds <= 0.0:
        return f"{titles[slow.method]} keeps {kept(slow)} features in {seconds_words(slow.seconds)}"
    times = slow.seconds / fast.seconds
    return (
        f"{titles[slow.method]} takes {times:,.{0 if times >= 10 else 1}f} times as long as {titles[fast.method]}: "
        f"{seconds_words(slow.seconds)} against {seconds_words(fast.seconds)}"
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods side by side."""

    rows: Sequence[BenchRow]
    """Those that are known."""
    differences: Mapping[str, Difference] | None
    """Of every method that ranks to the one that is picked, which is left out; None until all rows are known."""


@dataclass(frozen=True, eq=False)
class MethodsPicture(Picture[Comparison]):
    """Draw methods side by side: quality on the last part of the fold against features kept.

    The table has a row a method.

    Parameters
    ----------
    fold : Fold
    wanted : sequence of BenchMethod or str
        Each method once.
    measure : str
        That picks one of them, and each one's C on the validation part.
    measures : sequence of str
        Columns of the table.
    ratio : float, optional
        lambda / lambda_max at which all are fitted, in place of the validation part's choice.
    seconds : float
        Of solver time, for all fits of a method together.
    convention : {"standard", "letor3", "letor4"}

    Raises
    ------
    ValueError
        If there is no such method, solver or measure, or a method is there twice.
    """

    fold: Fold
    wanted: Sequence[BenchMethod | str]
    _: KW_ONLY
    measure: str = option("MAP")
    measures: Sequence[str] = option(("MAP", "NDCG@10"))
    ratio: float | None = option(None)
    seconds: float = option(5.0)
    convention: Convention = option("standard")
    settings: str = aside("")
    times: bool = aside(False)

    name, chart = "methods", "methods"
    note = "Seconds are those of this machine; a method that runs out of time may get further here, or less far."

    def check(self) -> None:
        super().check()
        for measure in (self.measure, *self.measures):
            Measure.parse(measure)
        ids = [plan.method for plan in self.plans]
        refuse(len(set(ids)) < len(ids), f"each method can be compared once; {', '.join(ids)} have one of them twice")

    @property
    def plans(self) -> tuple[BenchPlan, ...]:
        return tuple((BenchMethod(one) if isinstance(one, str) else one).plan(self.seconds) for one in self.wanted)

    @property
    def how(self) -> HowToSetC:
        """How C is set."""
        return OnValidation(str(Measure.parse(self.measure))) if self.ratio is None else AtRatio(self.ratio)

    @property
    def part(self) -> str:
        """The part whose values are drawn."""
        return list(self.fold.parts())[-1]

    @property
    def titles(self) -> dict[str, str]:
        return {plan.method: full_title(get_method(plan.method)) for plan in self.plans}

    def subject(self) -> str:
        return f"{len(self.wanted)} methods side by side by {self.measure}"

    def needs(self) -> dict[str, MethodRows]:
        return {"rows": MethodRows(self.fold, self.convention, self.plans, self.how)}

    def result(self, needed: Mapping[str, Any]) -> Comparison:
        rows: Sequence[BenchRow] = needed["rows"]
        return Comparison(rows, self._differences(rows) if len(rows) == len(self.wanted) else None)

    def _picked(self, rows: Sequence[BenchRow]) -> TradeoffRow | None:
        """The model that the choosing part picks; None where no method keeps a feature."""
        usable = usable_features(self.fold.train)
        points = [PathPoint(row.fit, row.judgement) for row in rows if row.fit is not None]
        return best_within(tradeoff_points(points, usable), len(usable), self.measure)

    def _differences(self, rows: Sequence[BenchRow]) -> dict[str, Difference]:
        picked = self._picked(rows)
        if picked is None:
            return {}
        fits = {row.method: row.fit for row in rows if row.ranks and row.fit is not None}
        best, judge = fits.pop(picked.method), FoldJudge(self.fold, self.convention)
        return {
            method: model_difference(judge, fit.weights, best.weights, self.part, self.measure)
            for method, fit in fits.items()
        }

    def rows(self, found: Comparison) -> pd.DataFrame:
        """A row a method; one without a model has its sentence in the last column instead of numbers."""
        differences = found.differences or {}
        table = pd.DataFrame(
            [_row(row, self.part, self.measures, self.measure, differences.get(row.method)) for row in found.rows]
        )
        return table.drop(columns=[name for name in (CHOSEN, AGAINST) if not any(table[name])])

    def sentence(self, found: Comparison) -> str:
        """Say which method is picked, and the sparsest one without a clear difference."""
        if found.differences is None:
            return f"{len(found.rows)} of {len(self.wanted)} methods are fitted; the comparison follows when all are"
        rows, titles, differences, best = found.rows, self.titles, found.differences, self._picked(found.rows)
        if best is None:
            return "No method keeps a feature here"
        count, of = sum(row.ranks for row in rows), f"{best.kept} of {self.fold.train.n_features} features"
        value = f"{PART_WORDS[self.part]} {self.measure} {best.value(self.part, self.measure):.4f}"
        if count == 1:
            return f"{titles[best.method]} reaches {value} with {of}"
        by = PART_WORDS[choosing_part(best.values)].capitalize()
        at = "" if self.ratio is None else f" at λ/λ_max = {short(self.ratio)}"
        sentence = f"{by} picks {titles[best.method]} of {count} methods{at}: {value} with {of}"
        alike = [row for row in rows if row.method in differences and differences[row.method].verdict == NOT_CLEAR]
        sparse = min((row for row in alike if kept(row) < best.kept), key=kept, default=None)
        if sparse is None:
            return sentence
        difference = differences[sparse.method]
        return (
            f"{sentence}; {titles[sparse.method]} with {kept(sparse)}: {signed(difference.value)}, {difference.verdict}"
        )

    def words(self, found: Comparison) -> Words:
        title = self.sentence(found)
        if self.times:
            title = time_sentence(found.rows, self.titles)
            if found.differences is None:
                title = "How long do they take? Not all are fitted yet"
        where, size = self.where_words, "the larger the mark, the longer it took"
        alt = f"{title}. {self.measure} against features kept."
        return Words(title, said(where, self.settings or self._settings(), size), alt)

    def _settings(self) -> str:
        budget = f"{seconds_words(self.seconds)} of solver time at most"
        if self.ratio is not None:
            return f"λ/λ_max = {short(self.ratio)}, {budget}"
        return f"each method's C by {PART_WORDS[choosing_part(self.fold.parts())]} {self.measure}, {budget}"

    def drawing(self, found: Comparison, words: Words) -> go.Figure:
        """Draw one mark a method, named at the right edge with its time. A mark carries its method as ``customdata``.

        Methods without a model, or with an empty one, are left out because they rank nothing.
        """
        titles, part, measure, n_features = self.titles, self.part, self.measure, self.fold.train.n_features
        figure = Drawing()
        shown = [row for row in found.rows if row.ranks]
        across = Across("features kept", n_features, log=True)
        ends = across.ends([float(kept(row)) for row in shown])
        heights = [row.value(part, measure) for row in shown]
        low, high = min(heights, default=0.0), max(heights, default=1.0)
        room = max(high - low, 1e-3)
        low, high = low - 0.08 * room, high + 0.08 * room
        sizes = mark_sizes([row.seconds for row in shown])
        labels = [f"{titles[row.method]} · {seconds_words(row.seconds)}" for row in shown]
        styles = [method_style(row.method) for row in shown]
        marks = [(kept(row), y) for row, y in zip(shown, heights, strict=True)]
        beside = names_beside(marks, labels, styles, ends[1], low, high)
        for row, style, size, (x, y), (leader, name) in zip(shown, styles, sizes, marks, beside, strict=True):
            figure.add_scatter(**leader)
            figure.add_scatter(
                x=[x],
                y=[y],
                mode="markers",
                marker={"size": size, "symbol": style.marker, "color": style.colour, "opacity": 0.9},
                name=titles[row.method],
                customdata=[[row.method]],
                hovertemplate=f"<b>{titles[row.method]}</b><br>{measure} {y:.4f}<br>{x} of {n_features} features"
                f"<br>{seconds_words(row.seconds)} of solver time, {row.passes:,.0f} passes over X<extra></extra>",
                cliponaxis=False,
            )
            figure.add_annotation(**name)
        if not shown:
            nothing = note("No method keeps a feature here", 0.5, 0.5, colour=MUTED, xref="paper", yref="paper")
            figure.add_annotation(**nothing)
        across.draw(figure, ends, None)
        figure.update_yaxes(title=f"{measure} ({PART_TITLES[part]}, {counting(self.convention)})", range=[low, high])
        drawn = layout(figure, words, height=beside_height(len(shown)))
        left, right = np.log10(ends)
        wider = narrow({}, {"xaxis": {"range": [left, right + BESIDE * (right - left)]}})
        drawn.update_layout(meta=drawn.layout["meta"] | wider)
        return drawn.update_layout(margin_r=beside_room(max(map(len, labels), default=3))).figure()


def _row(
    row: BenchRow, part: str, measures: Sequence[str], chosen_by: str, difference: Difference | None
) -> dict[str, object]:
    """A row of the table; ``chosen_by`` picks one of the methods, on the part that models are chosen on."""
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
    certificate, chosen = fit.result.certificate, [f"{name} = {fit.parameters[name]:g}" for name in row.tried]
    cells |= {"features": kept(row), CHOSEN: ", ".join(chosen), "sparsity ratio": row.sparsity}
    cells |= {"seconds": row.seconds, "passes over X": row.passes, "certificate": certificate.relative}
    kind = certificate_label(certificate.kind, certificate.share_of, certificate.among)
    cells |= {"kind": kind, "ended": _ended(row)}
    return cells | {"C": fit.c, "λ/λ_max": fit.lam / fit.lam_max, "id": row.method}


def _ended(row: BenchRow) -> str:
    assert row.fit is not None
    words = reason_words(row.fit.result)
    if row.wanted > 1:
        words += f"; {row.fitted} of {row.wanted} models within the budget" if row.fitted < row.wanted else ""
    if not row.ranks:
        words += "; the model is empty at this C, so nothing is ranked"
    return words
