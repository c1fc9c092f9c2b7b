"""What there is to learn from: relevance, single features, their values, and how alike they are."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from core.analysis.dataset.dataset_card import dataset_card
from core.analysis.dataset.distribution import feature_distribution
from core.analysis.features.random_ranking import random_order, random_weights
from core.analysis.features.similarity import Kind, kendall_similarity, pearson, refuse_too_many
from core.analysis.features.single_feature import single_feature_scores
from core.api.part import training_part
from core.api.rules import columns
from core.api.tables import distribution_table, similarity_table, single_features_table
from core.data import Convention, Fold, RankingData
from core.data.nouns import nouns_of
from core.figures.features.distributions import cumulative_figure, histogram_figure, label_figure
from core.figures.features.similarity import KIND_TITLES, similarity_figure
from core.figures.features.single_feature import single_feature_figure
from core.figures.picture import Picture
from core.metrics.kendall import kendall_rows, sample_documents
from core.metrics.measures import MeasureName


def relevance_levels(data: Fold | RankingData) -> Picture:
    """Draw how many documents have each level of relevance.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    """
    data = training_part(data)
    levels, nouns = dataset_card(data).levels, nouns_of(data)
    title = f"{nouns.rows.capitalize()} {nouns.at_each_level}"
    figure = label_figure(levels, nouns, title=title)
    return Picture(figure, pd.DataFrame(levels, columns=[nouns.grade, nouns.rows]))


def single_features(
    data: Fold | RankingData, *, measure: MeasureName = "NDCG@10", convention: Convention = "standard", most: int = 30
) -> Picture:
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
    data = training_part(data)
    scores = single_feature_scores(data, convention)
    order, weights = random_order(data, convention), random_weights(data, convention)
    card = dataset_card(data)
    figure = single_feature_figure(
        scores,
        measure,
        order.of(measure),
        weights.of(measure),
        constant={*card.zero_features, *card.constant_features, *card.level_features},
        most=most,
        title=f"{measure} of each feature alone",
        convention=convention,
        nouns=nouns_of(data),
    )
    return Picture(figure, single_features_table(scores, measure))


def feature_values(
    data: Fold | RankingData, feature: str | int, *, shape: Literal["cumulative", "histogram"] = "cumulative"
) -> Picture:
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
    data = training_part(data)
    distribution = feature_distribution(data, columns([feature], data.feature_names)[0])
    draw = histogram_figure if shape == "histogram" else cumulative_figure
    nouns = nouns_of(data)
    figure = draw(distribution, nouns, title=f"{distribution.name} {nouns.at_each_level}")
    return Picture(figure, distribution_table(distribution, nouns))


def similarity(data: Fold | RankingData, *, kind: Kind = "pearson") -> Picture:
    """Draw how alike features are, all against all.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    kind : {"pearson", "kendall"}
        Of large data, Kendall's is computed on a sample of the documents, always the same ones.

    Raises
    ------
    DataError
        If there are more than `core.analysis.features.similarity.MOST_FEATURES`.
    """
    data = training_part(data)
    refuse_too_many(data.n_features)
    if kind == "pearson":
        found = pearson(data)
    else:
        sample = sample_documents(data.n_documents)
        found = kendall_similarity(list(kendall_rows(data.features[sample])), len(sample))
    figure = similarity_figure(found, data.feature_names, title=KIND_TITLES[found.kind])
    return Picture(figure, similarity_table(found, data.feature_names))
