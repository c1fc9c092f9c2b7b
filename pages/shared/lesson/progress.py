"""What a visitor has guessed and seen of lessons: kept by their browser, in the session while they are here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from core.figures.browser.drawing_code import browser_file
from core.figures.lessons.guess import sent_prediction
from core.lessons import Choice, Curve, Lesson, Number, Order, Prediction, lessons
from pages.shared.live_chart import ignore

_PROGRESS = "lesson_progress"
_HEARD = "lesson_progress_heard"
_MOST = 200_000  # letters that a browser is believed to have kept
KEY = "lesson_kept"
_KEPT = st.components.v2.component(
    KEY, js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)
_GUESS = st.components.v2.component(
    "lesson_guess", js=browser_file("guess.js"), css=browser_file("guess.css"), isolate_styles=False
)


def ask(predict: Prediction, key: str) -> Any:
    """Draw the control for a prediction, with no answer set; the guess as it is kept, or None while there is none.

    ``key`` is another one for each step of each lesson.
    """
    if isinstance(predict, Choice):
        places = range(len(predict.options))
        return st.radio(predict.question, places, index=None, format_func=predict.options.__getitem__, key=key)
    st.markdown(predict.question)
    told = _GUESS(key=key, data=sent_prediction(predict), on_guess_change=ignore)
    return valid(predict, told.guess)


def valid(predict: Prediction | None, guess: Any) -> Any:
    """A guess as `core.lessons` describes it, from what a browser has sent; None where it is none."""
    try:
        match predict:
            case Choice(options=options):
                return int(guess) if not isinstance(guess, bool) and int(guess) in range(len(options)) else None
            case Number(low=low, high=high):
                return float(guess) if low <= float(guess) <= high else None
            case Order(items=items):
                found = tuple(int(place) for place in _listed(guess))
                return found if sorted(found) == list(range(len(items))) else None
            case Curve(x=x, low=low, high=high):
                heights = tuple(float(height) for height in _listed(guess))
                return heights if len(heights) == len(x) and all(low <= one <= high for one in heights) else None
    except (TypeError, ValueError, OverflowError):
        return None
    return None


def _listed(guess: Any) -> Sequence[Any]:
    if not isinstance(guess, list | tuple):
        raise TypeError
    return guess


@dataclass(frozen=True)
class Progress:
    """What is known of one lesson."""

    guesses: Mapping[int, Any] = field(default_factory=dict)  # by step; locked
    seen: tuple[int, ...] = ()  # steps whose result has been shown, or that ask nothing and were opened

    def as_json(self) -> dict[str, Any]:
        """The same as the browser keeps it."""
        return {"guesses": {str(step): guess for step, guess in self.guesses.items()}, "seen": list(self.seen)}

    @classmethod
    def read(cls, lesson: Lesson, kept: Any) -> Progress:
        """What a browser has kept, as far as it is of this lesson as it is now."""
        if not isinstance(kept, dict):
            return cls()
        given, seen = kept.get("guesses"), kept.get("seen")
        steps = {str(step.number): step for step in lesson.steps}
        guesses = {
            steps[number].number: guess
            for number, told in (given.items() if isinstance(given, dict) else ())
            if number in steps and (guess := valid(steps[number].predict, told)) is not None
        }
        numbers = {step.number for step in lesson.steps}
        return cls(
            guesses,
            tuple(sorted(numbers & {one for one in seen if isinstance(one, int)} if isinstance(seen, list) else ())),
        )


def of(name: str) -> Progress:
    """What is known of a lesson."""
    return _all().get(name, Progress())


def lock(name: str, step: int, guess: Any) -> bool:
    """Keep a guess; None takes it back. Return whether it counts: after the result has been seen, no guess does."""
    known = of(name)
    if step in known.seen:
        return False
    guesses = {number: one for number, one in known.guesses.items() if number != step}
    _keep(name, Progress(guesses | ({} if guess is None else {step: guess}), known.seen))
    return True


def see(name: str, step: int) -> None:
    """Note that the result of a step has been shown."""
    known = of(name)
    if step not in known.seen:
        _keep(name, Progress(known.guesses, tuple(sorted({*known.seen, step}))))


def start_again(name: str) -> None:
    """Forget what was guessed and seen of a lesson."""
    _keep(name, Progress())


def keep() -> None:
    """Draw what has the browser keep the progress, and tell it at first and whenever another tab has changed it.

    Once in a run, after all changes.
    """
    told = {name: known.as_json() for name, known in _all().items()}
    _KEPT(key=KEY, data={"heard": bool(st.session_state.get(_HEARD)), "progress": told}, on_kept_change=_hear)


def _hear() -> None:
    """The browser tells what it has kept; what has been done in this visit goes before it.

    Not so the guess of a step whose result another tab has shown: there it is the guess from before.
    """
    again = bool(st.session_state.get(_HEARD))
    kept = (st.session_state.get(KEY) or {}).get("kept")
    st.session_state[_HEARD] = True
    if not isinstance(kept, str) or len(kept) > _MOST:
        return
    try:
        read = json.loads(kept)
    except (ValueError, RecursionError):
        return
    if not isinstance(read, dict):
        return
    for lesson in lessons():
        before, now = Progress.read(lesson, read.get(lesson.name)), of(lesson.name)
        if again and lesson.name in read and before == Progress():  # another tab has started it again
            _keep(lesson.name, before)
            continue
        late = {*before.seen} - {*now.seen}
        guesses = {**before.guesses, **{step: one for step, one in now.guesses.items() if step not in late}}
        merged = Progress(guesses, tuple(sorted({*before.seen, *now.seen})))
        if merged not in (Progress(), now):
            _keep(lesson.name, merged)


def _all() -> dict[str, Progress]:
    found: dict[str, Progress] = st.session_state.get(_PROGRESS, {})
    return found


def _keep(name: str, progress: Progress) -> None:
    st.session_state[_PROGRESS] = {**_all(), name: progress}
