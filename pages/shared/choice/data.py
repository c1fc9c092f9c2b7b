"""The sidebar's choice of data: a dataset, a file dropped in, how to read it, which fold."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data import DataError, UngroupedQueriesError
from core.data.division import SHARE
from core.data.reading import AS_IT_STANDS
from core.data.scaling import SCALINGS
from core.data.tables.class_layout import ClassColumn, ClassLayout
from core.data.tables.column_roles import MOST_CLASSES
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access, address, own_data, ready, roles
from pages.shared.choice.choice import Source
from pages.shared.choice.columns import (
    OPTIONS,
    choose,
    choose_columns,
    choose_missing,
    fits,
    keep_column,
    leave_out,
    notes_line,
    reading_control,
)
from pages.shared.choice.own_data import my_uploads

DEFAULT_DATASET = "python-docs"
HELD_OUT = 1.0 - SHARE
_FOLDS = "fold_names"
FIVE_FOLDS: dict[str, float | int | None] = {"folds": access.FOLDS}
GRADED_DIVISIONS: dict[str, dict[str, float | int | None]] = {"five folds": FIVE_FOLDS, "one split": {"split": SHARE}}
TEN_SPLITS = "ten splits"
DIVISIONS: dict[str, dict[str, float | int | None]] = {
    TEN_SPLITS: {"repeats": access.REPEATS},
    "one split": {"split": SHARE},
    "whole file": {},
}


class WantedDataError(DataError):
    """A link names data that is not here."""


def choose_source(more: DeltaGenerator) -> Source:
    """Dataset and the way to one's own data here, and in ``more`` what is used less: how to read it."""
    opened: roles.Opened | None = st.session_state.get(keys.OPENED)
    if opened is not None:
        told = opened.roles and opened.label == st.session_state.get(keys.DATASET)
        if not told and opened.label != st.session_state.get(keys.WANTED_DATA):
            _forget_class()  # of the file before; a link tells it of the file that it waits for
        if opened.roles:
            roles.take_roles(opened.roles)
        st.session_state[keys.DATASET] = opened.label
        st.session_state.pop(keys.LINK_NOTE, None)
    mine = my_uploads()
    names = list(ready.ready_datasets())
    names.sort(key=lambda name: name != DEFAULT_DATASET)
    options = _with_wanted([*names, *mine])
    if st.session_state.get(keys.DATASET) not in options:
        st.session_state.pop(keys.DATASET, None)
    name = st.selectbox(
        "Dataset",
        options,
        key=keys.DATASET,
        bind="query-params",
        on_change=_forget_class,
    )
    st.session_state.pop(keys.OPENED, None)
    own_data.own_data()
    if name == st.session_state.get(keys.WANTED_DATA):
        return Source(name)
    with more:
        source = _how_to_read(Source(name, upload=mine.get(name, "")))
        wanted: bool | None = st.session_state.get(keys.DROP_COPIES)
        if wanted is None and st.query_params.get(keys.DROP_COPIES) == "true":
            wanted = st.session_state[keys.DROP_COPIES] = True
        address.write(keys.DROP_COPIES, "true" if wanted else None)
        if not wanted:
            return source
        return source.read(drop_copies=reading_control(keys.DROP_COPIES, bind=None))


def _with_wanted(options: list[str]) -> list[str]:
    """The datasets, with that of a link first where it is not here: no other one stands in for it."""
    asked = address.asked(keys.DATASET)
    if asked is not None and asked not in options and keys.DATASET not in st.session_state:
        st.session_state[keys.WANTED_DATA] = st.session_state[keys.DATASET] = asked
    wanted = st.session_state.get(keys.WANTED_DATA)
    if wanted in options or wanted != st.session_state.get(keys.DATASET):
        st.session_state.pop(keys.WANTED_DATA, None)
    return options if keys.WANTED_DATA not in st.session_state else [str(wanted), *options]


def _how_to_read(source: Source) -> Source:
    for name in keys.CHOICES:  # before the columns: they may be others
        source = choose(source, name, OPTIONS[name].metadata["choices"]) if fits(source, name) else source
    if not access.undivided(source):
        return _with_scale(source, keys.SCALE, "none")
    source = roles.choose_roles(source)
    layout = access.layout(source)
    if layout is not None:
        source = choose_columns(source, layout)
    classes = access.classes(source)
    return _graded_file(source) if classes is None and layout is None else _class_file(source, classes, layout)


def _forget_class() -> None:
    """Forget class, columns and the way with missing cells: they belong to the dataset chosen before."""
    for key, value in keys.in_session(AS_IT_STANDS).items():
        if key not in keys.SWITCHES:
            st.session_state[key] = value
        if key not in keys.BOUND:
            address.write(key, None)


def _graded_file(source: Source) -> Source:
    held_out = st.toggle(
        "Hold out queries to validate and test on",
        value=True,
        key=keys.HOLDOUT,
        bind="query-params",
        help="On: some queries (some documents, if the file has one query) are held out for validation and test. Off: "
        "the whole file is for training.",
    )
    division = st.selectbox(
        "Training, validation and test part",
        list(GRADED_DIVISIONS),
        key=keys.GRADED_DIVISION,
        bind="query-params",
        disabled=not held_out,
        help="**five folds**: the queries are divided into five parts; each fold trains on three, validates on one and "
        f"tests on one (60, 20 and 20 %), as LETOR does.  \n**one split**: {SHARE:.0%} to train and "
        f"{HELD_OUT:.0%} to test; no part is left to choose C on.",
    )
    switches = {name: reading_control(name) for name in keys.SWITCHES if fits(source, name)}
    source = choose_missing(leave_out(source.read(**switches)))
    chosen = GRADED_DIVISIONS[division] if held_out else {}
    if chosen == FIVE_FOLDS and (few := access.too_few_queries(source)):
        chosen = {"split": SHARE}
        st.caption(f"{in_markdown(few)}: one split into training and test part instead.")
    return _with_scale(source.read(**chosen), keys.SCALE, "none")


