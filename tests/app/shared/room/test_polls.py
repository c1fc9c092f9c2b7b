"""A class votes: the presenter opens and reveals, results are hidden until then, and nobody is named."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from pages.shared.room import polls as bounds
from pages.shared.room.polls import Polls, Seen
from pages.shared.room.room import Room
from tests.app.shared.room.conftest import Browser

STEP = ("zeros", 1)


def test_results_are_hidden_until_they_are_revealed_and_a_second_vote_stands_beside_the_first() -> None:
    polls = Polls()
    assert polls.seen(STEP) == Seen()
    assert not polls.vote(STEP, "ann", 0)  # nothing is open
    polls.open(STEP)
    assert polls.vote(STEP, "ann", 0)
    assert polls.vote(STEP, "bob", 1)
    assert polls.seen(STEP, "ann") == Seen(1, True, (), 0)
    polls.reveal(STEP)
    assert polls.seen(STEP, "cy").results == ({0: 1, 1: 1},)
    assert not polls.vote(STEP, "cy", 1)  # too late
    polls.open(STEP)
    assert polls.vote(STEP, "ann", 1)
    assert polls.seen(STEP, "ann") == Seen(2, True, ({0: 1, 1: 1},), 1)
    polls.reveal(STEP)
    assert polls.seen(STEP).results == ({0: 1, 1: 1}, {1: 1})
    polls.open(STEP)  # there is no third
    assert polls.seen(STEP).round == 2
    assert not polls.seen(STEP).open
    polls.reset(STEP)
    assert polls.seen(STEP) == Seen()


def test_a_vote_twice_replaces_the_first_and_a_name_is_nowhere() -> None:
    polls = Polls()
    polls.open(STEP)
    for guess in ((0, 1), (1, 0), (1, 0)):
        polls.vote(STEP, "ann", guess)
    assert polls.voted() == 1
    polls.reveal(STEP)
    assert polls.seen(STEP).results == ({(1, 0): 1},)
    assert "ann" not in repr(polls.seen(STEP, "bob"))
    assert polls.voted() is None


def test_votes_and_polls_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "VOTERS", 3)
    monkeypatch.setattr(bounds, "POLLS", 2)
    polls = Polls()
    polls.open(STEP)
    assert [polls.vote(STEP, name, 1) for name in "abcd"] == [True, True, True, False]
    assert polls.vote(STEP, "a", 0)  # who has voted may change his mind
    polls.open(("zeros", 2))
    polls.open(("zeros", 3))
    assert polls.seen(STEP) == Seen()


def test_votes_of_many_at_once_are_all_counted() -> None:
    polls = Polls()
    polls.open(STEP)
    voters = [threading.Thread(target=polls.vote, args=(STEP, f"v{k}", k % 3)) for k in range(60)]
    for one in voters:
        one.start()
    for one in voters:
        one.join()
    polls.reveal(STEP)
    assert polls.seen(STEP).results == ({0: 20, 1: 20, 2: 20},)


def test_what_changes_for_all_wakes_those_who_wait_and_a_vote_does_not(here: Room) -> None:
    async def wait() -> bool:
        asked = asyncio.create_task(here.newer_than(here.sequence, 5.0))
        await asyncio.sleep(0)
        page = threading.Thread(target=here.polls.open, args=(STEP,))  # a page's thread
        page.start()
        return await asked

    assert asyncio.run(wait())
    before = here.sequence
    here.polls.vote(STEP, "ann", 1)
    assert here.sequence == before
    here.polls.reveal(STEP)  # nobody waits any more
    assert here.sequence > before


def test_no_browser_is_told_counts_before_they_are_revealed(here: Room, presenter: Browser, follower: Browser) -> None:
    before = follower.state()["polls"]
    here.polls.open(STEP)
    here.polls.vote(STEP, "ann", 1)
    said = follower.state()
    assert said["polls"] > before
    assert "voted" not in said
    assert presenter.state()["voted"] == 1
    assert "ann" not in json.dumps(presenter.state())
