"""Which columns of a table name the query and have the relevance: asked where no name tells, and said over the page."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.data import DataError, UndecidedRolesError
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice import access, address
from pages.shared.choice.source import Source
from pages.shared.lazy import lazy_popover

_CONFIRMED = "reading_confirmed"
_QUERIES, _CLASSES = "a document of a query", "an item with a class"
_QUESTION = "Which column is the query, which the relevance?"
_ROLES = (keys.QUERY_COLUMN, keys.RELEVANCE_COLUMN)


def choose_roles(source: Source) -> Source:
    """The source with the columns for query and relevance that a person or a link has chosen."""
    columns = access.columns(source)
    query, relevance = (_chosen(key, columns) for key in _ROLES)
    if query is not None or relevance is not None:
        return source.read(query_column=query, relevance_column=relevance)
    if columns and access.layout(source) is None and (of_class := _chosen(keys.CLASS_COLUMN, columns)) is not None:
        return source.read(class_column=of_class)  # the table may have queries; who names a class column says no
    return source


def _chosen(key: str, columns: Mapping[str, str]) -> str | None:
    """The column that a person or a link has chosen; the address follows."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key)
    if st.session_state[key] not in columns:
        st.session_state[key] = None
    column: str | None = st.session_state[key]
    if column is not None:
        address.write(key, column)
    elif key in st.query_params:
        del st.query_params[key]
    return column


def forget_roles() -> None:
    """Forget the columns: they belong to the file chosen before."""
    for key in _ROLES:
        st.session_state[key] = None
        st.query_params.pop(key, None)


def ask_about_roles(error: UndecidedRolesError) -> None:
    """The question that a table asks, on the page, with its likeliest answer filled in."""
    st.header(_QUESTION, anchor=False)
    _why(error)
    with st.container(key="roles_question", width=560):
        if found := _form(error.columns, error.queries[0], error.relevances[0], error.class_column, key="ask"):
            take_roles(found)
            st.rerun()


def ask_about_given(error: UndecidedRolesError) -> Mapping[str, str | None] | None:
    """The same question before the table is opened; the columns by their keys once it is answered."""
    st.markdown(f"**{_QUESTION}**")
    _why(error)
    return _form(error.columns, error.queries[0], error.relevances[0], error.class_column, key="given")


def _why(error: UndecidedRolesError) -> None:
    st.info(
        f"{in_markdown(error.file or 'This file')} has a column whose values repeat and one with a few small numbers, "
        "so its rows may be documents of queries. Nothing has been read yet.",
    )


def reading_line(source: Source) -> None:
    """How a table of the visitor has been read, in one line that stays until it is confirmed or changed."""
    if not source.upload or (words := _words(source)) == "":
        return
    reading = source.reading
    mark = (source.upload, reading.query_column, reading.relevance_column, reading.class_column)
    confirmed: set[object] = st.session_state.setdefault(_CONFIRMED, set())
    if mark in confirmed:
        return
    columns = access.columns(source)
    with st.container(key="reading_line", horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/description: {words}", width="content")
        st.button("That is right", key="reading_confirm", type="tertiary", on_click=confirmed.add, args=(mark,))

        def change() -> None:
            query, relevance = reading.query_column, reading.relevance_column
            if found := _form(columns, query, relevance, reading.class_column, key="change"):
                take_roles(found)
                st.rerun()

        lazy_popover("Change", change, key="reading_change", type="tertiary")


def _words(source: Source) -> str:
    """How the columns are used, where their names alone do not tell; empty for a file that is no table."""
    try:
        dataset = access.dataset(source)
    except DataError:
        return ""
    layout, classes = access.layout(source), access.classes(source)
    if layout is None or classes is None or layout.class_position is None:
        said = source.reading.query_column is not None or source.reading.relevance_column is not None
        return in_markdown(dataset.notes[0]) if said else ""
    counts = classes.counts
    positive = source.reading.positive or classes.usual or next(iter(counts))
    rest = sum(counts.values()) - counts[positive]
    told = layout.told(layout.class_position)
    other = f"{rest:,} are not"
    if len(counts) == 2:
        other = f"{rest:,} “{in_markdown(next(c for c in counts if c != positive))}”"
    return (
        f"Every row is an item with a class in {in_markdown(told)}: {counts[positive]:,} are "
        f"“{in_markdown(positive)}”, {other}."
    )


def _form(
    columns: Mapping[str, str], query: str | None, relevance: str | None, classes: str | None, *, key: str
) -> Mapping[str, str | None] | None:
    """Controls for the roles of columns, and a button that takes them; the columns once it is pressed."""
    options = list(columns)

    def title(option: str) -> str:
        name = f"column {option}" if option.isdecimal() else option
        return f"{name}: {columns[option]}"

    def column(label: str, chosen: str | None, name: str) -> str | None:
        index = options.index(chosen) if chosen in options else None
        held: str | None = st.selectbox(
            label, options, index=index, format_func=title, key=f"roles_{name}_{key}", placeholder="Choose a column"
        )
        return held

    kind = st.segmented_control(
        "A row is",
        [_QUERIES, _CLASSES],
        default=_CLASSES if query is None and key == "change" else _QUERIES,
        key=f"roles_kind_{key}",
    )
    if kind == _CLASSES:
        found = {keys.CLASS_COLUMN: column("Class column", classes, "class")}
    else:
        found = {
            keys.QUERY_COLUMN: column("Query column", query, "query"),
            keys.RELEVANCE_COLUMN: column("Relevance column", relevance, "relevance"),
        }
    ready = all(found.values()) and len(set(found.values())) == len(found)
    pressed = button("Read the file like this", key=f"roles_take_{key}", type="primary", disabled=not ready)
    return found if pressed else None


def take_roles(found: Mapping[str, str | None]) -> None:
    """Read the table with these columns, by their keys, from the next run on."""
    for key in (*_ROLES, keys.CLASS_COLUMN):
        st.session_state[key] = found.get(key)
        st.query_params.pop(key, None)
    st.session_state[keys.POSITIVE] = ""
