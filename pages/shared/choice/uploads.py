"""A visitor's uploads: kept if they can be read, listed, removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.data import DataError, MissingValuesError, UndecidedRolesError, UngroupedQueriesError
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.choice import Source, upload_label
from pages.shared.choice.roles import is_about_columns
from pages.shared.choice.upload_store import KEPT
from pages.shared.choice.visitor import visitor_id
from pages.shared.server.visits import session_id


@dataclass(frozen=True)
class GivenFile:
    """What has become of a file that was given."""

    label: str = ""  # in the list of datasets; empty where the file is not kept
    digest: str = ""
    # Why it cannot be read as it is, in a sentence without its stop. It is kept if other columns may help.
    problem: str = ""
    question: DataError | None = None  # why a person has to tell its columns before it is opened


def keep(name: str, content: bytes) -> GivenFile:
    """Keep a file if it can be read, if need be with an answer that the page asks for."""
    store, visitor = access.uploads(), visitor_id()
    before = {upload.digest for upload in store.of(visitor)}
    try:
        digest = store.keep(visitor, name, content, session_id()).digest
    except DataError as error:
        return GivenFile(problem=str(error))
    label = upload_label(name, digest)
    try:
        access.dataset(Source(label, upload=digest))
    except DataError as error:
        source = Source(label, upload=digest)
        if is_about_columns(error, source):
            if label == st.session_state.get(keys.WANTED_DATA):  # a link to it may say the answer
                return GivenFile(label, digest)
            return GivenFile(label, digest, "" if isinstance(error, UndecidedRolesError) else str(error), error)
        if not isinstance(error, MissingValuesError | UngroupedQueriesError):  # without columns: the page asks
            if digest not in before:
                store.remove(visitor, digest)
            return GivenFile(problem=str(error))
    return GivenFile(label, digest)


def my_uploads() -> dict[str, str]:
    """The digests of this visitor's uploads by their labels, also those of his other tabs."""
    store, visitor = access.uploads(), visitor_id()
    store.touch(visitor, session_id())
    mine = labels_of(visitor)
    chosen, before = st.session_state.get(keys.DATASET), st.session_state.get(keys.MY_UPLOADS, {})
    if chosen in before and chosen not in mine:
        st.session_state[keys.LINK_NOTE] = in_markdown(f"“{chosen}” is no longer here. Other data is shown.")
    st.session_state[keys.MY_UPLOADS] = mine
    return mine


def labels_of(visitor: str) -> dict[str, str]:
    """The digests of a visitor's uploads by their labels."""
    return {upload_label(upload.name, upload.digest): upload.digest for upload in access.uploads().of(visitor)}


def draw_kept() -> None:
    """What this visitor has dropped in, with a way to remove it."""
    mine: Mapping[str, str] = labels_of(visitor_id())
    if not mine:
        return
    label = st.selectbox("Your files", list(mine), key="kept_upload", help="Dropped here")
    if button("Remove", key="upload_remove", icon=":material/delete:", on_click=_remove, args=(label, mine[label]),
              help="Deletes it from the server, with its copy for runs"):  # fmt: skip
        st.rerun()  # the page may show it
    st.caption(
        "Only you see these files, in this browser; a reload keeps them. They are deleted "
        f"{round(KEPT / 60)} minutes after you close its last tab."
    )


def _remove(label: str, digest: str) -> None:
    st.session_state.get(keys.MY_UPLOADS, {}).pop(label, None)
    access.uploads().remove(visitor_id(), digest)
