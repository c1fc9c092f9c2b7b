"""The sidebar's choice of data: a dataset, a file dropped in, how to read it, which fold."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.data import DataError, UngroupedQueriesError
from core.data.scaling import SCALINGS
from pages.shared import access
from pages.shared.access import Source

DEFAULT_DATASET = "python-docs"
HELD_OUT = 0.3


def choose_source() -> Source:
    """Dataset, upload, and how to read it."""
    _take_upload()
    mine: dict[str, str] = st.session_state.setdefault("my_uploads", {})
    _recognise_link(mine)
    names = list(access.ready_datasets())
    names.sort(key=lambda name: name != DEFAULT_DATASET)
    options = [*names, *mine]
    if st.session_state.get("dataset") not in options:
        st.session_state.pop("dataset", None)
    name = st.selectbox(
        "Dataset",
        options,
        key="dataset",
        bind="query-params",
        help="Sample data, your own below $SPARSE_RANK_DATA, and what you have dropped in.",
    )
    if note := st.session_state.get("link_note"):
        st.warning(note)
    with st.expander("Your own data", icon="📄", expanded=not names):
        st.file_uploader(
            "Drop a LETOR file or CSV",
            key="upload",
            help="SVMlight lines with qid:, or a CSV with columns for relevance, query and features, or a CSV with a "
            "class in its last column. Plain or .gz. It stays on this machine.",
        )
    digest = mine.get(name, "")
    if digest:
        return _single_file_options(Source(name, upload=digest))
    entry = access.ready_datasets()[name]
    source = Source(name)
    if entry.path is not None and entry.path.is_file():
        return _single_file_options(source)
    return _with_scale(source)


def _take_upload() -> None:
    """Keep a file that has just been dropped, and choose it."""
    file = st.session_state.get("upload")
    if file is None:
        st.session_state.pop("taken_upload", None)
        return
    if st.session_state.get("taken_upload") == file.file_id:
        return
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    access.keep_upload(digest, file.name, content)
    label = _upload_label(file.name, digest)
    st.session_state.setdefault("my_uploads", {})[label] = digest
    st.session_state["taken_upload"] = file.file_id
    st.session_state["dataset"] = label
    st.session_state.pop("link_note", None)


def _upload_label(name: str, digest: str) -> str:
    return f"{name} · {digest[:10]}"


def _recognise_link(mine: dict[str, str]) -> None:
    """A link may name an upload of an earlier session, or data that is not here: find it, or say so once."""
    wanted = st.query_params.get("dataset")
    if st.session_state.get("link_read"):
        return
    st.session_state["link_read"] = True
    if wanted is None or wanted in access.ready_datasets() or wanted in mine:
        return
    for digest, (name, _) in access.uploads().items():
        if _upload_label(name, digest) == wanted:
            mine[wanted] = digest
            return
    st.session_state["link_note"] = (
        f"The link asks for “{wanted}”, which is not here; this is {DEFAULT_DATASET} instead. Drop the file in below, "
        "or put the dataset under $SPARSE_RANK_DATA."
    )


def _single_file_options(source: Source) -> Source:
    with st.expander("How to read it", icon="⚙️"):
        held_out = st.toggle(
            f"Hold out {HELD_OUT:.0%} for testing",
            value=True,
            key="holdout",
            bind="query-params",
            help="Train on the rest. By queries; for a file with one query by documents. Off: fit the whole file.",
        )
        positive = st.text_input(
            "Positive class",
            key="positive",
            bind="query-params",
            help="For a CSV with a class in its last column: the class to rank on top. Empty: told from the labels.",
        )
        group = st.toggle(
            "Put documents of a query together",
            key="group",
            bind="query-params",
            help="For a file in which a query's lines are not consecutive.",
        )
    split = round(1.0 - HELD_OUT, 3) if held_out else None
    return _with_scale(Source(source.name, source.upload, positive.strip() or None, "none", split, group))


def _with_scale(source: Source) -> Source:
    titles = {scaling.id: scaling for scaling in SCALINGS}
    scale = st.selectbox(
        "Scaling",
        list(titles),
        format_func=lambda how: titles[how].title,
        key="scale",
        bind="query-params",
        help="\n\n".join(f"**{scaling.title}**: {scaling.sentence}" for scaling in SCALINGS),
    )
    return Source(source.name, source.upload, source.positive, scale, source.split, source.group)


def choose_fold(source: Source) -> int:
    """The fold, counted from 1; not asked for where there is only one.

    Raises
    ------
    DataError
        If the data cannot be read.
    """
    try:
        names = access.dataset(source).fold_names
    except UngroupedQueriesError as error:
        msg = f"{error}: switch on “Put documents of a query together” under “How to read it”."
        raise DataError(msg) from None
    if len(names) == 1:
        return 1
    if st.session_state.get("fold", 1) not in range(1, len(names) + 1):
        st.session_state.pop("fold", None)
    return int(
        st.selectbox(
            "Fold",
            range(1, len(names) + 1),
            format_func=lambda number: names[number - 1],
            key="fold",
            bind="query-params",
            help="Which division into training, validation and test queries.",
        )
    )
