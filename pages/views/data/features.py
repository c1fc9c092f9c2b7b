"""The Data page's single features: how each ranks alone, and how its values lie at every relevance level."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.dataset.distribution import FeatureDistribution, feature_distribution
from core.analysis.features.random_ranking import RandomOrder, RandomWeights
from core.analysis.features.single_feature import SingleFeatureScore, each_single_feature
from core.api.tables import distribution_table, single_features_table
from core.data import RankingData
from core.data.nouns import Nouns
from core.export.scripts.data import feature_values_script, single_features_script
from core.figures.features.distributions import cumulative_figure, histogram_figure
from core.figures.features.single_feature import (
    better_reversed,
    ranked_scores,
    single_feature_figure,
    values_of,
)
from core.metrics import describe_convention
from core.metrics.equal_values import rounded
from core.metrics.measures import MeasureName, telling_measures
from core.names.plain import in_markdown
from core.program import PROGRAM
from core.work import Steps
from pages.shared.cache import cached
from pages.shared.choice import link
from pages.shared.choice.measures import choose_measure, explained
from pages.shared.live_chart import clicked, live_chart
from pages.shared.of_data import random_rankings
from pages.shared.work.stepwise import all_steps
from pages.views.data.part import Part

_DATA_FEATURE = "data_feature"
MOST_ROWS = 30  # as many as a small screen has room for


def single_features(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its controls among the page's."""
    data, convention = part.data, part.convention
    if len(part.cannot_rank) == data.n_features:
        of = part.nouns.rows if part.nouns.by_class else "documents of a query"
        st.info(f"No feature can rank this part: each has one value for all {of}.")
        return
    with tools:
        measure = choose_measure(
            telling_measures(data), "Measure", key="data_measure", help=explained(part.nouns), compact=True
        )
        all_rows = data.n_features <= MOST_ROWS or st.toggle(
            f"All {data.n_features} features",
            key="data_all",
            help=f"Off: only the best {MOST_ROWS}. The table always lists all features.",
        )
    scores = all_steps(
        f"single-{data.fingerprint}-{convention}",
        lambda: Steps(each_single_feature(data, convention), data.n_features),
        "Ranking by each feature alone",
    )
    if scores is None:
        return
    random = random_rankings(data, convention)
    _scores(part, scores, measure, *random, data.n_features if all_rows else MOST_ROWS)
    _distribution(part, scores, measure)


def _scores(
    part: Part,
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    order: RandomOrder,
    weights: RandomWeights,
    most: int,
) -> None:
    convention = part.convention
    band, line, nouns = order.of(measure), weights.of(measure), part.nouns
    cannot_rank = part.cannot_rank
    telling = [score for score in scores if score.index not in cannot_rank]
    best = best_words(telling, measure)
    beat_order, beat_weights = (_better(scores, measure, value, part.cannot_rank) for value in (band.high, line.mean))
    title = f"{beat_order} of {len(scores)} features beat a random order, {beat_weights} beat random weights"
    figure = single_feature_figure(
        scores,
        measure,
        band,
        line,
        constant=part.cannot_rank,
        most=most,
        title=title,
        subtitle=f"{part.where}\ngrey: 90 % of {order.n_draws} random orders of the {nouns.rows}",
        convention=convention,
        nouns=nouns,
    )
    table = single_features_table(scores, measure)
    alt = f"{title} by {measure}; the best is {best}"
    live_chart(
        figure,
        "single_features",
        alt=alt,
        table=table,
        script=lambda: single_features_script(part.described, part=part.name, measure=measure, most=most),
        on_click=_take_click,
        main=True,
    )
    left, right = st.columns([2, 3])
    with left:
        st.markdown(
            f"Best alone on {in_markdown(part.where)} by {measure}: **{in_markdown(best)}**. "
            f"A random order of the {nouns.rows} gets {band.expected:.4f}. "
            f"Random weights of all features get {line.mean:.4f}, the mean of {weights.n_draws} draws from "
            f"{line.low:.4f} to {line.high:.4f}. These weights are at least 0 and sum to 1; they are the red line in "
            "Fig. 1 of Lai et al. (2013, FenchelRank).\n\n"
            "● ranks the largest values first. ▼ shows where the smallest first would be better: such a feature needs "
            "a negative weight. ○ cannot rank: it is the same for all "
            f"{nouns.rows if nouns.by_class else 'documents of a query'}. Click a dot to see the feature's values "
            "below.\n\n"
            f"{_ties_words(measure, nouns)} Chance alone lets about one useless feature in ten "
            "beat 95 % of random orders, in one direction or the other."
        )
    with right:
        digits = st.column_config.NumberColumn(format="%.4f")
        st.dataframe(
            table,
            hide_index=True,
            key="single_features",
            height=min(38 + 35 * len(table), 560),
            column_config=dict.fromkeys(table.columns[2:], digits),
        )
        st.caption(describe_convention(convention, nouns))


