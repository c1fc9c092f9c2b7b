"""The sidebar's choice of columns: which has the classes, which are left out, and what becomes of missing cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from core.data import DataError, MissingValuesError, Reading, UndecidedClassError, UndecidedColumnError
from core.data.numbers import is_digits
from core.data.tables.class_layout import ClassLayout
from core.data.tables.table_options import NOTHING
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source

OPTIONS = {option.name: option for option in fields(Reading)}
WAYS: Mapping[str, str] = OPTIONS[keys.MISSING].metadata["titles"]
_SHOWN_VALUES = 4
_TRIED = 8


def reading_control(name: str, values: Sequence[Any] = (), now: Any = None, **how: Any) -> Any:
    """Render the control of an option of the reader as it is declared, and return which of ``values`` is chosen.

    A switch is a toggle, which is bound to the address; names of columns are chosen in a multiselect, a number of a
    range is typed, others are chosen in a selectbox, ``now`` at first. The option's name is also the control's key,
    unless ``how``, its further arguments, has another.
    """
    option = OPTIONS[name]
    label, titles = option.metadata["label"], option.metadata["titles"]
    how = {"key": name, "help": option.metadata["tip"] or None} | how
    if option.default is False:
        return st.toggle(label, **{"bind": "query-params"} | how)
    named = {"format_func": titles.__getitem__} if titles else {}
    unsaid = {"placeholder": option.metadata["unsaid"]}
    if option.default == ():
        return st.multiselect(label, values, **named | how)
    if isinstance(values, range):
        number = st.number_input(label, values[0], values[-1], now, values.step, **unsaid | how)
        return option.default if number is None else number
    return st.selectbox(label, values, **{"index": values.index(now) if now in values else None} | unsaid | named | how)


def fits(source: Source, name: str) -> bool:
    """Whether a switch, or an option with choices, is for the kind of data that the source is, or is with a choice."""
    return any(OPTIONS[name].metadata["of"] & access.kind(one) for one in tried(source, name))


def tried(source: Source, name: str) -> list[Source]:
    """The source with each value that an option may have, of a range with the first ones."""
    option = OPTIONS[name]
    return [source.read(**{name: value}) for value in (option.default, *(option.metadata["choices"] or ())[:_TRIED])]


def choose(source: Source, name: str, values: Sequence[Any]) -> Source:
    """The source with one of these values of an option, as a person or a link has chosen it."""
    usual, said = OPTIONS[name].default, address.read(name)
    if isinstance(values, range) and isinstance(said, str):  # of an address
        st.session_state[name] = said = int(said) if is_digits(said.removeprefix("-")) else None
    if said is None or said not in values:
        st.session_state[name] = usual
    value = reading_control(name, values)
    address.write(name, None if value == usual else str(value))
    return source.read(**{name: value})


def choose_columns(source: Source, layout: ClassLayout) -> Source:
    """The source with the column of the classes and those to leave out, as far as they are not the usual ones.

    ``layout`` is that of the file as it is read when nothing is said of its columns.
    """
    if layout.class_position is None:
        return _choose_class_column(source, layout)
    source = _choose_class_column(source, layout)
    return _choose_left_out(source, access.layout(source) or layout)


def choose_missing(source: Source) -> Source:
    """The source with what becomes of missing cells; not asked for where none is missing."""
    ways = access.ways_with_missing(source)
    return choose(source, keys.MISSING, ways) if ways else source


def question(error: DataError) -> str | None:
    """The question that a file asks of its classes or missing cells; None where it asks another one."""
    if isinstance(error, MissingValuesError):
        return "What should happen to missing values?"
    if isinstance(error, UndecidedColumnError):
        return "Which column has the classes?"
    return "Which class is the positive one?" if isinstance(error, UndecidedClassError) else None


def ask_about_columns(error: MissingValuesError | UndecidedColumnError) -> None:
    """The question that a file asks, on the page, with a button for each answer; the sidebar has the same."""
    if isinstance(error, MissingValuesError):
        key = keys.MISSING
        answers = {way: f"{WAYS[way][:1].upper()}{WAYS[way][1:]}" for way in error.ways}
    else:
        key = keys.CLASS_COLUMN
        answers = {column: column if not column.isdecimal() else f"Column {column}" for column in error.columns}
    st.header(question(error) or "", anchor=False)
    st.info(f"{in_markdown(str(error))}.")
    with st.container(horizontal=True):
        for answer, title in answers.items():
            st.button(in_markdown(title), key=f"say_{key}_{answer}", on_click=_say, args=(key, answer))
    st.markdown("Or choose another dataset in the sidebar, or fix the file and drop it in again.")


def _say(key: str, answer: str) -> None:
    """Answer as the sidebar's control would."""
    if key == keys.CLASS_COLUMN:
        _forget_the_rest()
    st.session_state[key] = answer


