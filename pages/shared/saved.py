"""Pictures of the choice as a page that needs no server: its text, and the command that writes the same page."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from core.export.html_report import Section
from core.export.saved.page import SavedPage, SavedPart, saved_page
from core.figures.drag.hand import Hand
from core.program import COMMAND
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.panels import choice_words

HELP = "These pictures in one file in which C is dragged, as here, without a network."


def saved_of(
    choice: Loaded, parts: Sequence[SavedPart], hand: Hand, *, summary: str, beneath: Sequence[Section]
) -> str:
    """Return the text of the page; the arguments are those of `core.export.saved.page.SavedPage`."""
    title, measures = f"{choice.title} on {choice.where}", measures_of(choice)
    return saved_page(SavedPage(parts, hand, measures, title, summary, choice.method_id, choice.convention), beneath)


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
