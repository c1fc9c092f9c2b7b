"""Where a visitor is in a lesson: ``lesson``, ``step`` and ``reveal`` of the address, which stay from page to page.

Links of lessons load no new document: ``page.js`` follows them as Back and Forward are followed.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from core.lessons import Lesson, Prediction, Step, lessons
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded, Source
from pages.shared.server.visits import travelled

LESSON, STEP, REVEAL, ON = "lesson", "step", "reveal", "lesson_on"
OWN = "chosen"
"""In place of the lesson's own data, the data that the sidebar has chosen."""
_KEYS = (LESSON, STEP, REVEAL, ON)
_SAID = "lesson_place"
_LEFT = "lesson_left"
_LONGEST = 40  # letters of a name that are quoted


@dataclass(frozen=True)
class Place:
    """A step of a lesson."""

    lesson: Lesson  # on the data that it is taken on
    step: Step
    revealed: bool  # whether its result is shown
    source: Source | None = None  # the visitor's data, where the lesson is taken on that

    @property
    def predict(self) -> Prediction:
        """What the step asks, where it asks something."""
        assert self.step.predict is not None
        return self.step.predict

    @property
    def shows(self) -> str:
        """The address that the step is about now, without the lesson."""
        return self.step.reveal if self.revealed else self.step.show

    @property
    def address(self) -> str:
        """The same with the lesson: what a link to this place says."""
        return self.at(self.step.number, reveal=self.revealed)

    def at(self, number: int, *, reveal: bool = False) -> str:
        """The address of a step of this lesson, or of its result."""
        step = self.lesson.step(number)
        return with_place(
            step.reveal if reveal else step.show, self.lesson.name, number, reveal=reveal, own=self.source is not None
        )

    def is_here(self, page: str) -> bool:
        """Whether the page is the one that the step is about."""
        return self.shows.partition("?")[0] == page

    @property
    def strayed(self) -> bool:
        """Whether the page is at another value than the step's; what is at its default the address may not say."""
        wanted = dict(parse_qsl(self.shows.partition("?")[2], keep_blank_values=True))
        told = (wanted.keys() & set(st.query_params)) - {keys.C, keys.RATIO}  # C is written in its own steps
        return any(sorted(st.query_params[key].split(",")) != sorted(wanted[key].split(",")) for key in told)


def with_place(shown: str, lesson: str, number: int, *, reveal: bool = False, own: bool = False) -> str:
    """An address of the app with a place in a lesson."""
    page, _, query = shown.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True)) | {LESSON: lesson, STEP: str(number)}
    given |= ({REVEAL: "1"} if reveal else {}) | ({ON: OWN} if own else {})
    return f"{page}?{urlencode(given)}"


def begin() -> None:
    """Read the place from the address, which stands above the session, and keep it while other pages are looked at."""
    left = st.session_state.pop(_LEFT, False)
    if not left and (LESSON in st.query_params or _SAID not in st.session_state or travelled()):
        said = {key: st.query_params.get(key, "") for key in _KEYS}
        if said[LESSON]:
            st.session_state[_SAID] = said
        else:
            st.session_state.pop(_SAID, None)
    for key, value in _said().items():
        address.write(key, value or None)


def _said() -> dict[str, str]:
    """What the address has said of the place, by key; empty texts outside of lessons."""
    found: dict[str, str] = st.session_state.get(_SAID) or dict.fromkeys(_KEYS, "")
    return found


def leave() -> None:
    """End the lesson: the address names none any more."""
    st.session_state[_LEFT] = True
    st.session_state.pop(_SAID, None)


def place(chosen: Loaded | None) -> Place | str | None:
    """Where the visitor is, in a lesson that may be taken on the chosen data; None outside of lessons.

    A sentence where the address names a lesson or a step that there is not.
    """
    said = _said()
    name, number = said[LESSON], said[STEP]
    if not name:
        return None
    known = {one.name: one for one in lessons()}
    if name not in known:
        return f"There is no lesson “{name[:_LONGEST]}”."
    lesson = known[name]
    if number not in ("", *(str(step.number) for step in lesson.steps)):
        return f"The lesson “{lesson.title}” has steps 1 to {len(lesson.steps)}, and no step “{number[:_LONGEST]}”."
    source = None
    if chosen is not None and lesson.any_data and said[ON] == OWN:
        source = chosen.source
        lesson = lesson.on(source.name, chosen.fold_number)
    return Place(lesson, lesson.step(int(number or 1)), said[REVEAL] == "1", source)


def link(words: str, address: str, *, primary: bool = False) -> None:
    """Draw one link to an address of the app, as ``path?method=l1``; ``primary`` where it is the way on."""
    st.html(link_html(words, address, primary=primary), width="content")


def link_html(words: str, address: str, *, primary: bool = False) -> str:
    """The same as HTML, for a line of text."""
    look = "travel travel-first" if primary else "travel"
    link = f"./{address}"  # below whatever base the server has
    return f'<a class="{look}" href="{html.escape(link)}" target="_self">{html.escape(words)}</a>'
