"""Pieces of pages: tables of a fit with its downloads, what is noted of the data, what to do when it cannot be used."""

from __future__ import annotations

import json
import shlex
from typing import Any

import streamlit as st

from core.analysis.fit_records import training_record
from core.cli.reading import reading_words
from core.data import DataError, MissingValuesError, UndecidedColumnError
from core.export.table_formats import csv_text
from core.methods import EmptyOptimumError, Fit, get_method
from core.names.plain import in_markdown
from core.names.short import short_names
from core.program import COMMAND, PROGRAM
from pages.shared import keys
from pages.shared.choice import access, own_data
from pages.shared.choice.choice import Loaded, Source
from pages.shared.choice.columns import ask_about_columns
from pages.shared.choice.data import WantedDataError
from pages.shared.choice.roles import ask_about_roles
from pages.shared.choice.use_model import use_model
from pages.shared.controls import download
from pages.shared.lazy import lazy_popover


def no_choice() -> None:
    """Why nothing can be drawn, and what to do; for pages that find no choice."""
    error: DataError | None = st.session_state.get(keys.NO_CHOICE)
    if isinstance(error, EmptyOptimumError):
        method = get_method(st.session_state[keys.METHOD])
        st.header(f"{method.title} keeps no feature here, at any C", anchor=False)
        empty_answer(error, method.id)
        return
    if isinstance(error, WantedDataError):
        st.header("The data of this link is not here", anchor=False)
        st.info(in_markdown(f"{str(error).rstrip('.')}."))
        st.markdown(
            "Drop that file anywhere on this page, or put the dataset under `$SPARSE_RANK_DATA`: the link's method, C "
            "and other choices stay. Or choose another dataset in the sidebar."
        )
        st.button("Open the file", key="open_wanted", icon=":material/description:", on_click=own_data.open_dialog)
        return
    if error is not None and ask_about_roles(error):
        return
    if isinstance(error, MissingValuesError | UndecidedColumnError):
        ask_about_columns(error)
        return
    st.header("This data cannot be used", anchor=False)
    st.error(in_markdown(str(error or "There is no data.")))
    st.markdown(
        "Choose another dataset in the sidebar, or fix the file and drop it in again. Nothing else has changed."
    )


def empty_answer(error: EmptyOptimumError, method_id: str, name: str = "") -> None:
    """That a method's empty model is optimal is an answer, with its reason; and a button for the way out.

    ``name`` is put before the sentence, where several methods are on the page.
    """
    symbols = {parameter.name: parameter.symbol for parameter in get_method(method_id).parameters}
    sentence = str(error)
    st.info(
        f"{name}: {in_markdown(sentence)}." if name else f"{in_markdown(sentence[0].upper() + sentence[1:])}.",
    )
    if error.way_out:
        words = ", ".join(f"{symbols[parameter]} = {value:g}" for parameter, value in error.way_out.items())
        st.button(
            f"Use {words}",
            key=f"way_out_{method_id.replace('.', '')}",
            icon=":material/arrow_forward:",
            type="primary",
            on_click=use_model,
            kwargs={"method_id": method_id, "parameters": error.way_out},
            help="Changes the sidebar's setting; Back brings it back.",
        )


def downloads(record: dict[str, Any], fit: Fit, choice: Loaded) -> None:
    """The fit as JSON, which the command ``export`` takes, and as CSV, and the command that repeats it."""
    with st.container(horizontal=True):
        download(
            "Fit (JSON)",
            lambda: json.dumps(whole_record(record, fit, choice), allow_nan=False, indent=1),
            f"{choice.source.name}-{fit.method}.json",
            help="Settings, certificate, trace, features and metrics, as the command line prints them.",
        )
        weights = f"{choice.source.name}-{fit.method}-weights.csv"
        download("Weights (CSV)", lambda: csv_text(record["features"]), weights)
    st.caption("The same from a terminal:")
    st.code(command(choice), language="bash", wrap_lines=True)


def whole_record(record: dict[str, Any], fit: Fit, choice: Loaded) -> dict[str, Any]:
    """A fit's record with the data, the rules and the scaling that it belongs to, as ``fit --json`` prints it."""
    data = {"dataset": choice.source.name.split(" · ")[0], "fold": choice.fold_number}
    rules = choice.rules_for(fit.method)
    under = {} if rules is None else {"rules": rules.record()}
    return data | record | under | training_record(choice.fold, fit)


def command(choice: Loaded) -> str:
    """The command line that makes the same fit."""
    words = [*COMMAND, "fit", *choice_words(choice), "--solver", choice.solver_id, "--tol", f"{choice.tol:g}"]
    return shlex.join([*words, "--json"])


def choice_words(choice: Loaded) -> list[str]:
    """The words of a command for data, method with its parameters and rules, and C."""
    source = choice.source
    words = [source.name.split(" · ")[0], "--fold", str(choice.fold_number)]
    words += ["--method", choice.method_id, "--C", repr(choice.c)]
    for name, value in choice.parameters:
        words += ["--set", f"{name}={value!r}"]
    rules = choice.rules_for(choice.method_id)
    if rules is not None:
        words += [word for name, text in rules.texts().items() if text for word in (f"--{name}", text)]
    return [*words, *reading_words(source.reading)]


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
        leave_out, args = st.session_state.update, ({keys.DROP_COPIES: True},)
        st.button("Leave the copies out", key="copies_out", type="tertiary", on_click=leave_out, args=args)
