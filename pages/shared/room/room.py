"""What a class shares while the server runs, in memory only: where the presenter is, who follows, and its votes.

Of the votes on a step of a lesson there are counts and no names.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass, field

from starlette.responses import Response
from starlette.types import Scope

from pages.shared.bounded_cache import Single
from pages.shared.server.visits import Tickets

Step = tuple[str, int]
"""A lesson by its name, and the number of its step."""
Guess = Hashable
"""What is voted for, as `core.lessons.lesson` describes a guess: a number, or a tuple of numbers."""
ROUNDS = 2  # votes: before and after a discussion
VOTERS = 500  # of a poll; further ones are not counted
POLLS = 100  # that are kept; the one that was opened longest ago goes first


@dataclass(frozen=True)
class Seen:
    """A poll as one member sees it."""

    round: int = 0  # the first vote is 1; 0 before there is any
    open: bool = False  # whether one can vote
    results: tuple[Mapping[Guess, int], ...] = ()  # how many voted for what, in each vote that has been revealed
    mine: Guess | None = None  # what this member has voted for in this round
    late: bool = False  # whether this member has seen the result, after which no vote counts


@dataclass
class _Poll:
    rounds: list[dict[str, Guess]] = field(default_factory=list)
    revealed: int = 0

    @property
    def open(self) -> bool:
        return self.revealed < len(self.rounds)


class Polls:
    """All polls of a class; used from the threads of pages and from the event loop.

    ``changed`` is called when something has changed that everybody is to see; a vote is no such change.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.version = 0
        """Grows when a poll is opened, revealed or reset."""
        self._changed = changed
        self._polls: OrderedDict[Step, _Poll] = OrderedDict()
        self._late: set[tuple[Step, str]] = set()
        self._lock = threading.Lock()

    # The presenter

    def open(self, step: Step) -> None:
        """Let the class vote: for the first time, or once more after the results have been revealed."""
        with self._lock:
            poll = self._polls.setdefault(step, _Poll())
            if poll.open or len(poll.rounds) == ROUNDS:
                return
            poll.rounds.append({})
            self._polls.move_to_end(step)
            if len(self._polls) > POLLS:
                self._polls.popitem(last=False)
        self._tell()

    def reveal(self, step: Step) -> None:
        """End the vote and show everybody its result."""
        with self._lock:
            poll = self._polls.get(step)
            if poll is None or not poll.open:
                return
            poll.revealed = len(poll.rounds)
        self._tell()

    def reset(self, step: Step) -> None:
        """Forget all votes on a step; who has seen the result is still known."""
        with self._lock:
            known = self._polls.pop(step, None) is not None
        if known:
            self._tell()

    # Members

    def vote(self, step: Step, voter: str, guess: Guess) -> bool:
        """Count a vote, in the place of the voter's earlier one; return whether it counts.

        It does not where the vote has ended, or the voter has seen the result, by whatever way they came back. The
        voter is a member's random name, which only tells that two votes are one person's.
        """
        with self._lock:
            poll = self._polls.get(step)
            if poll is None or not poll.open or (step, voter) in self._late:
                return False
            votes = poll.rounds[-1]
            if voter not in votes and len(votes) >= VOTERS:
                return False
            votes[voter] = guess
        return True

    def saw(self, step: Step, voter: str) -> None:
        """Note that a member has seen the result of a step."""
        with self._lock:
            self._late.add((step, voter))

    def seen(self, step: Step, voter: str = "") -> Seen:
        """Return the poll of a step as a member sees it: results of votes that have been revealed, and the own vote."""
        with self._lock:
            poll, late = self._polls.get(step), (step, voter) in self._late
            if poll is None:
                return Seen(late=late)
            results = tuple(Counter(votes.values()) for votes in poll.rounds[: poll.revealed])
            return Seen(len(poll.rounds), poll.open, results, poll.rounds[-1].get(voter), late)

    def voted(self) -> int | None:
        """Return how many have voted in the poll that is open; None where none is."""
        with self._lock:
            counts = [len(poll.rounds[-1]) for poll in self._polls.values() if poll.open]
        return counts[-1] if counts else None

    def _tell(self) -> None:
        self.version += 1
        self._changed()


