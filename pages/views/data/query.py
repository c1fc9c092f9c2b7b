"""The Data page's raw rows: the documents of one query as they stand in the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.dataset.query_rows import QueryRows, query_rows
from core.names.plain import in_markdown
from pages.shared.choice import address
from pages.shared.live_chart import main_picture
from pages.shared.wording import query_words_first
from pages.views.data.part import Part

_DATA_QUERY = "data_query"
MOST_CELLS = 400_000


def one_query(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its control among the page's."""
    data, texts = part.data, part.dataset.query_texts
    with tools:
        query = _choose_query(data.query_ids, texts)
    rows = query_rows(data, data.query_ids.index(query), most=max(MOST_CELLS // data.n_features, 20))
    with main_picture():
        st.subheader(in_markdown(_title(rows, texts.get(rows.query_id))), anchor=False)
        with st.container(key="rows"):
            st.dataframe(
                _table(rows, part),
                hide_index=True,
                height="stretch",
                column_config={
                    "relevance": st.column_config.NumberColumn(pinned=True, width=75),
                    "document": st.column_config.TextColumn(pinned=True, width=260),
                },
            )
    left_out = rows.n_documents - len(rows.relevance)
    more = f" The {left_out:,} least relevant documents are left out." if left_out else ""
    st.caption(
        f"{in_markdown(part.where)}. The most relevant documents come first; equally relevant ones keep the order of "
        "the "
        "file. The values are those that models see, after the scaling chosen in the sidebar. Click a column's "
        "title to sort by "
        f"it.{more}"
    )


def _choose_query(ids: Sequence[str], texts: Mapping[str, str]) -> str:
    """Let a person choose a query; the address names it by its id, because its text is too long for a link."""
    if st.session_state.get(_DATA_QUERY) not in ids:
        linked = st.query_params.get(_DATA_QUERY)
        st.session_state[_DATA_QUERY] = linked if linked in ids else ids[0]
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


def _title(rows: QueryRows, text: str | None) -> str:
    called = f"“{text}”" if text else query_words_first(rows.query_id)
    return f"{called}: {rows.n_relevant:,} of {rows.n_documents:,} documents are relevant"


def _table(rows: QueryRows, part: Part) -> pd.DataFrame:
    names = part.dataset.document_names
    table = pd.DataFrame(rows.features, columns=[f"{j} {name}" for j, name in enumerate(part.data.feature_names, 1)])
    documents = rows.document_ids or tuple(f"number {place + 1} of the query" for place in rows.places)
    described = [f"{document}: {names[document]}" if document in names else document for document in documents]
    table.insert(0, "relevance", rows.relevance, allow_duplicates=True)
    table.insert(1, "document", described, allow_duplicates=True)
    return table
