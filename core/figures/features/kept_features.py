"""The picture of the Features page: which features models keep, beside what each can do alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.random_ranking import RandomOrder, RandomRankings, RandomWeights
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores, best_alone
from core.analysis.fold_models import FoldModel, one_fold
from core.analysis.tradeoff.best_single_feature import BestSingleFeature
from core.data import RankingData
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.features.features_drag import SelectionDrags
from core.figures.features.selection import BEST, Column, shown_features, single_features_figure
from core.figures.features.weights_matrix import weights_heading
from core.figures.look.feature_rows import heading_height
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method
from core.methods.families import model_title
from core.metrics.measures import MeasureName, telling_measures

LEGEND = "filled: kept by it · thick ring: kept by another · grey band: random orders"


@dataclass(frozen=True, eq=False)
class KeptFeatures:
    """Models beside their features alone.

    Attributes
    ----------
    columns : sequence of Column
        A model each, the one that the picture is about first.
    scores : sequence of SingleFeatureScore, length n_features
    order, weights
        What random orders of the documents reach, and random weights of the features.
    best : float
        Of the single feature that the training part picks.
    """

    columns: Sequence[Column]
    scores: Sequence[SingleFeatureScore]
    order: RandomOrder
    weights: RandomWeights
    best: float


@dataclass(frozen=True, eq=False)
class FeaturesPicture(Picture[KeptFeatures]):
    """Draw the quality of each feature alone, and fill those that the first model keeps.

    Parameters
    ----------
    models : sequence of Model
        Of one fold.
    part : {"train", "vali", "test"}
        On which features and models are measured; documents with the same value count in expectation over their orders.
    measure : {"NDCG@10", "MAP", "Top"}, optional
        By default Top for data of one list, else NDCG@10.
    most : int
        Largest number of rows drawn; the table has every feature, with its weight in every model.

    Raises
    ------
    ValueError
        If there is no model, they are not of one fold, or the fold has no such part.
    """

    models: Sequence[FoldModel]
    _: KW_ONLY
    part: str = option("test", titles={part: part for part in PART_WORDS})
    measure: MeasureName | None = option(None)
    most: int = option(20, looks=True)
    where: str = aside("")
    others: str = aside("")
    drawn: Sequence[int] = aside(())
    beside_weights: bool = aside(False)

    name, chart = "features", "selection"

    def check(self) -> None:
        super().check()
        fold, _ = one_fold(self.models)
        if self.part not in fold.parts():
            msg = f"the fold has no part {self.part!r}; it has {', '.join(fold.parts())}"
            raise ValueError(msg)

    @property
    def data(self) -> RankingData:
        """The part on which features are measured."""
        return self.models[0].fold.parts()[self.part]

    @property
    def shown_measure(self) -> MeasureName:
        """The measure of features and models."""
        return self.measure or telling_measures(self.data)[0]

    def subject(self) -> str:
        titles = ", ".join(get_method(model.fit.method).title for model in self.models)
        return f"Features that {titles} keep, and each feature alone on the {PART_WORDS[self.part]} part"

    def needs(self) -> dict[str, SingleFeatureScores | RandomRankings | BestSingleFeature]:
        fold, convention = one_fold(self.models)
        return {
            "scores": SingleFeatureScores(self.data, convention),
            "random": RandomRankings(self.data, convention),
            "best": BestSingleFeature(fold, convention, self.shown_measure),
        }

    def result(self, needed: Mapping[str, Any]) -> KeptFeatures:
        measure, (order, weights) = self.shown_measure, needed["random"]
        columns = [
            Column(
                model.fit.method,
                _title(model, first=model is self.models[0]),
                model.fit.weights,
                model.judgement.metrics[self.part][measure],
            )
            for model in self.models
        ]
        return KeptFeatures(columns, needed["scores"], order, weights, needed["best"].values[self.part])

    def rows_drawn(self, found: KeptFeatures) -> Sequence[int]:
        """Columns (from 0) of the features that have a row, from the top down."""
        return self.drawn or shown_features(found.columns, found.scores, self.shown_measure, self.most)

    def rows(self, found: KeptFeatures) -> pd.DataFrame:
        """A row a feature: what it can do alone, and its weight in every model; the best alone first."""
        measure = self.shown_measure
        table = pd.DataFrame(
            {
                "feature": [score.index for score in found.scores],
                "name": [score.name for score in found.scores],
                f"{measure} alone": [score.value(measure) for score in found.scores],
                f"{measure}, smallest first": [score.reversed_value(measure) for score in found.scores],
                **{f"weight, {column.title}": column.weights for column in found.columns},
            }
        )
        return table.sort_values(f"{measure} alone", ascending=False, kind="stable", ignore_index=True)

    def words(self, found: KeptFeatures) -> Words:
        title = selection_title(found.columns, found.scores, self.shown_measure, self.part)
        others = f"{found.columns[0].title}{f', the others: {self.others}' if self.others else ''}"
        return Words(title, f"{said(self.where or self.models[0].fold.name, others)}\n{LEGEND}", title)

    def drawing(self, found: KeptFeatures, words: Words) -> go.Figure:
        measure = self.shown_measure
        return single_features_figure(
            found.columns,
            found.scores,
            measure,
            found.order.of(measure),
            found.weights.of(measure),
            self.rows_drawn(found),
            best=found.best,
            measured_on=f"{PART_TITLES[self.part]}, {self.models[0].convention}",
            title=words.title,
            subtitle=words.subtitle,
            heading=self.heading(found, words),
        )

    def heading(self, found: KeptFeatures, words: Words) -> int | None:
        """Pixels above the rows, where they stand beside those of the weights: as many as both need."""
        own = heading_height(words.title, words.subtitle)
        return max(own, weights_heading(found.columns)) if self.beside_weights else None

    def moves(self, found: KeptFeatures, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        drags = SelectionDrags(hand, self.rows_drawn(found), self.part, self.shown_measure)
        return drags.in_single_features(found.scores)


def _title(model: FoldModel, *, first: bool) -> str:
    method = get_method(model.fit.method)
    return model_title(method, model.fit.parameters) if first else method.title


def selection_title(
    columns: Sequence[Column], scores: Sequence[SingleFeatureScore], measure: MeasureName, part: str
) -> str:
    """How many of the best single features every method keeps; among equals the first are the best."""
    best = best_alone(scores, measure, BEST)
    keeps = [int(np.count_nonzero(column.weights[list(best.columns)])) for column in columns]
    counted = ", ".join(
        f"{column.title} keeps {k}" if place == 0 else f"{column.title} {k}"
        for place, (column, k) in enumerate(zip(columns, keeps, strict=True))
    )
    edge = f" (with {best.tie_words})" if best.tie_words else ""
    return f"{len(best.columns)} best alone by {PART_TITLES[part]} {measure}{edge}: {counted}"
