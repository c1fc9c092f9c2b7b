"""The trade-off over all folds of a dataset: means with bars for the differences between folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_paths import FoldCurves, PathsOverFolds
from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread, by_limit, marked_limits
from core.analysis.tradeoff.tradeoff import DENSE, MEASURES, TradeoffRow, best_within, dense_reference
from core.data import Convention, Dataset
from core.figures.look.drawing import Drawing
from core.figures.look.labels import told
from core.figures.look.style import method_style, seconds, silent
from core.figures.path.lines import PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.figures.tradeoff import words as sentences
from core.figures.tradeoff.axes import (
    FRONT,
    HORIZONTALS,
    Across,
    Horizontal,
    View,
    end_labels,
    finish,
    reference_labels,
    reference_lines,
)
from core.methods import get_method

Bars = Literal["standard error", "min–max", "none"]
BARS: tuple[Bars, ...] = ("standard error", "min–max", "none")


def _across(summary: FoldSummary, view: View) -> float:
    return summary.at if view.across.horizontal == "features kept" else summary.sparsity.mean


def _reach(spread: Spread, bars: Bars) -> tuple[float, float]:
    if bars == "min–max":
        return spread.low, spread.high
    error = spread.reach if bars == "standard error" else 0.0
    return spread.mean - error, spread.mean + error


def _bars(spreads: Sequence[Spread], bars: Bars) -> dict[str, Any]:
    reaches = [_reach(spread, bars) for spread in spreads]
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - spread.mean for spread, (_, high) in zip(spreads, reaches, strict=True)],
        "arrayminus": [spread.mean - low for spread, (low, _) in zip(spreads, reaches, strict=True)],
        "visible": bars != "none",
        "thickness": 1.2,
        "width": 4,
    }


def _hover(summary: FoldSummary, view: View) -> str:
    value, kept = summary.value, summary.kept
    return (
        f"at most {summary.at:.0f} features<br>{view.measure} {value.words}, {value.low:.4f} to {value.high:.4f}<br>"
        f"{kept.mean:.1f} features kept, {kept.low:.0f} to {kept.high:.0f}<br>{seconds(summary.seconds.mean)} a fit"
    )


Methods = Mapping[str, Mapping[str, float | str]] | Sequence[str]
"""Ids of methods; or the parameters of each, by id."""


@dataclass(frozen=True, eq=False)
class TradeoffMeans:
    """Means over the folds that are complete."""

    summaries: Mapping[str, Sequence[FoldSummary]]
    """By method, in the order of their marks."""
    front: Sequence[FoldSummary]
    """The best of all methods at each number of features."""
    whole: Spread | None
    alone: Spread | None
    """The model of all features, and the best single feature."""
    folds: Sequence[FoldCurves]

    @property
    def references(self) -> dict[str, Spread]:
        """Dashed lines by their label."""
        labelled = zip(reference_labels("vali"), (self.whole, self.alone), strict=True)
        return {label: spread for label, spread in labelled if spread is not None}

    @property
    def empty(self) -> dict[str, list[str]]:
        """The folds, by method, on which the empty model is optimal at every lambda."""
        none = {method: [fold.name for fold in self.folds if not fold.curves[method]] for method in self.summaries}
        return {method: names for method, names in none.items() if names}


@dataclass(frozen=True, eq=False)
class TradeoffOverFolds(Picture[TradeoffMeans]):
    """Draw quality against the number of features as means over all folds. The table has a row a method and mark.

    Each fold chooses its models on its own validation part, tied documents in expectation over their orders.

    Parameters
    ----------
    dataset : Dataset
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}
    points : int
        Models a path.
    bars : str
        The standard error of the mean, or the worst and the best fold.
    paired : bool
        Whether the value of all features on the same fold is taken off.
    against : {"features kept", "sparsity ratio"}
    log_across : bool
    limit : int, optional
        The largest number of features that one can afford.
    rules : FeatureRules, optional
        For the methods that know rules.
    convention : {"standard", "letor3", "letor4"}, optional
        The dataset's by default.
    """

    dataset: Dataset
    methods: Methods
    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    part: str = option("test", titles={part: part for part in PART_WORDS})
    points: int = option(17)
    bars: Bars = option(
        BARS[0],
        "Bars",
        "Standard error of the mean over folds, or the worst and the best fold.",
        titles={name: name for name in BARS},
        looks=True,
        key="tradeoff_bars",
    )
    paired: bool = option(
        False,
        "minus ℓ2",
        "Subtracts what all features reach on the same fold. Some folds are harder for every method; the bars then "
        "show only how much the cost of sparsity differs.",
        key="tradeoff_paired",
    )
    against: Horizontal = option("features kept", titles={name: name for name in HORIZONTALS}, looks=True)
    log_across: bool = option(True, looks=True)
    limit: int | None = option(None, looks=True)
    rules: FeatureRules | None = option(None)
    convention: Convention | None = option(None)
    n_features: int = aside(0)
    here: Mapping[str, Sequence[TradeoffRow]] = field(default_factory=dict)

    name, chart = "tradeoff_over_folds", "tradeoff"

    @property
    def parameters(self) -> Mapping[str, Mapping[str, float | str]]:
        return self.methods if isinstance(self.methods, Mapping) else {method: {} for method in self.methods}

    @property
    def titles(self) -> dict[str, str]:
        return {method: get_method(method).title for method in self.parameters}

    @property
    def value(self) -> str:
        """What is averaged, in words."""
        return f"{PART_WORDS[self.part]} {self.measure}{' minus that of ℓ2' * self.paired}"

    def subject(self) -> str:
        return (
            f"Trade-off between {self.measure} and features kept over all folds, of {', '.join(self.titles.values())}"
        )

    def check(self) -> None:
        super().check()
        for method in self.parameters:
            get_method(method)

    def needs(self) -> dict[str, PathsOverFolds]:
        methods = {**self.parameters, DENSE: self.parameters.get(DENSE, {})}
        convention = self.convention or self.dataset.convention
        return {"folds": PathsOverFolds(self.dataset, methods, self.points, convention, self.rules)}

    def result(self, needed: Mapping[str, Any]) -> TradeoffMeans:
        folds: Sequence[FoldCurves] = needed["folds"]
        curves = [{method: fold.curves[method] for method in self.parameters} for fold in folds]
        limits = marked_limits(max((p.kept for fold in curves for row in fold.values() for p in row), default=0))
        whole = self._values([dense_reference(fold.curves[DENSE], self.measure) for fold in folds])
        alone = self._values([fold.single[MEASURES.index(self.measure)] for fold in folds])
        less = whole if self.paired else None
        together = [[point for row in fold.values() for point in row] for fold in curves]
        summaries = {
            method: by_limit([fold[method] for fold in curves], limits, self.part, self.measure, less)
            for method in self.parameters
        }
        front = by_limit(together, limits, self.part, self.measure, less)
        return TradeoffMeans(summaries, front, _spread(whole, less), _spread(alone, less), folds)

    def _values(self, points: Sequence[TradeoffRow | None]) -> list[float]:
        return [point.value(self.part, self.measure) for point in points if point is not None]

    def rows(self, found: TradeoffMeans) -> pd.DataFrame:
        rows = []
        for s in (summary for row in found.summaries.values() for summary in row):
            numbers = {"features kept": s.kept, "sparsity ratio": s.sparsity, "value": s.value, "seconds": s.seconds}
            line: dict[str, object] = {"method": s.method, "mark": s.at}
            for name, spread in numbers.items():
                line |= {name: spread.mean, f"{name}: standard error": spread.error}
                line |= {f"{name}: min": spread.low, f"{name}: max": spread.high}
            rows.append(line)
        return pd.DataFrame(rows)

    def words(self, found: TradeoffMeans) -> Words:
        done, total = len(found.folds), self.dataset.n_folds
        title = sentences.folds_title(found.summaries, self.value, self.titles)
        if done < total:
            title = f"{self.value[:1].upper()}{self.value[1:]} of the folds that are complete"
        count = f"{done} of {total} folds so far" if done < total else f"{total} folds"
        return Words(title, said(self.dataset.name, count, f"bars: {self.bars} over folds"), title)

    def view(self, found: TradeoffMeans) -> View:
        n_features = self.n_features or self.dataset.fold(1).train.n_features
        if self.against == "sparsity ratio":
            points = [point for fold in found.folds for row in fold.curves.values() for point in row]
            n_features = max((round(point.kept / point.sparsity) for point in points), default=1)
        across = Across(self.against, n_features, self.log_across)
        return View(self.part, self.measure, across, self.convention or self.dataset.convention)

    def drawing(self, found: TradeoffMeans, words: Words) -> go.Figure:
        """Draw means over folds; the best over all methods are a grey band."""
        view, titles, bars = self.view(found), self.titles, self.bars
        summaries, front, opens = found.summaries, found.front, self._opens(found.summaries)
        figure, exact = Drawing(), view.across.horizontal == "features kept"
        every = [*front, *(summary for row in summaries.values() for summary in row)]
        ends_across = view.across.ends([_across(summary, view) for summary in every])
        if front:
            places = [_across(summary, view) for summary in front]
            best = [summary.value.mean for summary in front]
            figure.add_scatter(**silent(places, best, 10, FRONT, name="Pareto front"))
        ends = {}
        for method, row in summaries.items():
            if row:
                style, name = method_style(method), titles[method]
                figure.add_scatter(
                    x=[_across(summary, view) for summary in row],
                    y=[summary.value.mean for summary in row],
                    mode="lines+markers",
                    line={"color": style.colour, "width": 2.4, "dash": style.dash},
                    marker={"size": 9, "symbol": style.marker, "color": style.colour},
                    error_y=_bars([summary.value for summary in row], bars),
                    error_x=None if exact else _bars([summary.sparsity for summary in row], bars),
                    name=name,
                    customdata=[[summary.method, opens.get((summary.method, summary.at))] for summary in row],
                    **told(name, [_hover(summary, view) for summary in row]),
                )
                ends[name] = (row[-1].value.mean, style.colour)
        lines = {label: spread.mean for label, spread in found.references.items()}
        reaches = [reach for summary in every for reach in _reach(summary.value, bars)]
        reference_lines(figure, lines, *ends_across)
        end_labels(figure, ends, reaches, list(lines.values()))
        view.across.draw(figure, ends_across, self.limit)
        if exact:
            figure.update_xaxes(title=f"features kept at most (of {view.across.n_features})")
        up = f"mean {view.up}" if not self.paired else f"{view.measure} − ℓ2, mean ({view.part})"
        return finish(figure, up, words).figure()

    def _opens(self, summaries: Mapping[str, Sequence[FoldSummary]]) -> dict[tuple[str, float], float]:
        """The C, on the chosen fold, of the model that a mark stands for."""
        found = {}
        for method, row in summaries.items():
            here = self.here.get(method, ())
            for summary in row:
                point = best_within(here, int(summary.at), self.measure) if here else None
                if point is not None:
                    found[(method, summary.at)] = point.c
        return found


def _spread(values: Sequence[float], less: Sequence[float] | None) -> Spread | None:
    if not values:
        return None
    return Spread.of(v - off for v, off in zip(values, less or [0.0] * len(values), strict=True))