def best_words(scores: Sequence[SingleFeatureScore], measure: MeasureName) -> str:
    """Name the feature that ranks best alone, with value and direction; among equals the first, largest first."""
    best = max(scores, key=lambda score: rounded(max(values_of(score, measure))))
    turned = ", smallest first" if better_reversed(best, measure) else ""
    return f"{best.name} with {max(values_of(best, measure)):.4f}{turned}"


def _better(scores: Sequence[SingleFeatureScore], measure: MeasureName, value: float, flat: frozenset[int]) -> int:
    """Count the features above a value, each in its better direction."""
    return sum(max(values_of(score, measure)) > value for score in scores if score.index not in flat)


def _take_click() -> None:
    """Make the feature whose dot was clicked the chosen one."""
    point = clicked("single_features")
    if point is not None and point.get("customdata"):
        st.session_state[_DATA_FEATURE] = int(point["customdata"][1])


def _distribution(part: Part, scores: Sequence[SingleFeatureScore], measure: MeasureName) -> None:
    names = part.data.feature_names
    ranked = [score.index for score in ranked_scores(scores, measure)]
    if st.session_state.get(_DATA_FEATURE) not in ranked:
        st.session_state.pop(_DATA_FEATURE, None)
    link.spell(_DATA_FEATURE, {j: f"{names[j - 1]} ({j})" for j in ranked if j <= len(names)})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = st.selectbox(
            "Feature",
            ranked,
            format_func=lambda j: f"{names[j - 1]} ({j})" if j <= len(names) else str(j),
            key=_DATA_FEATURE,
            bind="query-params",
            help="Features in the order of the picture.",
        )
        shape = st.segmented_control(
            "Values as",
            ("cumulative", "histogram"),
            default="cumulative",
            required=True,
            key="data_shape",
            bind="query-params",
            help=f"Cumulative: the share of {part.nouns.rows} with at most this value; it shows every value. "
            f"Histogram: the share of {part.nouns.rows} in each of 30 equal bins.",
        )
    distribution = _distribution_of(part.data, index - 1)
    draw = histogram_figure if shape == "histogram" else cumulative_figure
    title = _distribution_title(distribution, part.nouns)
    together = "" if part.nouns.by_class else ", all queries together"
    figure = draw(distribution, part.nouns, title=title, subtitle=f"{distribution.name} · {part.where}{together}")
    live_chart(
        figure,
        "distribution",
        alt=f"{title}: {distribution.name} {part.nouns.at_each_level}",
        table=lambda: distribution_table(distribution, part.nouns),
        script=lambda: feature_values_script(part.described, part=part.name, feature=index, shape=shape),
    )


@cached()
def _distribution_of(data: RankingData, position: int) -> FeatureDistribution:
    return feature_distribution(data, position)


def _ties_words(measure: MeasureName, nouns: Nouns) -> str:
    if measure == "Top":
        return f"A tie with a {nouns.irrelevant} {nouns.row} counts against the other."
    return (
        f"{nouns.rows.capitalize()} with the same value count as the mean over all their orders (`{PROGRAM} "
        "features` also prints the official measures, which keep file order)."
    )


def _distribution_title(distribution: FeatureDistribution, nouns: Nouns) -> str:
    share = distribution.higher_when_relevant
    if share is None:
        return f"All {nouns.rows} are {nouns.relevant}, or none is"
    if len(distribution.bin_edges) == 2:
        return f"All {nouns.rows} have the same value"
    return f"{nouns.relevant_rows.capitalize()} are higher in {100 * share:.0f} % of pairs"
