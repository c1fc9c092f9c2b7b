"""The part that the Data page looks at, and its raw rows: the documents of one query as they stand in the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.dataset.dataset_card import DatasetCard, QueryRows, query_rows
from core.data import Convention, Dataset, Fold, RankingData
from core.data.nouns import Nouns, nouns_of
from core.export.scripts.description import DataDescription
from core.figures.path.tuning import PART_TITLES
from core.names.plain import in_markdown
from pages.shared import scripts
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source
from pages.shared.live_chart import main_picture
from pages.shared.wording import query_words_first

_DATA_QUERY = "data_query"
MOST_CELLS = 400_000


def one_query(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its control among the page's."""
    data, texts, nouns = part.data, part.dataset.query_texts, part.nouns
    with tools:
        query = data.query_ids[0] if part.nouns.by_class else _choose_query(data.query_ids, texts)
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


def _choose_query(ids: Sequence[str], texts: Mapping[str, str]) -> str:
    """Let a person choose a query; the address names it by its id, because its text is too long for a link."""
    address.begin(_DATA_QUERY, ids, ids[0])
    chosen = st.selectbox(
        "Query",
        ids,
        format_func=lambda query: f"{query}: {texts[query]}" if query in texts else str(query),
        key=_DATA_QUERY,
        width=360,
        label_visibility="collapsed",
        help="Type to search by id or text.",
    )
    address.write(_DATA_QUERY, chosen)
    return chosen


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
    def name(self) -> str:
        """The part as folds call it."""
        return next(name for name, title in PART_TITLES.items() if title == self.title)

    @property
    def described(self) -> DataDescription:
        """The data as scripts name them."""
        return scripts.data_of(self.source, self.fold_number)

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

    @property
    def cannot_rank(self) -> frozenset[int]:
        """Features (from 1) that are the same for all documents of a query, for every query."""
        return self.flat | frozenset(self.card.level_features)
