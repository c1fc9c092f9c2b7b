"""Judgments and feature logs among the files that a person gives: joined beside the page into one dataset."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

import streamlit as st
from streamlit.typing import UploadedFile

from core.data import DataError
from core.data.imports.importing import Import
from core.data.imports.kinds import Kind, recognise, refuse_unfit
from core.data.imports.text_file import TextFile
from core.names.plain import in_markdown
from pages.shared.work import stepwise
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, Reached, draw_panel

_KINDS = "upload_kinds"


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


def to_join(files: Sequence[UploadedFile]) -> list[UploadedFile]:
    """Return the files that make data only together; data that can be opened alone joins in where no log is there."""
    parts = [file for file in files if _kind(file) is not None and not _alone(file)]
    if not parts or any((kind := _kind(file)) is not None and kind.role == "log" for file in parts):
        return parts
    return [file for file in files if _kind(file) is not None]


def missing(files: Sequence[UploadedFile]) -> str:
    """Say what the files need to make data; empty where they have it."""
    try:
        refuse_unfit([(file.name, kind) for file in files if (kind := _kind(file)) is not None])
    except DataError as error:
        return f"{error}."
    return ""


def join(files: Sequence[UploadedFile]) -> Job[JoinedUpload]:
    """The join of these files, under way beside the page."""
    key = "import " + hashlib.sha256(" ".join(file.file_id for file in files).encode()).hexdigest()
    job: Job[JoinedUpload] | None = board().find(key, session_id())
    if job is None:
        chosen = list(files)
        job = board().submit(Job(key=key, owner=session_id(), make=lambda: JoinedUpload(chosen), travels=False))
        wait_a_moment(job, stepwise.PATIENCE)
    return job


def joined_name(files: Sequence[UploadedFile]) -> str:
    """Of joined data: the first log's name tells it best."""
    logs = [file.name for file in files if (kind := _kind(file)) is not None and kind.role != "judgments"]
    return f"{logs[0].removesuffix('.gz').rpartition('.')[0] or logs[0]} joined.txt"


def draw_join(files: Sequence[UploadedFile]) -> None:
    """What the files still need, or how far their join is."""
    if needed := missing(files):
        st.info(in_markdown(needed))
        return
    job = join(files)
    draw_panel(
        Panel(
            key="import",
            what="Joining",
            starting="reading the files",
            reached=lambda: _reached(job),
            way_out="Fix or remove this file.",
            stop_help="Stop joining; you can continue later",
            in_dialog=True,
        ),
        [job],
        active=job.active,
    )


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


def _reached(job: Job[JoinedUpload]) -> Reached | None:
    run = job.run
    return None if run is None else Reached(f"{run.share:.0%}, {run.now}", run.share, run.seconds_left)
