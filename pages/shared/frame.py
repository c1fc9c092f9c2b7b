"""The frame around every page: page settings, navigation, and the sidebar with the choice all pages share."""

from __future__ import annotations

import html
import logging
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.analysis.choosing import FEWEST_QUERIES
from core.data import DataError
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import in_markdown
from core.program import version
from pages.shared import headline, hidden, keys, lazy, panels
from pages.shared.choice import access, address, ready, roles, sidebar, use_model
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.controls import forget_clicks
from pages.shared.headline import Shown, Trace
from pages.shared.hidden import CONTROLS, DATA, EVERYTHING, FOLD, METHOD, MODEL, PARAMETERS, C, Uses, at, out_of_sight
from pages.shared.lesson import panel, place
from pages.shared.server import visits
from pages.shared.server.health import PAGE_SECONDS
from pages.shared.wording import PART_WORDS
from pages.shared.work import paths
from pages.shared.work.board import board
from pages.shared.work.status import ended_attributes, preparing_line

_FOLDER = Path(__file__).resolve().parents[1]
_FRONT = "start"
NAME = "Sparse Ranking Lab"


@dataclass(frozen=True)
class Page:
    """A page in the navigation; its file and its address have the name under which it stands."""

    title: str
    icon: str
    uses: Collection[str] | Callable[[], Collection[str]] = EVERYTHING
    """The controls of the choice that are shown, and the model; or which ones now, as its own controls are."""
    trace: Trace = "no"
    """Whether it shows how the fit of the chosen model has converged."""

    @property
    def used(self) -> Uses:
        """What it uses now."""
        return frozenset(self.uses() if callable(self.uses) else self.uses)


PAGES: Mapping[str, Mapping[str, Page]] = {
    "Explore": {
        "start": Page("Lab", "visibility", trace="from zero"),
        "data": Page("Data", "folder_open", uses=(DATA, FOLD)),
        "fit": Page("Fit", "show_chart", trace="yes"),
        "path": Page("Path", "timeline"),
        "features": Page("Features", "extension"),
        "tradeoff": Page("Trade-off", "balance"),
        "queries": Page("Queries", "search"),
        "top": Page("Top of the list", "landscape"),
    },
    "Compare": {
        "ten": Page("Ten features", "format_list_numbered", uses=(DATA, FOLD, METHOD, PARAMETERS)),
        "methods": Page(
            "Methods",
            "science",  # "validation": each method's C is chosen
            uses=lambda: {*CONTROLS, PARAMETERS} - ({C} if at("bench_c") == "validation" else set()),
        ),
        "reproduce": Page("Reproduce", "biotech", uses=(DATA,)),
    },
    "Learn": {
        "lessons": Page("Lessons", "psychology_alt", uses=(DATA, FOLD)),
        "penalties": Page(
            "Penalties",
            "school",  # its other parts look at two features and at λ/λ_max; it has sliders for all parameters
            uses=lambda: {METHOD} if at("penalties_section") in (None, "Curves") else CONTROLS,
        ),
        "numbers": Page("How numbers are made", "calculate", uses=()),
        "docs": Page("Documentation", "menu_book", uses=()),
    },
}
"""The pages by the names of their files, in the groups of the navigation."""


_inside = threading.local()
_TAB = "tab_title"
_log = logging.getLogger(__name__)


_USES = {"vali": "C is chosen", "test": "models are judged"}


def few_queries_line(choice: Loaded) -> None:
    """Say that the numbers are an example, where C is chosen or models are judged on few queries."""
    parts = choice.fold.parts()
    if len({query for data in parts.values() for query in data.query_ids}) == 1:
        return  # one list, cut into parts: its documents count
    few = {part: parts[part].n_queries for part in _USES if part in parts and parts[part].n_queries < FEWEST_QUERIES}
    if not few:
        return
    used = [
        f"{_USES[part]} on {counted(count, f'{PART_WORDS[part]} query', f'{PART_WORDS[part]} queries')}"
        for part, count in few.items()
    ]
    told = f"{' and '.join(used)}: the numbers are an example, not a finding."
    st.caption(f":material/warning: {told[:1].upper()}{told[1:]}")


