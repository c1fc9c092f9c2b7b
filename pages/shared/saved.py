"""Pictures of the choice as a page or a site without a server, and the command that writes the same page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.analysis.fitting import Fitting
from core.analysis.fold_models import FoldPath
from core.analysis.path import PathPoint
from core.cli.reading import reading_words
from core.export.files import zip_of
from core.export.html_report import Section
from core.export.saved.page import SavedPage, SavedPart, saved_page
from core.export.saved.site import SiteDataset, SiteFold, shown_words, site_files
from core.export.saved.views import SavedPath
from core.figures.drag.hand import Hand
from core.methods import get_method
from core.names.plain import in_markdown
from core.program import COMMAND
from pages.shared.cache import Results
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.panels import choice_words
from pages.shared.work.paths import path_key, settings_of

HELP = "These pictures in one file in which C is dragged, as here, without a network."


def saved_of(
    choice: Loaded, parts: Sequence[SavedPart], hand: Hand, *, summary: str, beneath: Sequence[Section]
) -> str:
    """Return the text of the page; the arguments are those of `core.export.saved.page.SavedPage`."""
    title, measures = f"{choice.title} on {choice.where}", measures_of(choice)
    return saved_page(SavedPage(parts, hand, measures, title, summary, choice.method_id, choice.convention), beneath)


def save_site_button(choice: Loaded, paths: Mapping[str, Sequence[PathPoint]]) -> None:
    """Offer complete paths of a choice's fold, by method, as a folder of static files."""
    settings = {method_id: settings_of(choice, method_id) for method_id in paths}  # a session knows them
    name, reading = choice.source.name.split(" · ")[0], reading_words(choice.source.reading)
    usual = all(given == get_method(method_id).settings({}) for method_id, given in settings.items())

    words = ["site", name, "--folds", str(choice.fold_number), "--methods", ",".join(paths)]
    made_by = shlex.join([*COMMAND, *words, "--out", "site"]) if usual and not (reading or choice.rules_words) else ""
    of = (name, choice.fold.name, made_by, *(path_key(choice, method_id) for method_id in paths))
    sites = Results("site")  # goes with a visitor's file, whenever the button is pressed

    def packed() -> bytes:
        if of not in sites:
            sites[of] = made()
        return bytes(sites[of])

    def made() -> bytes:
        fold, convention, known = choice.fold, choice.convention, dict[str, Any]()
        saved = []
        for method_id, points in paths.items():
            how = Fitting.on(fold, choice.method_under_rules(method_id), settings[method_id], convention)
            path = FoldPath(tuple(points), fold, convention, rules=choice.rules_for(method_id))
            saved.append(replace(SavedPath.of(how, path), known=known))
        shown = SiteDataset(name, [SiteFold(fold.name, saved)])
        return zip_of(dict(site_files([shown], made_by)))

    st.download_button(
        "Save as a site", packed, "site.zip", "application/zip", on_click="ignore", key="site_lab",
        help=f"{shown_words(in_markdown(name), choice.fold)} Unpack it on any web space, or open its index.html. The "
        "command `site` writes all folds, more methods and the lessons.",
    )  # fmt: skip


def saved_command(choice: Loaded, view: str, beside: Sequence[str] = ()) -> Section:
    """Return the section with the command that writes the same page.

    Parameters
    ----------
    choice : Loaded
    view : {"lab", "features"}
    beside : sequence of str
        Ids of the methods beside the chosen one.
    """
    words = [*COMMAND, "path", *choice_words(choice)]
    words += ["--view", view, *(["--beside", ",".join(beside)] if beside else []), "--html", f"{view}.html"]
    return Section("The command that makes this page", code=shlex.join(words))
