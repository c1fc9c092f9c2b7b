"""Pictures of relevance labels, and of a feature's values at each relevance level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from itertools import cycle
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from core.analysis.dataset.dataset_card import DatasetCard, dataset_card
from core.analysis.dataset.distribution import FeatureDistribution, feature_distribution
from core.data import RankingData
from core.data.naming import columns
from core.data.nouns import nouns_of
from core.figures.look.style import DASHES, layout
from core.figures.picture import Picture, Words, option, said
from core.names.plain import in_plotly

Shape = Literal["cumulative", "histogram"]


@dataclass(frozen=True, eq=False)
class RelevanceLevels(Picture[DatasetCard]):
    """Draw how many documents have each level of relevance.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    """

    data: RankingData

    name, chart = "relevance_levels", "labels"
    about = "Relevance levels"

    def result(self, needed: Mapping[str, Any]) -> DatasetCard:
        return dataset_card(self.data)

    def rows(self, found: DatasetCard) -> pd.DataFrame:
        """A row a level or class."""
        nouns = nouns_of(self.data)
        return pd.DataFrame(found.levels, columns=[nouns.grade, nouns.rows])

    def words(self, found: DatasetCard) -> Words:
        nouns = nouns_of(self.data)
        relevant = sum(count for relevance, count in found.levels if relevance >= 1)
        title = f"{100 * relevant / found.n_documents:.1f} % of {nouns.rows} are {nouns.relevant}"
        return Words(title, self.where, f"{title}: bars of the {nouns.rows} {nouns.at_each_level}")

    def drawing(self, found: DatasetCard, words: Words) -> go.Figure:
        """Draw bars of the share of documents at each relevance level, with their numbers."""
        nouns, levels = nouns_of(self.data), found.levels
        total = sum(count for _, count in levels)
        figure = go.Figure(
            go.Bar(
                x=[100.0 * count / total for _, count in levels],
                y=[nouns.level(grade) if nouns.by_class else f"{grade}" for grade, _ in levels],
                orientation="h",
                marker={"color": level_colours(len(levels))},
                text=[f"{count:,}" for _, count in levels],
                textposition="auto",
                cliponaxis=False,
                hovertemplate=f"{nouns.grade} %{{y}}: %{{text}} {nouns.rows}, %{{x:.2f}} %<extra></extra>",
            )
        )
        figure.update_xaxes(title=f"% of {nouns.rows}", rangemode="tozero")
        figure.update_yaxes(title=nouns.grade, type="category")
        return layout(figure, words, height=170 + 34 * max(len(levels), 2))


@dataclass(frozen=True, eq=False)
class FeatureValues(Picture[FeatureDistribution]):
    """Draw how a feature's values lie at each relevance level, all queries together.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    feature : str or int
        By name, or by number counting from 1.
    shape : {"cumulative", "histogram"}

    Raises
    ------
    ValueError
        If there is no such feature.
    """

    data: RankingData
    feature: str | int
    _: KW_ONLY
    shape: Shape = option(
        "cumulative",
        "Values as",
        "Cumulative: the share with at most this value; it shows every value. Histogram: the share in each of 30 equal "
        "bins.",
        titles={"cumulative": "cumulative", "histogram": "histogram"},
        looks=True,
        key="data_shape",
    )

    name, chart = "feature_values", "distribution"
    about = "Values of a feature"

    def check(self) -> None:
        super().check()
        columns([self.feature], self.data.feature_names)

    def result(self, needed: Mapping[str, Any]) -> FeatureDistribution:
        return feature_distribution(self.data, columns([self.feature], self.data.feature_names)[0])

    def rows(self, found: FeatureDistribution) -> pd.DataFrame:
        """A row a relevance level or class."""
        nouns = nouns_of(self.data)
        rows = [
            (nouns.level(one.relevance) if nouns.by_class else one.relevance, one.n_documents, *one.five_numbers)
            for one in found.levels
        ]
        names = ["lowest", "lower quartile", "median", "upper quartile", "highest"]
        return pd.DataFrame(rows, columns=[nouns.grade, nouns.rows, *names])

    def words(self, found: FeatureDistribution) -> Words:
        """In how many pairs the value of the relevant one is higher."""
        nouns, share = nouns_of(self.data), found.higher_when_relevant
        if share is None:
            title = f"All {nouns.rows} are {nouns.relevant}, or none is"
        elif len(found.bin_edges) == 2:
            title = f"All {nouns.rows} have the same value"
        else:
            title = f"{nouns.relevant_rows.capitalize()} are higher in {100 * share:.0f} % of pairs"
        together = "" if nouns.by_class else "all queries together"
        subtitle = said(found.name, ", ".join(filter(None, (self.where, together))))
        return Words(title, subtitle, f"{title}: {found.name} {nouns.at_each_level}")

    def drawing(self, found: FeatureDistribution, words: Words) -> go.Figure:
        """Draw, for every level, the share of documents with at most a value, or the share of its documents in a bin.

        Curves far apart show a feature that is informative about relevance.
        """
        figure, nouns, bins, edges = go.Figure(), nouns_of(self.data), self.shape == "histogram", found.bin_edges
        colours = level_colours(len(found.levels))
        for level, colour, dash in zip(found.levels, colours, cycle(DASHES), strict=False):
            x, y = level.quantiles, 100.0 * np.linspace(0.0, 1.0, len(level.quantiles))
            if bins:  # outlines that may overlap
                x, y = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(100.0 * level.shares, 2), [0.0]])
            share = "%{y:.1f} % in the bin at" if bins else "%{y:.0f} % have at most"
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines" if len(y) > 1 else "markers",
                line={"color": colour, "dash": dash} | ({"width": 2.0} if bins else {"width": 2.4, "shape": "hv"}),
                name=f"{nouns.level(level.relevance)} ({level.n_documents:,})",
                hovertemplate=f"{nouns.level(level.relevance)}<br>{share} %{{x:.4g}}<extra></extra>",
            )
        figure.update_xaxes(title=f"value of {in_plotly(found.name)}")
        group = "class" if nouns.by_class else "level"
        if bins:
            figure.update_yaxes(title=f"% of the {group}'s {nouns.rows} in a bin", rangemode="tozero")
        else:
            figure.update_yaxes(title=f"% of {nouns.rows} with at most this value", range=[-2, 102])
        legend = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 12}}
        # Above the curves, because those of distributions meet at both ends.
        return layout(figure, words, showlegend=True, legend=legend, margin={"t": 112})


def level_colours(n_levels: int) -> list[str]:
    """Return colours from the lowest relevance to the highest, visible on white and on dark."""
    # The ends of the scale would vanish on one of the two themes.
    return list(sample_colorscale("Viridis", np.linspace(0.72, 0.22, n_levels).tolist()))