SETTING = "SPARSE_RANK_CLASS"
"""The environment variable that ``serve --class`` sets: ``1`` makes the server that of a class."""
SCRIPT = "/room/room.js"
"""Where the server has the script of a class, which stands in the head of every page."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nobody takes one for another
CODE = 6  # letters: 30 guesses a minute of an address need forty years for half of them
AWAY = 4.0  # seconds without a word of the presenter's tab after which another one may take its place
GONE = 25.0  # seconds without a question after which a follower does not count any more
MOST = 500  # tabs that are counted
COOKIE = "sparse_rank_class"
_ROLES = ("follower", "presenter")
ADDRESS = re.compile(r"[a-z_]{0,40}(\?[!-~]{0,2000})?")


@dataclass(frozen=True)
class Member:
    """Who has come in: a browser, by a random name."""

    name: str
    presents: bool


@dataclass(frozen=True)
class Position:
    """Where the presenter is."""

    address: str = ""  # of the page, below the server's: ``path?method=log``
    # The C at which the presenter's handle stands; None where the page has no handle, or stands between two models.
    c: float | None = None
    held: bool = False  # whether the handle is being moved: then the address is still that of before
    missing: str = ""  # the dataset of the address where only the presenter has it


class Room:
    """The room of a class; all but `polls`, `tickets` and `member` is used on the server's event loop only.

    Parameters
    ----------
    clock : callable
        The time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = "".join(secrets.choice(LETTERS) for _ in range(CODE))  # who knows it can join
        self.key = secrets.token_urlsafe(32)  # the secret of the presenter's link
        self.place: Position | None = None
        self.sequence = 1  # grows whenever something has changed that followers see
        self.tickets = Tickets(COOKIE)  # of its members
        self.polls = Polls(self._changed_elsewhere)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clock = clock
        self._changed = asyncio.Event()
        self._driver, self._heard = "", -math.inf
        self._tabs: OrderedDict[str, tuple[float, bool]] = OrderedDict()

    def changed(self) -> None:
        """Wake all who wait for something new."""
        self.sequence += 1
        before, self._changed = self._changed, asyncio.Event()
        before.set()

    def _changed_elsewhere(self) -> None:
        """The same from the thread of a page."""
        if self._loop is None or self._loop.is_closed():  # nobody waits
            self.sequence += 1
        else:
            self._loop.call_soon_threadsafe(self.changed)

    async def newer_than(self, sequence: int, seconds: float) -> bool:
        """Wait at most so long; return whether there is something newer."""
        self._loop = asyncio.get_running_loop()
        if self.sequence == sequence:
            try:
                await asyncio.wait_for(self._changed.wait(), seconds)
            except TimeoutError:
                return False
        return True

    # Who comes in

    def admit(self, answer: Response, scope: Scope, *, presents: bool) -> None:
        """Make the browser that gets this answer a member."""
        self.tickets.give(answer, scope, f"{_ROLES[presents]}-{secrets.token_hex(8)}")

    def member(self, words: str | None) -> Member | None:
        """Return whom the words of a valid cookie name; None for other words."""
        role, _, name = (words or "").partition("-")
        return Member(name, role == _ROLES[True]) if name else None

    # The presenter

    def drives(self, tab: str, *, claims: bool = False) -> bool:
        """Return whether a tab of the presenter may move the class: one at a time, and one that ``claims`` it may."""
        now = self._clock()
        if tab != self._driver and (claims or now - self._heard > AWAY):
            self._driver = tab
        if tab == self._driver:
            self._heard = now
        return tab == self._driver

    def leaves(self, tab: str) -> None:
        """A tab of the presenter is closed or loaded anew: another one may take its place at once."""
        if tab == self._driver:
            self._heard = -math.inf

    def move(self, place: Position) -> None:
        """Lead everybody there."""
        if place != self.place:
            self.place = place
            self.changed()

    # Followers

    def heard(self, tab: str, *, follows: bool) -> None:
        """Note that a tab has asked, and whether it follows."""
        self._tabs[tab] = self._clock(), follows
        self._tabs.move_to_end(tab)
        if len(self._tabs) > MOST:
            self._tabs.popitem(last=False)

    def counts(self) -> tuple[int, int]:
        """Return how many tabs follow, and how many are on their own."""
        least = self._clock() - GONE
        here = [follows for at, follows in self._tabs.values() if at >= least]
        return sum(here), len(here) - sum(here)

    def told(self) -> dict[str, object]:
        """What every tab is told."""
        place = None if self.place is None else asdict(self.place)
        return {"sequence": self.sequence, "place": place, "polls": self.polls.version}


@Single
def room() -> Room | None:
    """Return the room of this server; None where it is not that of a class."""
    return Room() if os.environ.get(SETTING) == "1" else None
