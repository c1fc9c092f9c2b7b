"""The votes of a class: one poll for each step of a lesson, in memory, with counts and no names."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

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
