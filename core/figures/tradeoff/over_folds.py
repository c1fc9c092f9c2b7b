"""The trade-off over all folds of a dataset: means with bars for the differences between folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_curves import FoldCurves, PathsOverFolds
from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread, by_limit, by_ratio, marked_limits
from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, best_within
from core.data import Convention, Dataset
from core.figures.path.tuning import PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.figures.tradeoff import words as sentences
from core.figures.tradeoff.axes import HORIZONTALS, Across, Horizontal, reference_labels
from core.figures.tradeoff.fold_tradeoff import BARS, MARKS, Bars, Marks, fold_tradeoff_figure
from core.figures.tradeoff.tradeoff import View
from core.methods import get_method

Methods = Mapping[str, Mapping[str, float | str]] | Sequence[str]
"""Ids of methods; or the parameters of each, by id."""


@dataclass(frozen=True, eq=False)
class TradeoffMeans:
    """Means over the folds that are complete.

    Attributes
    ----------
    summaries : mapping
        By method, in the order of their marks.
    front : sequence of FoldSummary
        The best of all methods at each number of features.
    whole, alone : Spread or None
        The model of all features, and the best single feature.
    folds : sequence of FoldCurves
    """

    summaries: Mapping[str, Sequence[FoldSummary]]
    front: Sequence[FoldSummary]
    whole: Spread | None
    alone: Spread | None
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
    marks : str
        What the models of different folds have in common where they are averaged: how many features they may have, or
        lambda / lambda_max.
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
    marks: Marks = option(
        MARKS[0],
        "Join folds at a",
        "What the models of different folds have in common where they are averaged.",
        titles={name: name for name in MARKS},
    )
    bars: Bars = option(
        BARS[0],
        "Bars",
        "Standard error of the mean over folds, or the worst and the best fold.",
        titles={name: name for name in BARS},
        looks=True,
    )
    paired: bool = option(
        False,
        "minus ℓ2",
        "Subtracts what all features reach on the same fold. Some folds are harder for every method; the bars then "
        "show only how much the cost of sparsity differs.",
    )
    against: Horizontal = option("features kept", titles={name: name for name in HORIZONTALS}, looks=True)
    log_across: bool = option(True, looks=True)
    limit: int | None = option(None, looks=True)
    rules: FeatureRules | None = option(None)
    convention: Convention | None = option(None)
    n_features: int = aside(0)
    here: Mapping[str, Sequence[TradeoffPoint]] = field(default_factory=dict)

    name, chart = "tradeoff_over_folds", "tradeoff"

    @property
    def parameters(self) -> Mapping[str, Mapping[str, float | str]]:
        """Parameters by method."""
        return self.methods if isinstance(self.methods, Mapping) else {method: {} for method in self.methods}

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
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
        by_number = self.marks == MARKS[0]
        summaries = {
            method: by_limit([fold[method] for fold in curves], limits, self.part, self.measure, less)
            if by_number
            else by_ratio([fold[method] for fold in curves], self.part, self.measure, less)
            for method in self.parameters
        }
        front = by_limit(together, limits, self.part, self.measure, less) if by_number else ()
        return TradeoffMeans(summaries, front, _spread(whole, less), _spread(alone, less), folds)

    def _values(self, points: Sequence[TradeoffPoint | None]) -> list[float]:
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

    def drawing(self, found: TradeoffMeans, words: Words) -> go.Figure:
        n_features = self.n_features or self.dataset.fold(1).train.n_features
        if self.against == "sparsity ratio":
            points = [point for fold in found.folds for row in fold.curves.values() for point in row]
            n_features = max((round(point.kept / point.sparsity) for point in points), default=1)
        across = Across(self.against, n_features, self.log_across)
        return fold_tradeoff_figure(
            found.summaries,
            View(self.part, self.measure, across, self.convention or self.dataset.convention),
            self.titles,
            marks=self.marks,
            bars=self.bars,
            front=found.front,
            references=found.references,
            opens=self._opens(found.summaries),
            limit=self.limit,
            less="ℓ2" if self.paired else "",
            title=words.title,
            subtitle=words.subtitle,
        )

    def _opens(self, summaries: Mapping[str, Sequence[FoldSummary]]) -> dict[tuple[str, float], float]:
        """The C, on the chosen fold, of the model that a mark stands for."""
        found = {}
        for method, row in summaries.items():
            here = self.here.get(method, ())
            for summary in row:
                if self.marks == MARKS[0]:
                    point = best_within(here, int(summary.at), self.measure) if here else None
                else:
                    point = min(here, key=lambda p, at=summary.at: abs(p.ratio / at - 1.0), default=None)  # type: ignore[misc]
                if point is not None:
                    found[(method, summary.at)] = point.c
        return found


def _spread(values: Sequence[float], less: Sequence[float] | None) -> Spread | None:
    if not values:
        return None
    return Spread.of(v - off for v, off in zip(values, less or [0.0] * len(values), strict=True))
