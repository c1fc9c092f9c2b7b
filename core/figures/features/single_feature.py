"""Picture of the quality of every feature alone, compared with chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, get_args

import pandas as pd
import plotly.graph_objects as go

from core.analysis.dataset.dataset_card import DatasetCard, dataset_card
from core.analysis.features.random_ranking import Band, DrawnValues, RandomOrder, RandomWeights, random_rankings
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores, best_alone
from core.analysis.ingredient import Ingredient
from core.data import Convention, RankingData
from core.data.nouns import nouns_of
from core.figures.look.drawing import note
from core.figures.look.labels import name_labels, of_features
from core.figures.look.style import MUTED, OTHER_STYLE, counting, layout, method_style, silent
from core.figures.picture import Picture, Words, option, said
from core.metrics.equal_values import rounded
from core.metrics.measures import MeasureName

LINE = 15  # pixels of the words over the picture
_NEGATIVE = method_style("log").colour
_POSITIVE = method_style("l1").colour


@dataclass(frozen=True, eq=False)
class FeaturesAlone:
    """Every feature alone, and chance."""

    scores: Sequence[SingleFeatureScore]
    """Length n_features."""
    order: RandomOrder
    """What random orders of the documents reach."""
    weights: RandomWeights
    """What random weights of the features reach."""
    card: DatasetCard

    @property
    def cannot_rank(self) -> frozenset[int]:
        """Features (from 1) that are the same for all documents of a query, for every query."""
        return frozenset((*self.card.zero_features, *self.card.constant_features, *self.card.level_features))

    def above(self, measure: MeasureName, value: float) -> int:
        """The number of features above a value, each in its better direction."""
        flat = self.cannot_rank
        return sum(max(values_of(one, measure)) > value for one in self.scores if one.index not in flat)

    def best_words(self, measure: MeasureName) -> str:
        """The feature that ranks best alone, with value and direction; among equals the first, largest first."""
        telling = [score for score in self.scores if score.index not in self.cannot_rank]
        if not telling:
            return "none: no feature can rank"
        best = max(telling, key=lambda score: rounded(max(values_of(score, measure))))
        turned = ", smallest first" if better_reversed(best, measure) else ""
        return f"{best.name} with {max(values_of(best, measure)):.4f}{turned}"


@dataclass(frozen=True, eq=False)
class SingleFeatures(Picture[FeaturesAlone]):
    """Draw how each feature ranks alone, beside random orders and random weights of all features.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    measure : {"NDCG@10", "MAP", "Top"}
    convention : {"standard", "letor3", "letor4"}
    most : int
        Largest number of rows drawn; the table has every feature.
    """

    data: RankingData
    _: KW_ONLY
    measure: MeasureName = option("NDCG@10", titles={name: name for name in get_args(MeasureName)}, looks=True)
    convention: Convention = option("standard")
    most: int = option(30, looks=True)

    name = "single_features"
    about = "Each feature alone"

    def needs(self) -> dict[str, Ingredient[Any]]:
        return {
            "scores": SingleFeatureScores(self.data, self.convention),
            "random": random_rankings.of(self.data, self.convention),
        }

    def result(self, needed: Mapping[str, Any]) -> FeaturesAlone:
        order, weights = needed["random"]
        return FeaturesAlone(needed["scores"], order, weights, dataset_card(self.data))

    def rows(self, found: FeaturesAlone) -> pd.DataFrame:
        """A row a feature, the best first; documents with the same value count in expectation over their orders."""
        measures, scores = get_args(MeasureName), found.scores
        table = pd.DataFrame(
            {
                "feature": [score.index for score in scores],
                "name": [score.name for score in scores],
                **{each: [score.value(each) for score in scores] for each in measures},
                **{f"{each}, smallest first": [score.reversed_value(each) for score in scores] for each in measures},
            }
        )
        return table.sort_values(self.measure, ascending=False, kind="stable", ignore_index=True)

    def words(self, found: FeaturesAlone) -> Words:
        order, weights = found.order.of(self.measure), found.weights.of(self.measure)
        title = (
            f"{found.above(self.measure, order.high)} of {len(found.scores)} features beat a random order, "
            f"{found.above(self.measure, weights.mean)} beat random weights"
        )
        grey = f"grey: 90 % of {found.order.n_draws} random orders of the {nouns_of(self.data).rows}"
        alt = f"{title} by {self.measure}; the best is {found.best_words(self.measure)}"
        return Words(title, "\n".join(filter(None, (said(self.where, counting(self.convention)), grey))), alt)

    def drawing(self, found: FeaturesAlone, words: Words) -> go.Figure:
        """Draw dots sorted by the measure, with both random lines and the line of the best feature.

        Sources: Lai et al. (FenchelRank, IEEE TC 2013), Fig. 1, whose red line is that of random weights; Lai et al.
        (FSMRank, TNNLS 2013), Fig. 4.
        """
        scores, measure, nouns, constant = found.scores, self.measure, nouns_of(self.data), found.cannot_rank
        ranked = ranked_scores(scores, measure)[: self.most]
        rows, shown = [f"{score.index}" for score in ranked], [score.index - 1 for score in ranked]
        names = [score.name for score in scores]
        figure = go.Figure()
        # The reverse order is a second chance: a negative weight makes use of it.
        reverse = [score for score in ranked if better_reversed(score, measure)]
        for score in reverse:
            figure.add_scatter(**silent(list(values_of(score, measure)), [f"{score.index}"] * 2, dash="dot"))
        figure.add_scatter(
            name="smaller is better",
            x=[values_of(score, measure)[1] for score in reverse],
            y=[f"{score.index}" for score in reverse],
            mode="markers",
            marker={"symbol": "triangle-down", "size": 9, "color": _NEGATIVE},
            **of_features(
                names, [score.index - 1 for score in reverse], f"{measure} %{{x:.4f}}<br>smallest values first"
            ),
        )
        flat = [score.index in constant for score in ranked]
        ways = [f"constant: any order of the {nouns.rows}" if one else "largest values first" for one in flat]
        figure.add_scatter(
            name="larger is better",
            x=[values_of(score, measure)[0] for score in ranked],
            y=rows,
            mode="markers",
            marker={
                "symbol": ["circle-open" if is_flat else "circle" for is_flat in flat],
                "size": 10,
                "color": [MUTED if is_flat else _POSITIVE for is_flat in flat],
            },
            **of_features(names, shown, f"{measure} %{{x:.4f}}<br>%{{customdata[2]}}", ways),
        )
        telling = [max(values_of(score, measure)) for score in scores if score.index not in constant]
        _add_references(figure, max(telling, default=None), found.order.of(measure), found.weights.of(measure))
        labels = name_labels(names, shown)
        figure.update_yaxes(
            type="category",
            categoryorder="array",
            categoryarray=rows,
            range=[len(rows) - 0.4, -0.7],
            tickvals=rows,
            ticktext=labels,
            tickfont={"size": 12},
            automargin=True,
        )
        figure.update_xaxes(title=f"{measure} alone")
        margin = {"t": 72 + 3 * LINE, "r": 16, "l": 8}
        return layout(figure, words, height=172 + 3 * LINE + 19 * max(len(rows), 3), margin=margin)


def values_of(score: SingleFeatureScore, measure: MeasureName) -> tuple[float, float]:
    """Return the measure in descending and in ascending order of the feature's values."""
    return score.value(measure), score.reversed_value(measure)