@lazy.whole_page()
@PAGE_SECONDS.time()
def main() -> None:
    """Draw the frame and run the page that the address names inside it."""
    visits.begin_run()
    ready.begin_run()
    paths.begin_run()
    lazy.forget_dialog()
    strip = st.container(key="headline", horizontal=True, vertical_alignment="center")
    st.set_page_config(
        page_title=st.session_state.get(_TAB, NAME),  # as it was: it must not flicker
        page_icon="📐",
        layout="wide",
        menu_items={
            "About": f"Sparse Ranking Lab {version()}: sparse learning to rank, from a file to a model with its "
            "certificate. [Documentation](docs)"
        },
    )
    page = st.navigation(
        {group: list(map(copy, pages)) for group, pages in _pages().items()},  # a run marks the one it opens
        position="top",
        expanded=True,  # on a phone it stands in the sidebar, and hides no page behind "View more"
    )
    use_model.begin()
    hidden.begin_presentation()
    row = next(pages[name] for pages in PAGES.values() if (name := page.url_path or _FRONT) in pages)
    used = row.used
    rules = out_of_sight(used)
    name = f'<div class="page-name" {ended_attributes()}>{html.escape(page.title)}</div>'
    st.html(f"<style>{rules}</style>{name}" if rules else name)  # in one: a page is shown once it has its name
    hidden.present_switch()
    place.begin()
    address.begin_visit()
    chosen: Loaded | None = None
    with st.sidebar:
        try:
            chosen = sidebar.choose()
        except DataError as error:
            st.session_state[keys.NO_CHOICE] = error
        except Exception as error:  # a fault of one method must not take away the means to choose another
            st.session_state[keys.CHOICE] = None
            st.session_state[keys.NO_CHOICE] = _fault(error)
    if trouble := board().trouble:
        st.warning(in_markdown(trouble))
    preparing_line()
    st.session_state[keys.CHOICE] = None if chosen is None else chosen.alone
    shown: Shown | None = None
    if chosen is not None and MODEL in used:
        shown = headline.shown(chosen, row.trace)
        headline.draw(strip, chosen, shown)
    taken = place.place(chosen)
    hidden.begin(panel.hides(taken, page.url_path))
    hidden.notice()
    told = st.empty()
    # C, fold and method of the page in the words of its controls, by their names in a link.
    used_here = () if chosen is None else (short(chosen.c), chosen.fold.name, menu_title(chosen.method_id))
    in_use = dict(zip((keys.C, keys.FOLD, keys.METHOD), used_here, strict=False))
    if address.look(in_use):
        address.notice(told, "link_notice_at_once")
    where = chosen.where if chosen is not None and used else ""
    st.session_state[_TAB] = " · ".join(filter(None, [page.title, where, NAME]))
    st.set_page_config(page_title=st.session_state[_TAB])
    if chosen is not None and used:
        roles.reading_line(chosen.source)
        few_queries_line(chosen)
    _inside.page, _inside.choice, _inside.model = True, chosen, shown
    try:
        # In a presentation the page stands in another place, so that each of its tables is a new one.
        with st.container(key="presented") if hidden.presenting() else nullcontext():
            panel.draw(taken, page.url_path)
            page.run()
    except Exception as error:
        st.error(in_markdown(str(_fault(error))))
    finally:
        _inside.page, _inside.choice, _inside.model = False, None, None
    paths.watch_finer()
    address.end(in_use)
    forget_clicks()
    address.notice(told)


@cache
def _pages() -> Mapping[str, list[Any]]:
    """The pages of `PAGES`, made once a server: each looks for its file."""
    return {
        group: [
            st.Page(  # on a cold server a deep link is looked for by the name of its page's file
                _FOLDER / f"{name}.py",
                title=row.title,
                icon=f":material/{row.icon}:",
                url_path=None if name == _FRONT else name,
                default=name == _FRONT,
            )
            for name, row in pages.items()
        ]
        for group, pages in PAGES.items()
    }


def _fault(error: Exception) -> DataError:
    """What failed in a sentence, with the way on; the server's log has all of a fault of the program."""
    what = str(error)
    if not isinstance(error, DataError):
        _log.exception("a page failed")
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return DataError(f"This could not be computed ({what}). Choose another method, parameter or dataset, or go Back.")


def entered() -> bool:
    """True where a page runs inside the frame.

    On a cold server a deep link makes Streamlit run the page's file without ``app.py``; then the frame is drawn here,
    with the page in it, and the caller has nothing left to do.
    """
    if getattr(_inside, "page", False):
        return True
    main()
    return False


def draw_for_choice(draw: Callable[[Loaded], None]) -> None:
    """Run a page that is about the choice; where nothing can be fitted, say why in its place."""
    if not entered():
        return
    now = choice()
    if now is None:
        panels.no_choice()
    else:
        draw(now)


def choice() -> Loaded | None:
    """What the sidebar has chosen; None where nothing can be fitted, which `panels.no_choice` explains.

    On a page it is what has been loaded for the page; in a callback or a fragment of its own it is looked up again.
    """
    if getattr(_inside, "page", False):
        loaded: Loaded | None = _inside.choice
        return loaded
    last = last_choice()
    return None if last is None else access.load(last)


def model() -> Shown | None:
    """The fitted model of `choice`, which the strip shows; None where there is none."""
    if getattr(_inside, "page", False):
        drawn: Shown | None = _inside.model
        return drawn
    now = choice()
    return None if now is None else headline.shown(now)


def last_choice() -> Choice | None:
    """What the sidebar had chosen when it was drawn last, without its data; for callbacks."""
    last: Choice | None = st.session_state.get(keys.CHOICE)
    return last
