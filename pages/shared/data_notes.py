"""What a page says of the data itself: what the join of judgments and logs has left out, and what repeats itself."""

from __future__ import annotations

import shlex

import streamlit as st

from core.names.plain import in_markdown
from core.names.short import short_names
from core.program import PROGRAM
from pages.shared import keys
from pages.shared.choice import access
from pages.shared.choice.choice import Source
from pages.shared.lazy import lazy_popover
from pages.shared.tables import download


def join_sentence(source: Source) -> str:
    """Say in Markdown what the join has left out; nothing for other data."""
    report = access.import_reports().get(source.upload)
    if report is None:
        return ""
    from_files = f"**Joined from {len(report.files)} files**"
    if not report.unmatched_judgments and not report.unmatched_logged:
        return f"{from_files}: every judgment has logged features, and every logged document a judgment."
    return (
        f"{from_files}: {report.unmatched_judgments:,} of {report.judgments:,} judgments and "
        f"{report.unmatched_logged:,} of {report.logged:,} logged documents match nothing and are left out."
    )


def join_line(source: Source) -> None:
    """The same in one line, with the report one click away; nothing for other data."""
    if not (sentence := join_sentence(source)):
        return
    with st.container(key="join_line", horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/extension: {sentence}", width="content")
        lazy_popover("Details", lambda: join_details(source), key="join_details", type="tertiary")


def join_report(source: Source) -> None:
    """Draw the report in a box of its own; nothing for other data."""
    report = access.import_reports().get(source.upload)
    if report is not None:
        with st.expander(f"Joined: {in_markdown(report.headline)}", icon=":material/extension:", expanded=True):
            join_details(source)


def join_details(source: Source) -> None:
    """What is left out, counted and named, with the joined file to take along and the command that makes it."""
    report = access.import_reports()[source.upload]
    digest = source.upload
    st.markdown("\n".join(f"- {in_markdown(sentence)}" for sentence in report.sentences()))
    download(
        "Joined file",
        lambda: access.uploads().get(digest).content,
        source.file_name,
        icon=":material/download:",
        help="LETOR text that every command reads, with names of features, queries and documents.",
    )
    files = " ".join(shlex.quote(file) for file, _ in report.files)
    st.code(f"{PROGRAM} import {files} --out {shlex.quote(source.file_name)}", language="sh")


def copies_note(source: Source, fold_number: int) -> None:
    """Draw the note; nothing where no feature and no query repeats another one."""
    fold = access.fold(source, fold_number)
    names = fold.train.feature_names
    notes = access.copies(fold).notes(short_names(names, range(len(names))))
    if not notes:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="copies"):
        st.markdown(f":material/content_copy: {' '.join(map(in_markdown, notes))}", width="content")
        st.button("Leave the copies out", key="copies_out", type="tertiary", on_click=_leave_out)


def _leave_out() -> None:
    st.session_state[keys.DROP_COPIES] = True
