"""A visitor's uploads: kept if they can be read, listed, shared on purpose, removed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from core.data import DataError, MissingValuesError, UndecidedRolesError, UngroupedQueriesError
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice import access, link
from pages.shared.choice.choice import Source, upload_label
from pages.shared.choice.roles import is_about_columns
from pages.shared.choice.upload_store import KEPT
from pages.shared.choice.upload_store import SHARED as SHARED_FOR
from pages.shared.choice.visitor import is_known, visitor_id
from pages.shared.work.board import session_id

SHARED = "shared"
"""The address' name for the secret of a link to data."""


@dataclass(frozen=True)
class GivenFile:
    """What has become of a file that was given.

    Attributes
    ----------
    label : str
        In the list of datasets; empty where the file is not kept.
    digest : str
    problem : str
        Why it cannot be read as it is, in a sentence without its stop. It is kept if other columns may help.
    question : DataError or None
        Why a person has to tell its columns before it is opened.
    """

    label: str = ""
    digest: str = ""
    problem: str = ""
    question: DataError | None = None


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
    """The digests of this visitor's uploads by their labels, also those of his other tabs and of a shared link."""
    store, visitor = access.uploads(), visitor_id()
    store.touch(visitor, session_id())
    if secret := st.query_params.get(SHARED):
        _open_link(secret)
    mine = labels_of(visitor)
    chosen, before = st.session_state.get(keys.DATASET), st.session_state.get(keys.MY_UPLOADS, {})
    if chosen in before and chosen not in mine:
        st.session_state[keys.LINK_NOTE] = in_markdown(
            f"“{chosen}” is no longer here: it was removed, or is no longer shared. Other data is shown."
        )
    st.session_state[keys.MY_UPLOADS] = mine
    return mine


def labels_of(visitor: str) -> dict[str, str]:
    """The digests of a visitor's uploads by their labels."""
    return {upload_label(upload.name, upload.digest): upload.digest for upload in access.uploads().of(visitor)}


def _open_link(secret: str) -> None:
    """Let this visitor have what a link shares. A browser that is known again does without the secret from then on."""
    try:
        shared = access.uploads().adopt(visitor_id(), secret, session_id())
    except DataError as error:
        link.refuse_data(f"The link's file cannot be opened: {error}.")
        return
    if shared is None:
        link.refuse_data("This link to shared data no longer works: ask for a new one, or drop the file in.")
    if shared is None or is_known():
        del st.query_params[SHARED]


def draw_kept() -> None:
    """What this visitor has dropped in, with a way to share each on purpose, to stop that, and to remove it."""
    store, visitor = access.uploads(), visitor_id()
    mine: Mapping[str, str] = labels_of(visitor)
    if not mine:
        return
    minutes, days = round(KEPT / 60), round(SHARED_FOR / 86400)
    label = st.selectbox("Your files", list(mine), key="kept_upload", help="Dropped here, or opened by a link")
    digest = mine[label]
    made = store.link_of(visitor, digest)
    with st.container(horizontal=True):
        if button("Remove", key="upload_remove", icon=":material/delete:", on_click=_remove, args=(label, digest),
                  help="Deletes it from the server, with its copy for runs and links to it"):  # fmt: skip
            st.rerun()  # the page may show it
        if made is not None:
            st.button("Stop sharing", key="upload_stop_sharing", icon=":material/block:", on_click=store.stop_sharing,
                      args=(visitor, digest), help="Ends the link; people who opened it lose the file")  # fmt: skip
        elif not store.is_borrowed(visitor, digest):
            st.button("Share this data", key="upload_share", icon=":material/link:", on_click=_share, args=(digest,),
                      help=f"Makes a link: anyone who has it can open the file for {days} days")  # fmt: skip
    if made is not None:
        st.code(f"?{urlencode({keys.DATASET: label, SHARED: made.secret})}", language=None, wrap_lines=True)
        until = time.strftime("%d.%m.%Y, %H:%M UTC", time.gmtime(made.until))
        st.caption(f"Add this to the end of any page's address. Anyone who has it can open the file until {until}.")
    st.caption(
        f"Only you see these files, in this browser; a reload keeps them. They are deleted {minutes} minutes after "
        "you close its last tab, except those that you share."
    )


def _share(digest: str) -> None:
    access.uploads().share(visitor_id(), digest)


def _remove(label: str, digest: str) -> None:
    st.session_state.get(keys.MY_UPLOADS, {}).pop(label, None)
    access.uploads().remove(visitor_id(), digest)
