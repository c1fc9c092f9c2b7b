"""The picture of the Features page: which features models keep, beside what each can do alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.evaluation import FoldJudge
from core.analysis.features.random_ranking import RandomOrder, random_rankings
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.experiments.results.difference import Difference, model_difference
from core.figures.drag.drag import Drag, Hand
from core.figures.features.selection import (
    GAP,
    LABELLED_METHODS,
    ROWS,
    Column,
    SelectionDrags,
    add_bars,
    add_dots,
    add_references,
    rows_above,
    shown_features,
    title_of,
    weights_heading,
    weights_words,
)
from core.figures.look.drawing import Drawing
from core.figures.look.labels import heading_height, row_labels, row_layout
from core.figures.look.style import ZERO, counting
from core.figures.of_paths import OfPart
from core.figures.path.lines import PART_WORDS
from core.figures.picture import Words, aside, option, said
from core.methods import get_method
from core.methods.registry import model_title
from core.metrics.measures import MeasureName, telling_measures
from core.models import Model, one_fold
from core.names.counted import features
from core.names.short import short_names

LEGEND = "filled: kept · ring: not kept · grey band: random orders"
OTHERS_LEGEND = " · thick ring: kept by another"
TURNED_LEGEND = " · dotted: as far as smallest first would lead"


@dataclass(frozen=True, eq=False)
class KeptFeatures:
    """Models beside their features alone."""

    columns: Sequence[Column]
    """A model each, the one that the picture is about first."""
    scores: Sequence[SingleFeatureScore]
    """Length n_features."""
    order: RandomOrder
    """What random orders of the documents reach."""
    best: SingleFeatureReference
    """The single feature that the training part picks."""
    quoted: str
    """The part on which that feature and the first model are compared: the test part where there is one."""
    together: float
    """What the first model reaches there."""
    difference: Difference
    """The first model's mean there minus the feature's."""


@dataclass(frozen=True, eq=False)
class FeaturesPicture(OfPart[KeptFeatures]):
    """Draw the quality of each feature alone, and fill those that the first model keeps.

    Parameters
    ----------
    models : sequence of Model
        Of one fold.
    part : {"train", "vali", "test"}
        On which features and models are measured and the rows are ranked; the title quotes the test part in any case.
        Documents with the same value count in expectation over their orders.
    measure : {"NDCG@10", "MAP", "Top"}, optional
        By default Top for data of one list, else NDCG@10.
    most : int
        Number of rows drawn at most; the table has every feature, with its weight in every model.

    Raises
    ------
    ValueError
        If there is no model, they are not of one fold, or the fold has no such part.
    """

    models: Sequence[Model]
    _: KW_ONLY
    part: str = option("train", titles={part: part for part in PART_WORDS})
    measure: MeasureName | None = option(None)
    most: int = option(ROWS, looks=True)
    others: str = aside("")
    drawn: Sequence[int] = aside(())
    beside_weights: bool = aside(False)

    name, chart = "features", "selection"

    def check(self) -> None:
        one_fold(self.models)
        super().check()

    @property
    def shown_measure(self) -> MeasureName:
        """The measure of features and models."""
        return self.measure or telling_measures(self.data)[0]

    def subject(self) -> str:
        titles = ", ".join(get_method(model.fit.method).title for model in self.models)
        return f"Features that {titles} keep, and each feature alone on the {PART_WORDS[self.part]} part"

    def needs(self) -> dict[str, Ingredient[Any]]:
        fold, convention = one_fold(self.models)
        return {
            "scores": SingleFeatureScores(self.data, convention),
            "random": random_rankings.of(self.data, convention),
            "best": best_single_feature.of(fold, convention, self.shown_measure),
        }

    def result(self, needed: Mapping[str, Any]) -> KeptFeatures:
        measure, (order, _), best = self.shown_measure, needed["random"], needed["best"]
        fold, convention = one_fold(self.models)
        first, quoted = self.models[0], list(fold.parts())[-1]
        alone = np.zeros(fold.train.n_features)
        alone[best.index - 1] = -1.0 if best.reverse else 1.0
        differ = model_difference(FoldJudge(fold, convention), first.fit.weights, alone, quoted, measure)
        titles = [_title(model, first=model is first) for model in self.models]
        columns = [
            Column(model.fit.method, title, model.fit.weights, model.judgement.metrics[self.part][measure])
            for title, model in zip(titles, self.models, strict=True)
        ]
        together = first.judgement.metrics[quoted][measure]
        return KeptFeatures(columns, needed["scores"], order, best, quoted, together, differ)

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

    def title(self, found: KeptFeatures) -> str:
        """Whether one feature alone would do: that which training picks, beside the first model, on the quoted part."""
        measure, model, best = self.shown_measure, found.columns[0], found.best
        (name,) = short_names([score.name for score in found.scores], [best.index - 1])
        upside_down = ", smallest first" if best.reverse else ""
        return (
            f"One alone, {name}{upside_down} (best on training): {PART_WORDS[found.quoted]} {measure} "
            f"{best.values[found.quoted]:.4f}; {model.title} with {features(model.nonzero)}: {found.together:.4f}, "
            f"{found.difference.verdict}"
        )

    def words(self, found: KeptFeatures) -> Words:
        title = self.title(found)
        others = f"{found.columns[0].title}{f', the others: {self.others}' if self.others else ''}"
        turned = any(found.columns[0].weights[j] < 0.0 for j in self.rows_drawn(found))
        key = f"{LEGEND}{OTHERS_LEGEND * (len(found.columns) > 1)}{TURNED_LEGEND * turned}"
        return Words(title, f"{said(self.where_words, counting(self.models[0].convention), others)}\n{key}", title)

    def drawing(self, found: KeptFeatures, words: Words) -> go.Figure:
        """Draw a ring a feature at its quality alone: coloured if the chosen method keeps it.

        What moves with C fills the rings of the features that the model keeps (`core.figures.features.selection`).
        """
        columns, measure, part = found.columns, self.shown_measure, PART_WORDS[self.part]
        scores, rows = found.scores, self.rows_drawn(found)
        figure = Drawing()
        add_references(figure, columns, found.order.of(measure), part)
        add_dots(figure, columns, scores, measure, rows)
        figure.update_xaxes(title=f"{part} {measure} alone")
        labels = row_labels([score.name for score in scores], rows)
        heading = self.heading(found, words)
        return row_layout(figure, labels, words, heading=heading, above=rows_above(columns)).figure()

    def heading(self, found: KeptFeatures, words: Words) -> int | None:
        """Pixels above the rows, where they stand beside those of the weights: as many as both need."""
        if not self.beside_weights:
            return None
        return max(heading_height(words), weights_heading(found.columns))

    def weights_figure(self, found: KeptFeatures, reach: tuple[float, float]) -> go.Figure:
        """Draw the weights of every model in the rows of this picture, to stand beside it: a column for every method.

        ``reach`` is the smallest and the largest weight of the first model that its bars have room for.
        """
        columns, scores, measure, rows = found.columns, found.scores, self.shown_measure, self.rows_drawn(found)
        heading = self.heading(found, self.words(found)) if self.beside_weights else None
        figure = Drawing()
        for place, column in enumerate(columns):
            add_bars(figure, place, column, scores, measure, rows, numbered=len(columns) <= LABELLED_METHODS)
        labels = row_labels([score.name for score in scores], rows)
        drawn = row_layout(figure, labels, weights_words(columns), heading=heading, above=rows_above(columns))
        width = (1.0 + GAP) / len(columns)
        for place, column in enumerate(columns):
            own = (min(0.0, column.weights.min(initial=0.0)), max(0.0, column.weights.max(initial=0.0)))
            low, high = own if place else reach
            room = high - low or 1.0
            # Numbers stand outside of their bars.
            axis = ZERO | {
                "domain": [place * width, min((place + 1) * width - GAP, 1.0)],
                "range": [low - (0.3 if low < 0.0 else 0.06) * room, high + 0.3 * room],
                "tickvals": [0.0],
                "ticktext": [title_of(column) if len(columns) > 1 else ""],
            }
            axis |= {"anchor": "y", "side": "top", "tickangle": 0, "showgrid": False}
            drawn.update_layout(**{f"xaxis{place + 1 if place else ''}": axis})
        return drawn.figure()

    def moves(self, found: KeptFeatures, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        drags = SelectionDrags(hand, self.rows_drawn(found), self.part, self.shown_measure)
        return drags.in_single_features(found.scores)


def _title(model: Model, *, first: bool) -> str:
    method = get_method(model.fit.method)
    return model_title(method, model.fit.parameters) if first else method.title
