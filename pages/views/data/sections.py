"""The sections of the Data page: the documents of a query, how features rank alone, and which are similar."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.dataset.dataset_card import DatasetCard, QueryRows, query_rows
from core.analysis.features.similarity import Similarity, refuse_too_many
from core.data import Convention, DataError, Dataset, Fold, RankingData
from core.data.nouns import Nouns, nouns_of
from core.export.scripts.description import DataDescription
from core.figures.features.distributions import FeatureValues
from core.figures.features.similarity import FITTING, LETTERS, SimilarityPicture
from core.figures.features.single_feature import FeaturesAlone, SingleFeatures, ranked_scores
from core.metrics import describe_convention
from core.metrics.kendall import LARGEST_SAMPLE
from core.metrics.measures import telling_measures
from core.names.plain import in_markdown
from core.program import PROGRAM
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source
from pages.shared.choice.menu import choose_measure, explained
from pages.shared.live_chart import clicked, main_picture
from pages.shared.show import data_of, option_control, show
from pages.shared.wording import query_words_first

_DATA_QUERY = "data_query"
_DATA_FEATURE = "data_feature"
MOST_CELLS = 400_000
MOST_PAIRS = 100
MOST_ROWS = 30  # as many as a small screen has room for


@dataclass(frozen=True, eq=False)
class Part:
    """Training, validation or test part, with what has been counted of it.

    It needs no method and no C: there is something to see even where there is nothing to learn.
    """

    source: Source
    fold_number: int
    title: str
    data: RankingData
    card: DatasetCard

    @property
    def described(self) -> DataDescription:
        """The data as scripts name them."""
        return data_of(self.source, self.fold_number)

    @property
    def fold(self) -> Fold:
        return access.fold(self.source, self.fold_number)

    @property
    def dataset(self) -> Dataset:
        return access.dataset(self.source)

    @property
    def convention(self) -> Convention:
        return self.dataset.convention

    @property
    def fold_in_words(self) -> str:
        return f"{self.dataset.name}, {self.dataset.fold_names[self.fold_number - 1]}"

    @property
    def where(self) -> str:
        """Dataset, fold and part in words."""
        return f"{self.fold_in_words}, {self.title}"

    @property
    def nouns(self) -> Nouns:
        """The words for what the data holds."""
        return nouns_of(self.data)

    @property
    def flat(self) -> frozenset[int]:
        """Features (from 1) with one value only."""
        return frozenset(self.card.zero_features + self.card.constant_features)


def one_query(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its control among the page's."""
    data, texts, nouns = part.data, part.dataset.query_texts, part.nouns

    def choose() -> str:
        return address.from_list(
            "Query",
            data.query_ids,
            format_func=lambda query: f"{query}: {texts[query]}" if query in texts else str(query),
            key=_DATA_QUERY,
            width=360,
            help="Type to search by id or text.",
        )

    with tools:
        query = data.query_ids[0] if part.nouns.by_class else choose()
    rows = query_rows(data, data.query_ids.index(query), most=max(MOST_CELLS // data.n_features, 20))
    with main_picture():
        st.subheader(in_markdown(_title(rows, texts.get(rows.query_id), part.nouns)), anchor=False)
        with st.container(key="rows"):
            st.dataframe(
                _table(rows, part),
                hide_index=True,
                height="stretch",
                column_config={
                    nouns.grade: st.column_config.Column(pinned=True, width=75),
                    nouns.row: st.column_config.TextColumn(pinned=True, width=260),
                },
            )
    left_out = rows.n_documents - len(rows.relevance)
    least = "last rows" if nouns.by_class else "least relevant documents"
    more = f" The {left_out:,} {least} are left out." if left_out else ""
    order = (
        "Positives come first, each class in the order of the file"
        if nouns.by_class
        else "The most relevant documents come first; equally relevant ones keep the order of the file"
    )
    st.caption(
        f"{in_markdown(part.where)}. {order}. The values are those that models see, after the scaling chosen in the "
        f"sidebar. Click a column's title to sort by it.{more}"
    )


def _title(rows: QueryRows, text: str | None, nouns: Nouns) -> str:
    if nouns.by_class:
        return f"{rows.n_relevant:,} of {rows.n_documents:,} rows are positive"
    called = f"“{text}”" if text else query_words_first(rows.query_id)
    return f"{called}: {rows.n_relevant:,} of {rows.n_documents:,} documents are relevant"


def _table(rows: QueryRows, part: Part) -> pd.DataFrame:
    names = part.dataset.document_names
    table = pd.DataFrame(rows.features, columns=[f"{j} {name}" for j, name in enumerate(part.data.feature_names, 1)])
    nouns = part.nouns
    called = "row {}" if nouns.by_class else "number {} of the query"
    documents = rows.document_ids or tuple(called.format(place + 1) for place in rows.places)
    described = [f"{document}: {names[document]}" if document in names else document for document in documents]
    grades = [nouns.level(int(grade)) for grade in rows.relevance] if nouns.by_class else rows.relevance
    table.insert(0, nouns.grade, grades, allow_duplicates=True)
    table.insert(1, nouns.row, described, allow_duplicates=True)
    return table


def single_features(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its controls among the page's."""
    data, convention = part.data, part.convention
    if len(part.flat | frozenset(part.card.level_features)) == data.n_features:
        of = part.nouns.compared
        st.info(f"No feature can rank this part: each has one value for all {of}.")
        return
    with tools:
        measure = choose_measure(telling_measures(data), "Measure", key="data_measure", help=explained(part.nouns))
        all_rows = data.n_features <= MOST_ROWS or st.toggle(
            f"All {data.n_features} features",
            key="data_all",
            help=f"Off: only the best {MOST_ROWS}. The table always lists all features.",
        )
    most = data.n_features if all_rows else MOST_ROWS
    picture = SingleFeatures(data, measure=measure, convention=convention, most=most, where=part.where)
    found = show(picture, part.described, part.fold, on_click=_take_click, main=True)
    if found is None:
        return
    _explained(part, picture, found)
    names = part.data.feature_names
    ranked = [score.index for score in ranked_scores(found.scores, measure)]
    if st.session_state.get(_DATA_FEATURE) not in ranked:
        st.session_state.pop(_DATA_FEATURE, None)
    titles = {j: f"{names[j - 1]} ({j})" for j in ranked if j <= len(names)}
    address.spell(_DATA_FEATURE, titles)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = st.selectbox(
            "Feature",
            ranked,
            format_func=lambda j: titles.get(j, str(j)),
            key=_DATA_FEATURE,
            bind="query-params",
            help="Features in the order of the picture.",
        )
        shape = option_control(FeatureValues, "shape")
    show(FeatureValues(part.data, index, shape=shape, where=part.where), part.described, part.fold)


def _explained(part: Part, picture: SingleFeatures, found: FeaturesAlone) -> None:
    measure, nouns, weights = picture.measure, part.nouns, found.weights
    line = weights.of(measure)
    ties = (
        f"{nouns.rows.capitalize()} with the same value count as the mean over all their orders (`{PROGRAM} features` "
        "under LETOR's conventions also prints the official measures, which keep file order)."
    )
    if measure == "Top":
        ties = f"A tie with a {nouns.irrelevant} {nouns.row} counts against the other."
    left, right = st.columns([2, 3])
    with left:
        st.markdown(
            f"Best alone on {in_markdown(part.where)} by {measure}: **{in_markdown(found.best_words(measure))}**. "
            f"A random order of the {nouns.rows} gets {found.order.of(measure).expected:.4f}. "
            f"Random weights of all features get {line.mean:.4f}, the mean of {weights.n_draws} draws from "
            f"{line.low:.4f} to {line.high:.4f}. These weights are at least 0 and sum to 1; they are the red line in "
            "Fig. 1 of Lai et al. (2013, FenchelRank).\n\n"
            "● ranks the largest values first. ▼ shows where the smallest first would be better: such a feature needs "
            "a negative weight. ○ cannot rank: it is the same for all "
            f"{nouns.compared}. Click a dot to see the feature's values "
            "below.\n\n"
            f"{ties} Chance alone lets about one useless feature in ten "
            "beat 95 % of random orders, in one direction or the other."
        )
    table = picture.rows(found)
    with right:
        digits = st.column_config.NumberColumn(format="%.4f")
        st.dataframe(
            table,
            hide_index=True,
            key="single_features",
            height=min(38 + 35 * len(table), 560),
            column_config=dict.fromkeys(table.columns[2:], digits),
        )
        st.caption(describe_convention(picture.convention, nouns))


def _take_click() -> None:
    """Make the feature whose dot was clicked the chosen one."""
    if point := clicked("single_features"):
        st.session_state[_DATA_FEATURE] = int(point[1])


def similarity(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its controls among the page's."""
    if len(part.flat) == part.data.n_features:
        st.info("Every feature is constant in this part: there is nothing to compare.")
        return
    try:
        refuse_too_many(part.data.n_features)
    except DataError as error:
        st.info(f"{error}.")
        return
    with tools:
        kind = option_control(SimilarityPicture, "kind")
        threshold = option_control(SimilarityPicture, "threshold", width=200)
    stage = st.container()
    every_name = part.data.n_features > FITTING and option_control(SimilarityPicture, "every_name", default=False)
    picture = SimilarityPicture(part.data, kind=kind, threshold=threshold, every_name=every_name, where=part.where)
    with stage, main_picture():
        found = show(picture, part.described, part.fold, fill=not every_name)
    if found is not None:
        _similarity_explained(part, found)


def _similarity_explained(part: Part, found: Similarity) -> None:
    letter, names = LETTERS[found.kind], part.data.feature_names
    left, right = st.columns([2, 3])
    with left:
        st.markdown(
            f"Similar features stand next to each other (average linkage on 1 − |{letter}|). Blue: both rise together. "
            "Orange: one falls as the other rises. A sparse model needs one feature of a group of twins, and which one "
            "it keeps may change from fold to fold. A constant feature has similarity 0 to every other."
        )
        if found.kind == "kendall" and found.n_documents < part.data.n_documents:
            st.caption(
                f"τ is computed on {LARGEST_SAMPLE:,} {part.nouns.rows} drawn at random, always the same ones. Its "
                "standard error is 0.015 for unrelated features and never above 0.032."
            )
    pairs = pd.DataFrame(
        [
            {
                "similarity": pair.similarity,
                "a feature": f"{names[pair.first]} ({pair.first + 1})",
                "and its closest": f"{names[pair.second]} ({pair.second + 1})",
            }
            for pair in found.closest()[:MOST_PAIRS]
        ],
        columns=["similarity", "a feature", "and its closest"],
    )
    with right:
        st.dataframe(
            pairs,
            hide_index=True,
            key="closest",
            column_config={"similarity": st.column_config.NumberColumn(format="%.3f", pinned=True)},
        )
