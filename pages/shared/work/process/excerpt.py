"""Results that work may read and adds to, wherever it is computed."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pages.shared.cache import Results


class Excerpt(MutableMapping[Any, Any]):
    """All results of a kind, of which work in another process takes along only some.

    Parameters
    ----------
    every : Results or mutable mapping
        What is read and added to.
    keys : iterable of hashable
        Those that the work may ask for.

    Attributes
    ----------
    key : str
        Tells it apart from other excerpts.
    wanted : tuple of hashable
        Those keys.
    """

    _numbers = itertools.count()

    def __init__(self, every: Results | MutableMapping[Any, Any], keys: Iterable[Any]) -> None:
        self.key = f"excerpt {next(self._numbers)}"
        self.wanted = tuple(keys)
        self._every = every

    def __getitem__(self, key: Hashable) -> Any:
        return self._every[key]

    def __setitem__(self, key: Hashable, value: Any) -> None:
        self._every[key] = value

    def __delitem__(self, key: Hashable) -> None:
        msg = "work adds to what is known, and takes nothing back"
        raise TypeError(msg)

    def __contains__(self, key: object) -> bool:
        return key in self._every

    def __iter__(self) -> Iterator[Any]:
        return iter(self.known())

    def __len__(self) -> int:
        return len(self.known())

    def known(self) -> dict[Any, Any]:
        """Return what is known of the wanted."""
        return {key: found for key in self.wanted if (found := self._every.get(key)) is not None}


class SentExcerpt(Excerpt):
    """An excerpt in the process that computes.

    Attributes
    ----------
    added : dict
        What has been added since it was emptied last.
    """

    def __init__(self, key: str, known: dict[Any, Any], wanted: tuple[Any, ...]) -> None:
        super().__init__(known, wanted)
        self.key = key
        self.added: dict[Any, Any] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.added[key] = value