def keep_column(source: Source) -> Source:
    """The source with the column of the classes said where the positive class alone would tell another one."""
    unsaid, said = access.layout(source.read(positive=None)), access.layout(source)
    if unsaid is None or said is None or unsaid.class_position is None or said.class_position == unsaid.class_position:
        return source
    return source.read(class_column=unsaid.option(unsaid.class_position))


def notes_line(source: Source) -> None:
    """What was done to read the file, behind one line; nothing where nothing was, or it cannot be read."""
    if access.refusal(source) is None and (notes := access.dataset(source).notes):
        more = f" *and {len(notes) - 1} more*" if len(notes) > 1 else ""
        st.caption(f"{in_markdown(notes[0])}{more}", help="\n\n".join(map(in_markdown, notes)))


def _choose_class_column(source: Source, layout: ClassLayout) -> Source:
    """The source with the column of the classes; those that could have them stand first, with their values."""
    values = {layout.option(c.position): sorted(c.values) for c in layout.candidates if c.can_be_classes}
    options = list(dict.fromkeys([*values, *(layout.option(j) for j in range(len(layout.names)))]))
    usual = None if layout.class_position is None else layout.option(layout.class_position)
    if address.read(keys.CLASS_COLUMN, usual) not in options:
        st.session_state[keys.CLASS_COLUMN] = usual
    column = reading_control(
        keys.CLASS_COLUMN,
        options,
        format_func=lambda option: _title(layout, option, values.get(option, [])),
        placeholder="Choose the column with the classes",
        on_change=_forget_the_rest,
    )
    said = column if column != usual or source.reading.class_column is not None else None
    address.write(keys.CLASS_COLUMN, said)
    return source.read(class_column=said)


def _choose_left_out(source: Source, layout: ClassLayout) -> Source:
    """The source with the columns to leave out: ids, unless a person says otherwise."""
    ids = [layout.option(column.position) for column in layout.ids]
    options = [layout.option(j) for j in range(len(layout.names)) if j != layout.class_position]
    kept = _kept_out(options)
    st.session_state[keys.DROP_COLUMNS] = ids if kept is None else kept
    chosen = reading_control(
        keys.DROP_COLUMNS,
        options,
        format_func=lambda option: _title(layout, option, []),
        help="These columns are not features. If the class is not in the last column, ids are left out, because they "
        "only number or name the rows.",
    )
    said = () if sorted(chosen) == sorted(ids) else (NOTHING, *chosen)
    address.write(keys.DROP_COLUMNS, ",".join(said) or None)
    return source.read(drop_columns=said)


def leave_out(source: Source) -> Source:
    """The source of a table with queries without the columns that a person or a link leaves out."""
    columns = access.columns(source)
    if not columns:
        return source
    kept = _kept_out(columns) or []
    address.write(keys.DROP_COLUMNS, ",".join(kept) or None)
    return source.read(drop_columns=tuple(kept))


def _kept_out(options: Collection[str]) -> list[str] | None:
    """Of these columns, those that a person or a link leaves out; None where neither says."""
    kept = address.read(keys.DROP_COLUMNS)
    if isinstance(kept, str):  # as a link has it
        kept = kept.split(",")
    return None if kept is None else [name for name in kept if name in options]


def _title(layout: ClassLayout, option: str, values: Sequence[str]) -> str:
    name = option if layout.headed else f"column {option}"
    if not values:
        return name
    more = ", …" if len(values) > _SHOWN_VALUES else ""
    return f"{name}: {', '.join(values[:_SHOWN_VALUES])}{more}"


def _forget_the_rest() -> None:
    """Another column has other classes, and other columns beside it."""
    st.session_state[keys.POSITIVE] = ""
    for key in (keys.DROP_COLUMNS, keys.MISSING):
        st.session_state[key] = None
        address.write(key, None)
