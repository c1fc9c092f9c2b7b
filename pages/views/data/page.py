"""The Data page: what there is to learn from, before anything is fitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.dataset.dataset_card import DatasetCard, dataset_card, file_order
from core.data.naming import names_note
from core.data.nouns import Nouns, nouns_of
from core.figures.features.distributions import RelevanceLevels
from core.figures.path.lines import PART_TITLES
from core.methods import EmptyOptimumError, get_method
from core.names.plain import in_markdown
from pages.shared import frame, keys, panels
from pages.shared.cache import cached
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source
from pages.shared.live_chart import main_picture
from pages.shared.panels import copies_note, join_report, join_sentence
from pages.shared.show import show
from pages.shared.wording import first_of
from pages.views.data.sections import Part, one_query, similarity, single_features

_DATA_PART = "data_part"
MOST_LISTED = 12
QUESTIONS = {
    "overview": "What is there to learn?",
    "features": "What can each feature do alone?",
    "similarity": "Which are alike?",
    "query": "What does a query hold?",
}
"""What the page can be asked, by its name in the address."""
_NAMES = {"train": "Training part", "vali": "Validation part", "test": "Test part"}
_card = cached(says="Counting …")(dataset_card)
_file_order = cached()(file_order)
PART_NAMES = {PART_TITLES[part]: name for part, name in _NAMES.items()}


def render() -> None:
    """Draw the page for the data chosen in the sidebar; it can be looked at even where no model can learn from it."""
    readable: tuple[Source, int] | None = st.session_state.get(keys.READABLE)
    if readable is None:
        panels.no_choice()
        return
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    if frame.choice() is None:
        error = st.session_state[keys.NO_CHOICE]
        if isinstance(error, EmptyOptimumError):
            method = get_method(st.session_state[keys.METHOD])
            panels.empty_answer(error, method.id, method.title)
        else:
            st.warning(f"No model can be fitted: {in_markdown(str(error))}")
    source, fold_number = readable
    by_class = nouns_of(access.fold(source, fold_number).train).by_class
    labels = QUESTIONS | ({"query": "What do its rows hold?"} if by_class else {})
    with tools:
        section = address.one_of("Look at", labels, key="data_section")
        parts = {PART_TITLES[name]: data for name, data in access.fold(source, fold_number).parts().items()}
        if st.session_state.get(_DATA_PART) not in parts:
            st.session_state.pop(_DATA_PART, None)
        title = address.one_of(
            "Part",
            list(parts),
            begins="train",
            key=_DATA_PART,
            help="Models learn from the training part, C is chosen on the validation part, and the model is judged on "
            "the test part.",
        )
    part = Part(source, fold_number, title, parts[title], _card(parts[title]))
    heading.header(in_markdown(_title(part)), anchor=False)
    copies_note(*readable)
    SECTIONS[section](part, tools)
    if note := names_note(part.data.feature_names):
        st.caption(f":material/info: {note}")


def _title(part: Part) -> str:
    """What the part holds, and of how much: a part of a fold is not the fold."""
    card, parts = part.card, access.fold(part.source, part.fold_number).parts()
    name = f"{PART_NAMES[part.title]} of {part.fold_in_words}" if len(parts) > 1 else part.fold_in_words
    relevant = f"{_mean(card.relevant_per_query)} of them {part.nouns.relevant}"
    if card.n_queries == 1:
        documents = _of(card.n_documents, [data.n_documents for data in parts.values()])
        return f"{name}: {documents} {part.nouns.rows}{'' if part.nouns.by_class else ' in one list'}, {relevant}"
    queries = _of(card.n_queries, [data.n_queries for data in parts.values()])
    return f"{name}: {queries} queries with {_mean(card.documents_per_query)} documents each, {relevant}"


def _of(number: int, parts: Sequence[int]) -> str:
    """A number of a part, and of all parts together where there are several."""
    return f"{number:,} of {sum(parts):,}" if len(parts) > 1 else f"{number:,}"


def _overview(part: Part, _tools: DeltaGenerator) -> None:
    card = part.card
    with main_picture():
        left, right = st.columns([2, 1])
        with left:
            show(RelevanceLevels(part.data, where=part.where), part.described, part.fold, fill=True)
        with right:
            st.subheader(f"{card.n_telling} of {card.n_features} features can rank", anchor=False)
            joined = join_sentence(part.source)
            sentences = [
                *([joined] if joined else []),
                *_sentences(card, part.data.feature_names, part.nouns),
                _order_of_the_file(part),
            ]
            st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _card_table(part)
    st.caption(in_markdown(part.dataset.provenance))
    join_report(part.source)
    if notes := [*part.dataset.notes, *access.fold(part.source, part.fold_number).notes]:
        st.info("\n".join(f"- {in_markdown(note)}" for note in notes))


def _card_table(part: Part) -> None:
    parts = access.fold(part.source, part.fold_number).parts()
    cards = {PART_TITLES[name]: _card(data) for name, data in parts.items()}
    # A single list that has been split is the same query in all parts, and none of a whole.
    if len(parts) > 1 and part.data.n_queries > 1:
        cards["whole fold"] = _card(*parts.values())
    if part.nouns.by_class:
        rows = [
            {
                "part": name,
                "features": card.n_features,
                "rows": card.n_documents,
                "positives": dict(card.levels).get(1, 0),
                "negatives": dict(card.levels).get(0, 0),
                "preference pairs": card.n_pairs,
            }
            for name, card in cards.items()
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, key="card")
        return
    rows = [
        {
            "part": name,
            "features": card.n_features,
            "queries": card.n_queries,
            "documents": card.n_documents,
            "preference pairs": card.n_pairs,
            "documents a query": card.documents_per_query,
            "relevant a query": card.relevant_per_query,
            "levels": ", ".join(str(relevance) for relevance, _ in card.levels),
            "queries without pairs": card.queries_without_pairs,
            "smallest query": card.smallest_query,
            "largest query": card.largest_query,
        }
        for name, card in cards.items()
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        key="card",
        column_config={
            "part": st.column_config.TextColumn(pinned=True),
            "preference pairs": st.column_config.NumberColumn(
                help="Two documents of the same query with different relevance. A ranking loss learns from these.",
                format="localized",
            ),
            "documents": st.column_config.NumberColumn(
                help="Query-document pairs: a document counts once for every query that lists it.", format="localized"
            ),
            "documents a query": st.column_config.NumberColumn(format="%.1f", help="Mean over queries."),
            "relevant a query": st.column_config.NumberColumn(
                format="%.1f", help="Mean over queries; relevant means level 1 or more."
            ),
            "queries without pairs": st.column_config.NumberColumn(
                help="All documents of such a query have the same relevance. A model learns nothing from it, and its "
                "MAP and NDCG are the same under every model."
            ),
        },
    )
    st.caption("The columns of Table III in Laporte et al. (2014), and the number of queries without preference pairs.")


def _order_of_the_file(part: Part) -> str:
    """Say how well the file's own order ranks: a model that scores all documents alike would get that quality."""
    nouns, measures = part.nouns, ("MAP",) if part.nouns.by_class else ("MAP", "NDCG@10")
    found = [_file_order(part.data, part.convention, measure) for measure in measures]
    if part.convention == "standard":
        values = " and ".join(f"{one.measure} {one.expected:.4f}" for one in found)
        return (
            f"{nouns.rows.capitalize()} with the same score count in expectation over their orders, so no number "
            f"depends on the **order of the file**. A model that scores all alike has {values}, as a random order does."
        )
    values = " and ".join(f"{one.measure} {one.file:.4f} ({one.expected:.4f} over all orders)" for one in found)
    return (
        f"The **order of the file** by itself has {values}. The official scripts keep this order for {nouns.rows} "
        f"with the same score, and so do tables here. Wherever this program chooses, tests or draws, it takes the mean "
        f"over all orders of such {nouns.rows} instead."
    )


