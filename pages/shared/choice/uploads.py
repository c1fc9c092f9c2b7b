"""Files dropped into the sidebar: data to open as it is, or judgments and logs to join first."""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

import streamlit as st
from streamlit.typing import UploadedFile

from core.data import DataError
from core.data.imports.importing import Import, refuse_unfit
from core.data.imports.kinds import Kind, recognise
from core.data.imports.text_file import TextFile
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access, link
from pages.shared.choice.upload_store import KEPT
from pages.shared.choice.upload_store import SHARED as SHARED_FOR
from pages.shared.choice.visitor import is_known, visitor_id
from pages.shared.work import stepwise
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, Reached, draw_panel

_UPLOAD = "upload"
_TAKEN = "taken_uploads"
_KINDS = "upload_kinds"
SHARED = "shared"
"""The address' name for the secret of a link to data."""


class JoinedUpload(Import):
    """An import of uploaded files into memory.

    Attributes
    ----------
    text : BytesIO
        The joined data, once the work is done.
    """

    def __init__(self, files: Sequence[UploadedFile]) -> None:
        self.text = io.BytesIO()
        super().__init__([(file.name, file.getvalue()) for file in files], self.text)


def upload_label(name: str, digest: str) -> str:
    """What an upload is called in the list of datasets, and in links."""
    return f"{name} · {digest[:10]}"


@dataclass
class Dropped:
    """Files that have just been dropped in.

    Attributes
    ----------
    label : str or None
        Of the last one that can be opened.
    problem : str
        Why one cannot be opened, in a sentence; else empty.
    """

    label: str | None = None
    problem: str = ""
    _new: set[str] = field(default_factory=set)
    _joined: JoinedUpload | None = None

    def settle(self) -> None:
        """The choice of them stands on the page: they are new no more.

        A run of a page may be broken off at any call of Streamlit's. The run that takes its place finds files that are
        not settled as they were, with the choice of the dataset that the browser had before them.
        """
        st.session_state[_TAKEN] |= self._new
        if self._joined is not None:
            self._joined.text = io.BytesIO()


def take_uploads() -> Dropped:
    """Open the files that have just been dropped in, joined where they belong together.

    Work that takes longer goes on beside the page; `draw_upload` shows it.
    """
    files: list[UploadedFile] = st.session_state.get(_UPLOAD) or []
    taken: set[str] = st.session_state.setdefault(_TAKEN, set())
    together = _to_join(files)
    dropped = Dropped()
    for file in files:
        if file.file_id not in taken:
            dropped._new.add(file.file_id)
            if file not in together:
                try:
                    dropped.label = _keep(file.name, file.getvalue())
                except DataError as error:
                    dropped.problem = str(error)
    if not together or _missing(together):
        return dropped
    job = _job(together)
    if job.run is None or job.state != "finished" or job.run.report is None or job.key in taken:
        return dropped
    dropped._new.add(job.key)
    dropped._joined = job.run
    try:
        dropped.label = _keep(_joined_name(together), job.run.text.getvalue())
    except DataError as error:
        dropped.problem = str(error)
    else:
        access.import_reports()[st.session_state[keys.MY_UPLOADS][dropped.label]] = job.run.report
    return dropped


def draw_upload() -> None:
    """The place to drop files, and above it what the files there still need, or how far their join is."""
    above = st.container()
    st.file_uploader(
        "Drop a LETOR file or CSV, or judgments with feature logs",
        key=_UPLOAD,
        accept_multiple_files=True,
        help="**Data as it is**, plain or .gz: SVMlight lines with qid:; a CSV with columns for relevance, query and "
        "features; a CSV with a class for every row, in the last or first column or in one named class.  \n"
        "**Judgments and feature logs** are joined on query and document: judgments of Quepid, Rated Ranking "
        "Evaluator, OpenSearch, TREC qrels or LETOR; logs of Elasticsearch, OpenSearch or Solr, LETOR or CSV; rows "
        "with group sizes of LightGBM or XGBoost. Drop all of them in here.  \nFiles stay in the memory of the "
        "machine that runs this page, for you alone, until you remove them or your visit ends.",
    )
    together = _to_join(st.session_state.get(_UPLOAD) or [])
    if together:
        with above:
            _draw_join(together)


def _draw_join(together: Sequence[UploadedFile]) -> None:
    missing = _missing(together)
    if missing:
        st.info(in_markdown(missing), icon="🧩")
        return
    job = _job(together)
    draw_panel(
        Panel(
            key="import",
            what="Joining",
            starting="looking at the files",
            reached=lambda: _reached(job),
            way_out="Fix or remove this file.",
            stop_help="Stop joining; it can go on later",
        ),
        [job],
        active=job.active,
    )


def _to_join(files: Sequence[UploadedFile]) -> list[UploadedFile]:
    """Return the files that make data only together; data that can be opened alone joins in where no log is there."""
    parts = [file for file in files if _kind(file) is not None and not _alone(file)]
    if not parts or any((kind := _kind(file)) is not None and kind.role == "log" for file in parts):
        return parts
    return [file for file in files if _kind(file) is not None]


