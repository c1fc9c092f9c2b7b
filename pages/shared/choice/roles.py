"""Which columns of a table have which role: asked where names do not tell, tried first, and said over the page.

What is answered is chosen only once the file can be read in this way: until then the data on the page stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.data import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedRolesError,
    UngroupedQueriesError,
)
from core.data.tables.class_layout import ClassLayout
from core.data.tables.column_roles import (
    DOCUMENT_NAMES,
    QUERY_NAMES,
    RELEVANCE_NAMES,
    WORDS_FOR_DOCUMENTS,
    ColumnProfile,
    column_position,
    shown_values,
)
from core.data.tables.table_options import NOTHING
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source
from pages.shared.choice.columns import OPTIONS, fits, question, reading_control, tried
from pages.shared.controls import button
from pages.shared.lazy import lazy_popover

_CONFIRMED = "reading_confirmed"
_QUERIES, _CLASSES = "a document of a query", "an item with a class"
_QUESTION = "Which column is the query, which the relevance?"
Answers = Mapping[str, Any]
"""What a person has told of a table, by the keys under which the session keeps it."""


@dataclass(frozen=True)
class Opened:
    """Data to be chosen: its label among the datasets, and what a person has told of its columns."""

    label: str
    roles: Answers = field(default_factory=dict)


def choose_roles(source: Source) -> Source:
    """The source with the columns for query, relevance and document that a person or a link has chosen."""
    columns = access.columns(source)
    chosen = {key: _chosen(key, columns) for key in keys.ROLES}
    if any(chosen.values()):
        return source.read(**chosen)
    if columns and access.layout(source) is None and (of_class := _chosen(keys.CLASS_COLUMN, columns)) is not None:
        return source.read(class_column=of_class)  # the table may have queries; who names a class column says no
    return source


def _chosen(key: str, columns: Mapping[str, ColumnProfile]) -> str | None:
    """The column that a person or a link has chosen; the address follows."""
    if address.read(key) not in columns:
        st.session_state[key] = None
    column: str | None = st.session_state[key]
    address.write(key, column)
    return column


def is_about_reading(error: DataError, source: Source) -> bool:
    """Whether other roles of its columns may make a file readable, or another choice of an option fails otherwise."""
    if isinstance(error, UndecidedRolesError) or access.layout(source) is not None:
        return True
    if isinstance(error, NoNumbersError | MissingValuesError | UngroupedQueriesError) and access.columns(source):
        return True
    others = (one for name in keys.CHOICES if fits(source, name) for one in tried(source, name))
    return any(str(access.refusal(one)) != str(error) for one in others)


def ask_about_roles(error: DataError) -> bool:
    """Ask for the roles of the columns on the page, with the likeliest answer filled in; False where none may help."""
    name = st.session_state.get(keys.DATASET, "")
    source = _as_said(Source(name, st.session_state.get(keys.MY_UPLOADS, {}).get(name, "")))
    if not isinstance(error, UndecidedRolesError | NoNumbersError) or not access.columns(source):
        return False
    st.header(_QUESTION, anchor=False)
    _why(error)
    if isinstance(error, NoNumbersError):
        st.error(f"{in_markdown(str(error))}.")
    with st.container(key="roles_question", width=560):
        _take(_form(source, key="ask", asked=error))
    return True


def ask_about_given(error: DataError, source: Source) -> Opened | None:
    """The same question before the table is opened; what to open once an answer makes it readable."""
    source = _as_said(source)
    if source.upload not in access.uploads():
        return None  # it has been removed
    st.markdown(f"**{question(error) or (_QUESTION if access.columns(source) else 'How is this file written?')}**")
    _why(error)
    return _form(source, key="given", asked=error)


def _as_said(source: Source) -> Source:
    """The source with what the sidebar says beside the roles of columns, if it is chosen there."""
    if source.name != st.session_state.get(keys.DATASET):
        return source
    beside = (keys.MISSING, *keys.SWITCHES, *keys.CHOICES)
    return source.read(**{name: st.session_state.get(name, OPTIONS[name].default) for name in beside})


def _take(what: Opened | None) -> None:
    if what is not None:
        st.session_state[keys.OPENED] = what
        st.rerun()


def _why(error: DataError) -> None:
    if isinstance(error, UndecidedRolesError):
        st.info(
            f"{in_markdown(error.file or 'This file')} has a column whose values repeat and one with a few small "
            "numbers, so its rows may be documents of queries. Nothing has been read yet.",
        )


def reading_line(source: Source) -> None:
    """How a table of the visitor has been read, in one line that stays until it is confirmed or changed."""
    if not source.upload or (words := _words(source)) == "":
        return
    reading = source.reading
    roles = (reading.query_column, reading.relevance_column, reading.document_column, reading.class_column)
    mark = (source.upload, *roles)
    confirmed: set[object] = st.session_state.setdefault(_CONFIRMED, set())
    if mark in confirmed:
        return
    with st.container(key="reading_line", horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/description: {words}", width="content")
        st.button("That is right", key="reading_confirm", type="tertiary", on_click=confirmed.add, args=(mark,))

        def change() -> None:
            _take(_form(source, key="change"))

        lazy_popover("Change", change, key="reading_change", type="tertiary")


def _words(source: Source) -> str:
    """How the columns are used, where their names alone do not tell; empty for a file that is no table."""
    if access.refusal(source) is not None:
        return ""
    layout, classes = access.layout(source), access.classes(source)
    if layout is None or classes is None or layout.class_position is None:
        said, notes = any(getattr(source.reading, key) for key in keys.ROLES), access.dataset(source).notes
        return in_markdown(notes[0]) if said and notes else ""
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


def _likely(error: DataError | None, source: Source) -> dict[str, Any]:
    """What a table most likely means that cannot be read as it is, or could not before an option was chosen."""
    columns, layout = access.columns(source), access.layout(source)
    words = [name for name, column in columns.items() if column.has_words]
    if isinstance(error, NoNumbersError):
        words += error.columns
    if isinstance(error, UndecidedRolesError):
        roles: dict[str, Any] = {keys.QUERY_COLUMN: error.queries[0], keys.RELEVANCE_COLUMN: error.relevances[0]}
        roles[keys.CLASS_COLUMN] = error.class_column
    elif layout is not None:
        return _of_classes(layout, words)
    else:
        usual = {keys.QUERY_COLUMN: QUERY_NAMES, keys.RELEVANCE_COLUMN: RELEVANCE_NAMES}
        roles = {key: _named(columns, names) for key, names in usual.items()}
    # Without letters it may be a number, as 1,100.
    lettered = {n: c for n, c in columns.items() if n in words and any(map(str.isalpha, "".join(c.values)))}
    others = {n: c for n, c in lettered.items() if n not in roles.values()}
    query = columns.get(roles[keys.QUERY_COLUMN])
    document = _named(others, (*DOCUMENT_NAMES, *WORDS_FOR_DOCUMENTS))
    if document is None and query is not None:  # names of documents differ within each query
        apart = (n for n, c in others.items() if len(set(zip(query.cells, c.cells, strict=True))) == len(c.cells))
        document = next(apart, None)
    return {**roles, keys.DOCUMENT_COLUMN: document, keys.DROP_COLUMNS: words}


def _of_classes(layout: ClassLayout, words: Sequence[str]) -> dict[str, Any]:
    """The class column, and these columns and those that the layout leaves out."""
    column = None if layout.class_position is None else layout.option(layout.class_position)
    return {keys.CLASS_COLUMN: column, keys.DROP_COLUMNS: [*words, *map(layout.option, layout.left_out)]}


def _named(columns: Mapping[str, ColumnProfile], spellings: Sequence[str]) -> str | None:
    position = column_position(list(columns), spellings)
    return None if position is None else list(columns)[position]


def _told(source: Source) -> dict[str, Any]:
    if (layout := access.layout(source)) is not None:
        return _of_classes(layout, [])
    words = [name for name, column in access.columns(source).items() if column.has_words]
    roles = {key: getattr(source.reading, key) for key in keys.ROLES}
    return roles | {keys.DROP_COLUMNS: [*source.reading.drop_columns, *words]}


@dataclass
class _Refused:
    """Why a table cannot be read, before and with the answers of a form, and what the form asks for since then."""

    source: Source
    before: DataError | None
    error: DataError | None = None
    text: list[str] = field(default_factory=list)
    ways: tuple[str, ...] = ()
    apart: bool = False
    classes: dict[str | None, tuple[str, ...]] = field(default_factory=dict)

    def ask(self, error: DataError | None, class_column: str | None) -> None:
        """From now on ask for what the error wants to know, of classes in this column."""
        if isinstance(error, NoNumbersError):
            self.text = list(error.columns)
        if isinstance(error, MissingValuesError):
            self.ways = error.ways
        if isinstance(error, UndecidedClassError):
            self.classes[class_column] = error.classes
        self.apart = self.apart or isinstance(error, UngroupedQueriesError)


def _form(source: Source, *, key: str, asked: DataError | None = None) -> Opened | None:
    """Controls for the roles of columns, and for what the file asked; what to open once a button has read it so."""
    said: dict[str, Any] = {}
    for name in (name for name in keys.CHOICES if fits(source.read(**said), name)):
        values, now = OPTIONS[name].metadata["choices"], getattr(source.reading, name)
        said[name] = reading_control(name, values, now, key=f"roles_{name}_{key}", help=None)
    changed = any(value != getattr(source.reading, name) for name, value in said.items())
    source = access.before_division(source.read(**said))
    columns, of = access.columns(source), "_".join([key, *(f"{name}{value}" for name, value in said.items() if value)])
    if not columns:
        error = access.refusal(source) if changed else None
        if error is not None:
            st.error(f"{in_markdown(str(error))}.")
        return Opened(source.name, said) if changed and error is None else None
    options = list(columns)
    refused: _Refused | None = st.session_state.get(f"roles_refused_{key}")
    if refused is None or refused.source != source:
        refused = _Refused(source, access.refusal(source) if changed else asked)
        refused.ask(refused.before, _likely(refused.before, source).get(keys.CLASS_COLUMN))
    st.session_state[f"roles_refused_{key}"] = refused
    likely = _told(source) if asked is None else _likely(refused.before if changed else asked, source)

    def title(option: str) -> str:
        name = f"column {option}" if option.isdecimal() else option
        return f"{name}: {shown_values(columns[option])}"

    def column(role: str, placeholder: str = "Choose a column") -> str | None:
        chosen, name = likely.get(role), role.removesuffix("_column")
        how = {"format_func": title, "key": f"roles_{name}_{of}", "placeholder": placeholder}
        held: str | None = reading_control(role, options, chosen, **how, help=None)
        return held

    kind = st.segmented_control(
        "A row is",
        [_QUERIES, _CLASSES],
        default=_QUERIES if keys.QUERY_COLUMN in likely else _CLASSES,
        key=f"roles_kind_{of}",
    )
    needed = (keys.CLASS_COLUMN,) if kind == _CLASSES else (keys.QUERY_COLUMN, keys.RELEVANCE_COLUMN)
    roles = {role: column(role) for role in needed}
    ready = all(roles.values()) and len(set(roles.values())) == len(roles)
    if kind != _CLASSES:
        roles[keys.DOCUMENT_COLUMN] = column(keys.DOCUMENT_COLUMN, "None")
    others = [option for option in options if option not in roles.values()]
    answers: dict[str, Any] = {**dict.fromkeys((keys.CLASS_COLUMN, *keys.ROLES)), **roles, **said}
    if classes := refused.classes.get(answers[keys.CLASS_COLUMN]):
        answers[keys.POSITIVE] = reading_control(keys.POSITIVE, classes, classes[0], key=f"roles_positive_{key}")
    elif answers[keys.CLASS_COLUMN] != likely.get(keys.CLASS_COLUMN) or kind != _CLASSES:
        answers[keys.POSITIVE] = None
    out = f"roles_out_{of}_{kind == _CLASSES}_{source.name}"
    ticked = {*st.session_state.get(out, likely[keys.DROP_COLUMNS]), *refused.text}
    refused.text = []
    st.session_state[out] = [option for option in others if option in ticked]
    answers[keys.DROP_COLUMNS] = reading_control(
        keys.DROP_COLUMNS, others, key=out, format_func=title, help="Columns of text are no features."
    )
    if refused.ways:
        answers[keys.MISSING] = reading_control(keys.MISSING, refused.ways, key=f"roles_missing_{key}", help=None)
    if refused.apart:
        answers[keys.GROUP] = reading_control(keys.GROUP, key=f"roles_group_{key}", bind=None, help=None)
    if refused.error is not None:
        st.error(f"{in_markdown(str(refused.error))}.")
    if not button("Read the file like this", key=f"roles_take_{key}", type="primary", disabled=not ready):
        return None
    out_of_it = tuple(answers[keys.DROP_COLUMNS])  # with classes, ids are left out as they are ticked
    left_out = (NOTHING, *out_of_it) if answers[keys.CLASS_COLUMN] else out_of_it
    refused.error = access.refusal(source.read(**answers | {keys.DROP_COLUMNS: left_out}))
    if refused.error is not None:
        refused.ask(refused.error, answers[keys.CLASS_COLUMN])
        st.rerun()
    st.session_state.pop(f"roles_refused_{key}")
    return Opened(source.name, answers)


def take_roles(told: Answers) -> None:
    """Read the table with these answers from this run on, and else as the sidebar says; before that is drawn."""
    for key, value in told.items():
        st.session_state[key] = "" if key == keys.POSITIVE and value is None else value
        if key not in keys.BOUND:
            address.write(key, None)
