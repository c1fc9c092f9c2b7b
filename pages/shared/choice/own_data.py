"""A visitor's own data: the sidebar's button with its dialog, and the files that are kept, listed and removed.

Data is opened as it is, or its parts are joined first. Files that are dropped anywhere over the window come into the
same uploader: see `drop.js`. A run of a page may be broken off at any call of Streamlit's, so that what is opened waits
in the session until its choice stands on the page.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.typing import UploadedFile

from core.data import DataError, MissingValuesError, UndecidedRolesError, UngroupedQueriesError
from core.data.imports.importing import Import
from core.data.imports.kinds import Kind, recognise, refuse_unfit
from core.data.imports.text_file import TextFile
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access
from pages.shared.choice.choice import Source, upload_label
from pages.shared.choice.roles import Opened, ask_about_given, is_about_reading
from pages.shared.choice.upload_files import KEPT
from pages.shared.controls import button
from pages.shared.lazy import dialog, fragment
from pages.shared.server.visits import session_id, visitor_id
from pages.shared.work import stepwise
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, Reached


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
    source = Source(label, upload=digest)
    why = access.refusal(source)
    if why is not None and is_about_reading(why, source):
        if label == st.session_state.get(keys.WANTED_DATA):  # a link to it may say the answer
            return GivenFile(label, digest)
        return GivenFile(label, digest, "" if isinstance(why, UndecidedRolesError) else str(why), why)
    if isinstance(why, MissingValuesError | UngroupedQueriesError | None):  # without columns: the page asks
        return GivenFile(label, digest)
    if digest not in before:
        store.remove(visitor, digest)
    return GivenFile(problem=str(why))


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


def _remove(label: str, digest: str) -> None:
    st.session_state.get(keys.MY_UPLOADS, {}).pop(label, None)
    access.uploads().remove(visitor_id(), digest)


BUTTON = "own_data"
_OPEN = "own_data_open"
_UPLOAD = "upload"
_ANSWERS = "given_files"
_NEW = "new_answers"
_EARLIER = "files_to_join"
_TAKEN = "taken_files"
_TIMES = "times_closed"
_KINDS = "upload_kinds"
_ACCEPTED = (
    "LETOR / SVMlight text or a CSV, plain or .gz; Parquet; a .zip with Fold1 to Fold5. Judgments and feature logs are "
    "joined: give them all."
)
WHAT_IS_READ = (
    "**Data as it is**: SVMlight lines with qid:; a CSV or Parquet file with columns for relevance, query and "
    "features; a CSV with a class for every row, in the last or first column or in one named class; a zip of a "
    "folder with folds, each with train, vali and test file.  \n**Judgments and feature logs** are joined on query "
    "and document: judgments of Quepid, OpenSearch, TREC qrels or LETOR; logs of "
    "Elasticsearch, OpenSearch or Solr, LETOR or CSV; rows with group sizes of LightGBM or XGBoost.  \nFiles may "
    "be dropped anywhere on the page. They stay in the memory of the machine that runs this page, visible only to "
    "you, until you remove them or your visit ends."
)


def open_dialog() -> None:
    """Open the dialog in the next run; for callbacks."""
    st.session_state[_OPEN] = True


@fragment
def own_data() -> None:
    """The button, and the dialog while it is open: opening and closing it leaves the page as it is."""
    st.button(
        "Your own data", key=BUTTON, icon=":material/description:", type="tertiary", on_click=open_dialog
    )  # without help: it would lie over the dataset when the dialog closes and the focus comes back
    _list_taken()
    if st.session_state.get(_OPEN):
        _dialog()


def _list_taken() -> None:
    """Tell `drop.js` which files have been taken; it gives the others again."""
    if taken := st.session_state.get(_TAKEN):
        st.html(f'<span class="files-taken" data-files="{html.escape(json.dumps([*taken.values()]))}"></span>')


def _close() -> None:
    """Close the dialog; of its files, parts that wait for others are there when it is opened again."""
    st.session_state[_OPEN] = False
    waiting = to_join(_files())
    st.session_state[_EARLIER] = {file.file_id: file for file in waiting if not _is_done(waiting)}
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


@dialog("Your own data", icon=":material/description:", width="medium", on_dismiss=_close)
def _dialog() -> None:
    with st.container(key=_UPLOAD):
        st.file_uploader(_ACCEPTED, key=_uploader(), accept_multiple_files=True, help=WHAT_IS_READ)
    files = _files()
    together = to_join(files)
    answers = _answers(files, together)
    _list_taken()
    asked = [answer for answer in answers if answer.question is not None]
    for answer in answers:
        if answer.problem:
            st.error(in_markdown(f"{answer.problem}."))
    if together and not _is_done(together):
        earlier: dict[str, UploadedFile] = st.session_state.get(_EARLIER, {})
        if earlier:
            names = ", ".join(in_markdown(file.name) for file in earlier.values())
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"Given before: {names}", width="content")
                st.button("Forget", key="forget_parts", type="tertiary", on_click=earlier.clear)
        draw_join(together)
    for answer in asked[-1:]:
        source = Source(answer.label, upload=answer.digest)
        if answer.question is not None and (answered := ask_about_given(answer.question, source)) is not None:
            _open(answered, close=True)
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


def _uploader() -> str:
    """The key of the uploader: a new one, and so an empty one, each time that the dialog is opened."""
    return f"{_UPLOAD}_{st.session_state.get(_TIMES, 0)}"


def _files() -> list[UploadedFile]:
    """The files in the uploader, after parts that have waited since the dialog was open before."""
    earlier: dict[str, UploadedFile] = st.session_state.get(_EARLIER, {})
    given: list[UploadedFile] = st.session_state.get(_uploader()) or []
    return list((earlier | {file.file_id: file for file in given}).values())


def _answers(files: Sequence[UploadedFile], together: Sequence[UploadedFile]) -> list[GivenFile]:
    """What has become of each file, and of those that are joined; the last that is new and can be opened is opened."""
    known: dict[str, GivenFile] = st.session_state.setdefault(_ANSWERS, {})
    new: list[GivenFile] = st.session_state.setdefault(_NEW, [])
    parts = {file.file_id for file in together}
    for file in files:
        if file.file_id not in known and file.file_id not in parts:
            known[file.file_id] = answer = keep(file.name, file.getvalue())
            new.append(answer)
        st.session_state.setdefault(_TAKEN, {})[file.file_id] = file.name, file.size
    mine = [known[file.file_id] for file in files if file.file_id in known and file.file_id not in parts]
    if together and not what_is_missing(together):
        job = join(together)
        if job.key not in known and job.run is not None and job.state == "finished" and job.run.report is not None:
            logs = [file.name for file in together if (kind := _kind(file)) is not None and kind.role != "judgments"]
            name = f"{logs[0].removesuffix('.gz').rpartition('.')[0] or logs[0]} joined.txt"  # the first log tells best
            known[job.key] = answer = keep(name, job.run.text.getvalue())
            new.append(answer)
            if answer.digest:
                access.import_reports()[answer.digest] = job.run.report
            job.run.text = io.BytesIO()
        mine += [known[job.key]] if job.key in known else []
    st.session_state[_NEW] = []
    ready = [answer for answer in new if answer.label and not answer.problem and answer.question is None]
    if ready:
        _open(Opened(ready[-1].label), close=not any(answer.problem or answer.question for answer in new))
    if any(answer.label for answer in new):
        st.rerun()  # it is among the datasets, whether or not a question about it is answered here
    return mine


def _is_done(together: Sequence[UploadedFile]) -> bool:
    """Whether the files have been joined, with whatever answer."""
    known = st.session_state.get(_ANSWERS, {})
    return bool(together) and not what_is_missing(together) and join(together).key in known


def _open(what: Opened, *, close: bool) -> None:
    """Choose an upload: the page is drawn again with it."""
    st.session_state[keys.OPENED] = what
    if close:
        _close()
    st.rerun()


class JoinedUpload(Import):
    """An import of uploaded files into memory: ``text`` has the joined data, once the work is done."""

    def __init__(self, files: Sequence[UploadedFile]) -> None:
        self.text = io.BytesIO()
        super().__init__([(file.name, file.getvalue()) for file in files], self.text)


def to_join(files: Sequence[UploadedFile]) -> list[UploadedFile]:
    """Return the files that make data only together; data that can be opened alone joins in where no log is there."""
    parts = [file for file in files if (kind := _kind(file)) is not None and not kind.labelled]
    if not parts or any((kind := _kind(file)) is not None and kind.role == "log" for file in parts):
        return parts
    return [file for file in files if _kind(file) is not None]


def what_is_missing(files: Sequence[UploadedFile]) -> str:
    """Say what the files need to make data; empty where they have it."""
    try:
        refuse_unfit([(file.name, kind) for file in files if (kind := _kind(file)) is not None])
    except DataError as error:
        return f"{error}."
    return ""


def join(files: Sequence[UploadedFile]) -> Job[JoinedUpload]:
    """The join of these files, under way beside the page."""
    key = "import " + hashlib.sha256(" ".join(file.file_id for file in files).encode()).hexdigest()
    job: Job[JoinedUpload] | None = job_for(key)
    if job is None:
        chosen = list(files)
        job = ask_for(key, lambda: JoinedUpload(chosen), travels=False)
        wait_a_moment(job, stepwise.PATIENCE)
    return job


def draw_join(files: Sequence[UploadedFile]) -> None:
    """What the files still need, or how far their join is."""
    if needed := what_is_missing(files):
        st.info(in_markdown(needed))
        return
    job = join(files)

    def reached() -> Reached | None:
        run = job.run
        return None if run is None else Reached(f"{run.share:.0%}, {run.now}", run.share, run.seconds_left)

    Panel(
        key="import",
        what="Joining",
        starting="reading the files",
        reached=reached,
        way_out="Fix or remove this file.",
        stop_help="Stop joining; you can continue later",
        in_dialog=True,
    ).draw([job], active=job.active)


def _kind(file: UploadedFile) -> Kind | None:
    """The kind of a file; None where it is unknown, which the reader of data explains better."""
    kinds: dict[str, Kind | None] = st.session_state.setdefault(_KINDS, {})
    if file.file_id not in kinds:
        try:
            kinds[file.file_id] = recognise(TextFile(file.getvalue(), file.name))
        except DataError:
            kinds[file.file_id] = None
    return kinds[file.file_id]
