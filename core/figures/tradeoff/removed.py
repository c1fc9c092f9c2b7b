"""Pictures of the features that methods remove, on folds and on datasets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_curves import FoldCurves, PathsOverFolds
from core.analysis.tradeoff.tradeoff import MEASURES, pareto_front
from core.data import Dataset
from core.figures.picture import Picture, Words, option
from core.figures.tradeoff import words as sentences
from core.figures.tradeoff.over_folds import Methods
from core.figures.tradeoff.spider import spider_figure
from core.methods import get_method

Shares = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Removed:
    """The features that methods remove, at the C that ranks best on validation.

    Attributes
    ----------
    shares : mapping
        1 − sparsity ratio by method and branch, the mean over the folds of a branch.
    unjudged : sequence of str
        Branches without a validation part: there C is the best on the training part.
    """

    shares: Shares
    unjudged: Sequence[str]


class RemovedFeatures(Picture[Removed], ABC):
    """What both spider plots have in common."""

    methods: Methods
    measure: str
    chart = "spider"

    @property
    def parameters(self) -> Mapping[str, Mapping[str, float | str]]:
        """Parameters by method."""
        return self.methods if isinstance(self.methods, Mapping) else {method: {} for method in self.methods}

    @abstractmethod
    def branches(self, needed: Mapping[str, Any]) -> Mapping[str, Sequence[FoldCurves]]:
        """The complete folds of every branch."""

    def check(self) -> None:
        super().check()
        for method in self.parameters:
            get_method(method)

    def result(self, needed: Mapping[str, Any]) -> Removed:
        shares: dict[str, dict[str, float]] = {}
        unjudged: list[str] = []
        for branch, folds in self.branches(needed).items():
            for method in self.parameters:
                fronts = [pareto_front(fold.curves[method], self.measure) for fold in folds]
                best = [front[-1] for front in fronts if front]
                if best:
                    shares.setdefault(method, {})[branch] = 1.0 - sum(point.sparsity for point in best) / len(best)
                if best and "vali" not in best[0].values and branch not in unjudged:
                    unjudged.append(branch)
        return Removed({method: shares[method] for method in self.parameters if method in shares}, unjudged)

    def rows(self, found: Removed) -> pd.DataFrame:
        return removed_table(found.shares)

    def words(self, found: Removed) -> Words:
        title = sentences.spider_title(found.shares, _titles(found.shares))
        return Words(title, f"1 − sparsity ratio, C best by {self.measure} on validation", title)

    def drawing(self, found: Removed, words: Words) -> go.Figure:
        return spider_figure(found.shares, _titles(found.shares), title=words.title, subtitle=words.subtitle)


@dataclass(frozen=True, eq=False)
class RemovedByFold(RemovedFeatures):
    """Draw a spider plot of the features that methods remove on each fold. The table has a row a method and fold.

    Parameters
    ----------
    dataset : Dataset
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part, or else the training part, chooses C, tied documents in expectation.
    points : int
        Models a path.
    rules : FeatureRules, optional
        For the methods that know rules.
    """

    dataset: Dataset
    methods: Methods
    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    points: int = option(17)
    rules: FeatureRules | None = option(None)

    name, chart = "removed_by_fold", "spider"

    def subject(self) -> str:
        return f"Features that {', '.join(get_method(method).title for method in self.parameters)} remove on each fold"

    def needs(self) -> dict[str, PathsOverFolds]:
        convention = self.dataset.convention
        return {"folds": PathsOverFolds(self.dataset, self.parameters, self.points, convention, self.rules)}

    def branches(self, needed: Mapping[str, Any]) -> Mapping[str, Sequence[FoldCurves]]:
        folds: Sequence[FoldCurves] = needed["folds"]
        return {fold.name.rpartition(", ")[2]: [fold] for fold in folds}


@dataclass(frozen=True, eq=False)
class RemovedByDataset(RemovedFeatures):
    """Draw a spider plot of the features that methods remove on datasets, the mean over the first folds of each.

    The table has a row a method and dataset.

    Parameters
    ----------
    datasets : sequence of Dataset
        Each with a name of its own.
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part, or else the training part, chooses C, tied documents in expectation.
    points : int
        Models a path.
    most_folds : int
        Largest number of folds of a dataset that are looked at.
    """

    datasets: Sequence[Dataset]
    methods: Methods
    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    points: int = option(17)
    most_folds: int = option(1)

    name, chart = "removed_by_dataset", "spider"

    def subject(self) -> str:
        titles = ", ".join(get_method(method).title for method in self.parameters)
        return f"Features that {titles} remove on {', '.join(dataset.name for dataset in self.datasets)}"

    def needs(self) -> dict[str, PathsOverFolds]:
        return {
            one.name: PathsOverFolds(one, self.parameters, self.points, one.convention, most_folds=self.most_folds)
            for one in self.datasets
        }

    def branches(self, needed: Mapping[str, Any]) -> Mapping[str, Sequence[FoldCurves]]:
        return {name: folds for name, folds in needed.items() if folds}


def removed_table(shares: Shares) -> pd.DataFrame:
    """A row a method and branch: the shares of features that are removed and kept."""
    return pd.DataFrame(
        [
            {"method": method, "branch": branch, "removed": value, "sparsity ratio": 1.0 - value}
            for method, row in shares.items()
            for branch, value in row.items()
        ]
    )


def _titles(shares: Shares) -> dict[str, str]:
    return {method: get_method(method).title for method in shares}