def better_reversed(score: SingleFeatureScore, measure: MeasureName) -> bool:
    """Tell whether the feature ranks better in ascending order of its values, by more than rounding."""
    falling, rising = values_of(score, measure)
    return rounded(rising) > rounded(falling)


def ranked_scores(scores: Sequence[SingleFeatureScore], measure: MeasureName) -> list[SingleFeatureScore]:
    """Sort from the best feature down; equals in the order of their numbers."""
    return [scores[j] for j in best_alone(scores, measure)]


def _add_references(figure: go.Figure, best: float | None, band: Band, weights: DrawnValues) -> None:
    """Draw both random lines, and the best value of any feature in either order."""
    figure.add_vrect(x0=band.low, x1=band.high, fillcolor=MUTED, opacity=0.3, line_width=0, layer="below")
    figure.add_vline(x=band.expected, line={"color": MUTED, "width": 1.5})

    # Each in a line of its own above the rows: the lines that they name may be close.
    def say(words: str, x: float, inward: str, line: int) -> None:
        figure.add_annotation(**note(words, x, 1.0, f"{inward} bottom", 12, yref="paper", yshift=line * LINE))

    say(f" random order {band.expected:.4f}", band.expected, "left", 2)
    figure.add_vline(x=weights.mean, line={"color": MUTED, "width": 1.5, "dash": "dashdot"})
    inward = "right" if weights.mean > (best or 0.0) / 2 else "left"
    say(f" random weights {weights.mean:.4f} ", weights.mean, inward, 1)
    if best is not None:
        figure.add_vline(x=best, line={"color": OTHER_STYLE.colour, "width": 1.5, "dash": "dash"})
        say(f" best {best:.4f} ", best, "right" if best > band.expected else "left", 0)
