"""How work under way is shown to the pages: a snapshot as of now, of whose growing lists only what is new is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.work import Snapshots
from pages.shared.work.process.pickling import loaded, pickled

News = dict[str, tuple[int, Sequence[Any]]]
"""What is new of a list, by its name: the place where it begins, and the items."""


class Showing:
    """Makes the copies of one piece of work, in the process that computes.

    Parameters
    ----------
    shared : dict
        What the work refers to, by key: the pages have it, too.
    """

    def __init__(self, shared: dict[str, Any]) -> None:
        self._shared = shared
        self._sent: dict[str, int] = {}

    def copy(self, work: Snapshots) -> bytes:
        """Pickle the work as it stands."""
        news: News = {}
        for name, items in work.growing().items():
            start = min(self._sent.get(name, 0), len(items))
            news[name] = (start, items[start:])
        shown = work.snapshot().with_lists({name: [] for name in news})
        content = pickled((shown, news), self._shared)
        self._sent = {name: start + len(items) for name, (start, items) in news.items()}
        return content


@dataclass
class Seeing:
    """Makes snapshots of these copies, in the process of the pages.

    Attributes
    ----------
    shared : dict
        What the work refers to, by key.
    """

    shared: dict[str, Any]

    def __post_init__(self) -> None:
        self._lists: dict[str, list[Any]] = {}

    def work(self, copy: bytes) -> Any:
        """Return the work as it stood."""
        shown, news = loaded(copy, self.shared)
        # Lists of its own for every snapshot: pages that look at the one before see it as it was.
        self._lists = {name: [*self._lists.get(name, [])[:start], *items] for name, (start, items) in news.items()}
        return shown.with_lists(self._lists)
