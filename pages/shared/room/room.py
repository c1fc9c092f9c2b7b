"""What a class shares while the server runs: where the presenter is, and who follows. It is held in memory only."""

from __future__ import annotations

import asyncio
import math
import os
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass

from starlette.responses import Response
from starlette.types import Scope

from pages.shared.bounded_cache import Single
from pages.shared.room.polls import Polls
from pages.shared.server.tickets import Tickets

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

    Attributes
    ----------
    code : str
        Who knows it can join.
    key : str
        The secret of the presenter's link.
    tickets : Tickets
        The cookies of its members.
    polls : Polls
    sequence : int
        Grows whenever something has changed that followers see.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        self.key = secrets.token_urlsafe(32)
        self.place: Position | None = None
        self.sequence = 1
        self.tickets = Tickets(COOKIE)
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