def _class_file(source: Source, classes: ClassColumn | None, layout: ClassLayout | None) -> Source:
    if layout is not None:
        source = choose_missing(source)
        classes = access.classes(source)  # fewer, where rows are left out
    fit_to_choose = classes is not None and 2 <= len(classes.counts) <= MOST_CLASSES
    positive = _choose_class(classes) if classes is not None and fit_to_choose else None
    source = keep_column(source.read(positive=positive))
    division = st.selectbox(
        "Training and test part",
        list(DIVISIONS),
        key=keys.DIVISION,
        bind="query-params",
        help=f"**ten splits**: the file is split at random ten times into training (49 %), validation (21 %) and test "
        "part (30 %), as in the papers; each split is a fold.  \n"
        f"**one split**: {SHARE:.0%} to train, {HELD_OUT:.0%} to test.  \n**whole file**: all of it to train.",
    )
    source = _with_scale(source.read(**DIVISIONS[division]), keys.CLASS_SCALE, "standard")
    notes_line(source)
    return source


def _choose_class(classes: ClassColumn) -> str:
    counts = classes.counts
    usual = classes.usual or next(iter(counts))
    if st.session_state.get(keys.POSITIVE, usual) not in counts:
        st.session_state[keys.POSITIVE] = usual
    positive: str = reading_control(
        keys.POSITIVE,
        list(counts),
        usual,
        bind="query-params",
        help="The class that the model learns to rank on top. "
        + ", ".join(f"{in_markdown(name)}: {n:,}" for name, n in counts.items())
        + ".",
    )
    others = [name for name in counts if name != positive]
    below = others[0] if len(others) == 1 else "the rest"
    rest = sum(counts.values()) - counts[positive]
    st.caption(f"{counts[positive]:,} of {in_markdown(positive)} above {rest:,} of {in_markdown(below)}")
    return positive


def _with_scale(source: Source, key: str, usual: str) -> Source:
    of_classes = source.reading.positive is not None
    offered = [scaling for scaling in SCALINGS if not (of_classes and scaling.id == "query-minmax")]
    address.spell(key, {scaling.id: scaling.title for scaling in offered})
    ids = [scaling.id for scaling in offered]
    said = "\n\n".join(f"**{scaling.title}**: {scaling.sentence}" for scaling in offered)
    scale = reading_control("scale", ids, usual, key=key, bind="query-params", help=said)
    return source.read(scale=scale)


def reading_changes(source: Source) -> list[str]:
    """How this data is read, as far as that is not the usual way, in a few words."""
    of_classes = source.reading.positive is not None
    scale, division = (keys.CLASS_SCALE, keys.DIVISION) if of_classes else (keys.SCALE, keys.GRADED_DIVISION)
    usual: dict[str, tuple[object, str]] = {scale: ("standard" if of_classes else "none", "scaling")}
    if access.undivided(source):
        usual[division] = (next(iter(DIVISIONS if of_classes else GRADED_DIVISIONS)), "parts")
        if not of_classes:
            usual[keys.HOLDOUT] = (True, "parts")
    state = st.session_state
    changed = [words for key, (value, words) in usual.items() if state.get(key, value) != value]
    reading, classes = source.reading, access.classes(source) if of_classes else None
    if classes is not None and reading.positive != (classes.usual or next(iter(classes.counts))):
        changed.append("positive class")
    if division == keys.GRADED_DIVISION and "parts" not in changed and reading.split is not None:
        changed.append("one split, as queries are few")
    said, listed = reading.said(), (*keys.SWITCHES, *keys.CHOICES, keys.DROP_COLUMNS, keys.DROP_COPIES)
    return list(dict.fromkeys([*changed, *(OPTIONS[name].metadata["brief"] for name in listed if name in said)]))


def choose_fold(source: Source) -> int:
    """The fold, counted from 1; not asked for where there is only one.

    Raises
    ------
    DataError
        If the data cannot be read.
    """
    if source.name == st.session_state.get(keys.WANTED_DATA):
        msg = f"This link was made with “{source.name}”, which is not here"
        raise WantedDataError(msg)
    try:
        names = access.dataset(source).fold_names
    except UngroupedQueriesError as error:
        msg = f"{error}: switch on “Put documents of a query together” under “More” in the sidebar."
        raise DataError(msg) from None
    if len(names) == 1:
        return 1
    address.spell(keys.FOLD, dict(enumerate(names, start=1)))
    if st.session_state.get(keys.FOLD, 1) not in range(1, len(names) + 1):
        st.session_state.pop(keys.FOLD, None)
    if st.session_state.get(_FOLDS, names) != names and keys.FOLD in st.session_state:
        st.session_state[keys.FOLD] = int(st.session_state[keys.FOLD])  # said again: the browser shows the former name
    st.session_state[_FOLDS] = names
    return int(
        st.selectbox(
            "Fold",
            range(1, len(names) + 1),
            format_func=lambda number: names[number - 1],
            key=keys.FOLD,
            bind="query-params",
        )
    )