def _kind(file: UploadedFile) -> Kind | None:
    """The kind of a file; None where it is unknown, which the reader of data explains better."""
    kinds: dict[str, Kind | None] = st.session_state.setdefault(_KINDS, {})
    if file.file_id not in kinds:
        try:
            kinds[file.file_id] = recognise(TextFile(file.getvalue(), file.name))
        except DataError:
            kinds[file.file_id] = None
    return kinds[file.file_id]


def _alone(file: UploadedFile) -> bool:
    kind = _kind(file)
    return kind is not None and kind.labelled


def _missing(files: Sequence[UploadedFile]) -> str:
    """Say what the files need to make data; empty where they have it."""
    try:
        refuse_unfit([(file.name, kind) for file in files if (kind := _kind(file)) is not None])
    except DataError as error:
        return f"{error}."
    return ""


def _job(files: Sequence[UploadedFile]) -> Job[JoinedUpload]:
    """The join of these files, under way beside the page."""
    key = "import " + hashlib.sha256(" ".join(file.file_id for file in files).encode()).hexdigest()
    job: Job[JoinedUpload] | None = board().find(key, session_id())
    if job is None:
        chosen = list(files)
        job = board().submit(Job(key=key, owner=session_id(), make=lambda: JoinedUpload(chosen), travels=False))
        wait_a_moment(job, stepwise.PATIENCE)
    return job


def _reached(job: Job[JoinedUpload]) -> Reached | None:
    run = job.run
    return None if run is None else Reached(f"{run.share:.0%}, {run.now}", run.share, run.seconds_left)


def _joined_name(files: Sequence[UploadedFile]) -> str:
    """Of joined data: the first log's name tells it best."""
    logs = [file.name for file in files if (kind := _kind(file)) is not None and kind.role != "judgments"]
    return f"{logs[0].removesuffix('.gz').rpartition('.')[0] or logs[0]} joined.txt"


def _keep(name: str, content: bytes) -> str:
    upload = access.uploads().keep(visitor_id(), name, content, session_id())
    label = upload_label(name, upload.digest)
    st.session_state.setdefault(keys.MY_UPLOADS, {})[label] = upload.digest
    return label


def my_uploads() -> dict[str, str]:
    """The digests of this visitor's uploads by their labels, also those of his other tabs and of a shared link."""
    store, visitor = access.uploads(), visitor_id()
    store.touch(visitor, session_id())
    if secret := st.query_params.get(SHARED):
        _open_link(secret)
    mine = {upload_label(upload.name, upload.digest): upload.digest for upload in store.of(visitor)}
    chosen, before = st.session_state.get(keys.DATASET), st.session_state.get(keys.MY_UPLOADS, {})
    if chosen in before and chosen not in mine:
        st.session_state[keys.LINK_NOTE] = in_markdown(
            f"“{chosen}” is not here any more: it was removed, or whoever shared it has stopped; other data is shown."
        )
    st.session_state[keys.MY_UPLOADS] = mine
    return mine


def _open_link(secret: str) -> None:
    """Let this visitor have what a link shares. A browser that is known again does without the secret from then on."""
    try:
        shared = access.uploads().adopt(visitor_id(), secret, session_id())
    except DataError as error:
        link.refuse_data(f"The link's file cannot be opened: {error}.")
        return
    if shared is None:
        link.refuse_data("This link to shared data does not hold any more: ask for a new one, or drop the file in.")
    if shared is None or is_known():
        del st.query_params[SHARED]


def draw_kept(mine: Mapping[str, str]) -> None:
    """What this visitor has dropped in, with a way to share each on purpose, to stop that, and to remove it."""
    if not mine:
        return
    minutes, days = round(KEPT / 60), round(SHARED_FOR / 86400)
    st.caption(
        f"Only you see these files, in this browser; a reload keeps them. They go {minutes} minutes after you have "
        "closed its last tab, but for those that you share."
    )
    label = st.selectbox("Your files", list(mine), key="kept_upload", help="Dropped in here, or opened by a link")
    store, visitor, digest = access.uploads(), visitor_id(), mine[label]
    made = store.link_of(visitor, digest)
    with st.container(horizontal=True):
        st.button("Remove", key="upload_remove", icon="🗑️", on_click=_remove, args=(label, digest),
                  help="From the server's memory, with its copy for runs and links to it")  # fmt: skip
        if made is not None:
            st.button("Stop sharing", key="upload_stop_sharing", icon="🚫", on_click=store.stop_sharing,
                      args=(visitor, digest), help="Ends the link; who has opened it loses the file")  # fmt: skip
        elif not store.is_borrowed(visitor, digest):
            st.button("Share this data", key="upload_share", icon="🔗", on_click=_share, args=(digest,),
                      help=f"Makes a link: whoever has it can open the file for {days} days")  # fmt: skip
    if made is not None:
        st.code(f"?{urlencode({keys.DATASET: label, SHARED: made.secret})}", language=None, wrap_lines=True)
        until = time.strftime("%d.%m.%Y, %H:%M UTC", time.gmtime(made.until))
        st.caption(f"Put this behind the address of any page. Whoever has it can open the file until {until}.")


def _share(digest: str) -> None:
    access.uploads().share(visitor_id(), digest)


def _remove(label: str, digest: str) -> None:
    st.session_state.get(keys.MY_UPLOADS, {}).pop(label, None)
    access.uploads().remove(visitor_id(), digest)
