"""The class's vote on a step of a lesson, as the lesson's panel shows it; without a class nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.figures.lessons.guess import spoken, votes_figure, votes_rows, votes_sentence
from core.lessons.lesson import Curve, Prediction
from core.names.plain import in_markdown
from pages.shared.live_chart import ignore, live_chart
from pages.shared.room.room import COOKIE, ROUNDS, Member, Polls, Room, Seen, Step, room

_HEARS = st.components.v2.component(
    "class_poll", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def vote(lesson: str, number: int, guess: Any) -> None:
    """Count a guess in the class's vote, where there is one; None takes nothing back: a later guess replaces it."""
    here, member = room(), visitor()
    if here is not None and member is not None and not member.presents and guess is not None:
        here.polls.vote((lesson, number), member.name, hashable(guess))


def draw(lesson: str, number: int, predict: Prediction, locked: Any = None, value: Any = None) -> None:
    """Draw the vote on a step: the presenter's buttons, what one's own vote does, and results that have been revealed.

    The step is a lesson's, by name and number. ``locked`` is the guess that this visitor has locked, ``value`` that of
    the answer, where the page shows it.
    """
    here, member = room(), visitor()
    if here is None or member is None:
        return
    step = (lesson, number)
    version = here.polls.version
    poll = here.polls.seen(step, member.name)
    if poll.open and poll.round == 1 and poll.mine is None and locked is not None and not member.presents:
        vote(lesson, number, locked)
        poll = here.polls.seen(step, member.name)
    if value is not None and not member.presents:
        here.polls.saw(step, member.name)  # after the vote for what was locked before
        poll = here.polls.seen(step, member.name)
    with st.container(key="class_poll"):
        if member.presents:
            _presenter(here.polls, step, poll, known=value is not None)
        else:
            _member(lesson, number, poll, locked)
        if poll.results:
            sentence = votes_sentence(predict, poll.results, value)
            st.markdown(in_markdown(sentence))
            found = "" if value is None or isinstance(predict, Curve) else f" The result: {spoken(predict, value)}."
            live_chart(
                votes_figure(predict, poll.results, value), "class_votes", alt=f"{sentence}{found}",
                table=pd.DataFrame(votes_rows(predict, poll.results, value)),
            )  # fmt: skip
    _HEARS(key="class_poll_hears", data={"version": version}, on_changed_change=ignore)


def _presenter(polls: Polls, step: Step, poll: Seen, *, known: bool) -> None:
    """Draw the buttons; once the answer is known there is no vote any more."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if poll.open:
            _button("Show the votes", "reveal", polls.reveal, step)
        elif poll.round < ROUNDS and not known:
            _button("Vote once more" if poll.round else "Let the class vote", "open", polls.open, step)
        if poll.round:
            _button("Reset the vote", "reset", polls.reset, step)


def _button(words: str, key: str, act: Callable[[Step], None], step: Step) -> None:
    st.button(words, key=f"class_{key}", on_click=_as_presenter, args=(act, step))


def _as_presenter(act: Callable[[Step], None], step: Step) -> None:
    if presenting():
        act(step)


def _member(lesson: str, number: int, poll: Seen, locked: Any) -> None:
    if not poll.open:
        return
    which = "The class votes." if poll.round == 1 else "The class votes once more, after the discussion."
    if poll.late:
        ends = "stays" if poll.mine is not None else "comes too late"
        st.markdown(f"{which} You have seen the result: your vote {ends}.")
    elif poll.mine is not None:
        st.markdown(f"{which} Your vote counts; you can change it until the votes are shown.")
    elif locked is None:
        st.markdown(f"{which} Lock your prediction to vote.")
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{which} Keep your prediction, or change it.", width="content")
            st.button("Keep it", key="class_keep", on_click=vote, args=(lesson, number, locked))


def presenting() -> bool:
    """Whether this is the page of a class's presenter."""
    member = visitor()
    return member is not None and member.presents


def visitor() -> Member | None:
    """Return the member of the class whose page is drawn, by the cookie; None outside of a class."""
    here: Room | None = room()
    if here is None:
        return None
    for name, cookie in st.context.cookies.to_dict().items():
        if name.startswith(f"{COOKIE}_"):
            found = here.member(here.tickets.read(cookie))
            if found is not None:
                return found
    return None


def hashable(guess: Any) -> Any:
    """Return a guess with tuples in the place of lists."""
    return tuple(map(hashable, guess)) if isinstance(guess, list | tuple) else guess