def _sentences(card: DatasetCard, names: Sequence[str], nouns: Nouns) -> list[str]:
    """Say in a sentence each, in Markdown, what makes features or queries useless here, or that nothing does."""

    def listed(features: Sequence[int]) -> str:
        return first_of([f"{in_markdown(names[index - 1])} ({index})" for index in features], MOST_LISTED)

    sentences = [
        f"**{len(features)}** {('is' if len(features) == 1 else 'are')} {what}: {listed(features)}."
        for features, what in (
            (card.zero_features, f"zero in every {nouns.row}, and not counted in a sparsity ratio"),
            (card.constant_features, f"the same, but not zero, in every {nouns.row}"),
            (
                card.level_features,
                "the same for all documents of a query, in every query, so a weight on them changes no ranking",
            ),
        )
        if features
    ]
    if card.n_telling == card.n_features:
        sentences.append("No feature is constant.")
    if nouns.by_class:
        return sentences
    if card.queries_without_pairs:
        share = 100 * card.queries_without_pairs / card.n_queries
        sentences.append(
            f"**{card.queries_without_pairs:,}** of {card.n_queries:,} queries ({share:.0f} %) have no preference "
            f"pair: all their documents have the same relevance. {card.queries_without_relevant:,} of them have "
            "no relevant document, and count 0 in MAP and NDCG under every model."
        )
    else:
        sentences.append("Every query has preference pairs.")
    return sentences


def _mean(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


SECTIONS: dict[str, Callable[[Part, DeltaGenerator], None]] = {
    "overview": _overview,
    "features": single_features,
    "similarity": similarity,
    "query": one_query,
}
