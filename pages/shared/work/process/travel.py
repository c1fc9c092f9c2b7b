"""What goes to the process that computes, and what comes back: pickles in which a key stands for what both have.

Data and what is made of it goes there once: its key is the digest of its content. Work goes there as a value: a
function or class of a module with what it takes, in plain values. A snapshot comes back, and of its growing lists only
what is new.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from core.analysis.evaluation import FoldJudge
from core.data import RankingData
from core.methods import METHODS, Training, get_method
from core.methods.training import LossRecipe
from core.work import Growing, Snapshots

SHARED = (RankingData, Training, FoldJudge)
"""Types whose objects are sent once for each process, and known there by the fingerprint of their content."""
_PARTS = {RankingData: ("features", "feature_names"), Training: ("loss", "features", "units")}
"""What other objects may have of them: it is not sent a second time."""
_OWN = {id(one.loss): (one.id, "loss") for one in METHODS} | {id(one): (one.id, "") for one in METHODS}
"""There is one of each registered method and of each recipe, and the program compares them by identity."""
_RETRIES = 5  # of reading what a page adds a cached value to at this moment


@dataclass(frozen=True)
class Parcel:
    """A pickle with its large arrays beside it, which are never copied here."""

    content: bytes
    buffers: list[pickle.PickleBuffer]


def key_of(shared: Any) -> str:
    """Return the key of an object: equal for equal content."""
    return f"{type(shared).__name__} {shared.fingerprint}"


def parcel(work: Callable[[], Any], shared: dict[str, Any]) -> Parcel:
    """Pickle what makes work; what it shares is added by its keys, each object after its parts.

    Raises
    ------
    AttributeError, TypeError, pickle.PicklingError
        If it holds something that cannot be sent, such as a function that is made at every call.
    """
    for attempt in range(_RETRIES):
        file, buffers = io.BytesIO(), list[pickle.PickleBuffer]()
        try:
            _Writer(file, shared, buffers.append).dump(work)
            return Parcel(file.getvalue(), buffers)
        except RuntimeError as error:  # pages go on adding cached values to what they share with the work
            if "changed size" not in str(error) or attempt == _RETRIES - 1:
                raise
    raise AssertionError


def maker_of(shared: Any) -> Callable[[], Any]:
    """Return a function that makes an equal object in the process that computes.

    It is without what has been kept of it: that is computed where it is needed.
    """
    if isinstance(shared, RankingData):
        parts = {one.name: getattr(shared, one.name) for one in fields(shared)}
        return partial(_with, RankingData, parts, {"fingerprint": shared.fingerprint})
    if isinstance(shared, FoldJudge):
        return partial(FoldJudge, shared.fold, shared.convention)
    settings = {name: getattr(shared.loss, name) for name in shared.recipe.parameters}
    known = {"lam_max": shared.lam_max} if shared.knows_lam_max else {}
    return partial(_training, shared.data, shared.recipe, settings, shared.convention, shared.counted_terms, known)


def loaded(content: bytes, shared: dict[str, Any], buffers: Sequence[Any] = ()) -> Any:
    """Unpickle what refers to these objects."""
    return _Reader(content, shared, buffers).load()


@dataclass
class Showing:
    """Makes the copies of one piece of work, in the process that computes."""

    shared: dict[str, Any]  # what the work refers to, by key: the pages have it, too
    _sent: dict[int, tuple[Growing[Any], int, Any]] = field(default_factory=dict)

    def copy(self, work: Snapshots) -> bytes:
        """Pickle the work as it stands."""
        file, grown = io.BytesIO(), dict[int, tuple[Growing[Any], int, Any]]()

        def news(items: Growing[Any]) -> tuple[int, int, list[Any]]:
            grown[id(items)] = items, len(items), items[-1] if items else None  # ids hold as long as their lists do
            _, start, last = self._sent.get(id(items), (items, 0, None))
            start -= start > 0 and items[start - 1] is not last  # the end of a fit replaces its last point
            return id(items), start, items[start:]

        _Writer(file, self.shared, news=news).dump(work)
        self._sent = grown
        return file.getvalue()


@dataclass
class Seeing:
    """Makes snapshots of these copies, in the process of the pages."""

    shared: dict[str, Any]
    _lists: dict[int, Growing[Any]] = field(default_factory=dict)

    def work(self, copy: bytes) -> Any:
        """Return the work as it stood."""
        known, self._lists = self._lists, {}
        return _Reader(copy, self.shared, (), partial(self._grown, known)).load()

    def _grown(self, known: dict[int, Growing[Any]], name: int, start: int, news: list[Any]) -> Growing[Any]:
        """Return a list with its news, one of its own: pages that look at the snapshot before see it as it was."""
        found = self._lists[name] = Growing([*known.get(name, [])[:start], *news])
        return found


class _Writer(pickle.Pickler):
    """Writes keys in place of objects that both processes have, and of their parts.

    Where buffers are taken, objects of shared types that are new to ``shared`` are added to it, as they are sent, too.
    """

    def __init__(
        self,
        file: io.BytesIO,
        shared: dict[str, Any],
        buffers: Callable[[pickle.PickleBuffer], None] | None = None,
        news: Callable[[Growing[Any]], tuple[int, int, list[Any]]] | None = None,
    ) -> None:
        super().__init__(file, protocol=5, buffer_callback=buffers)
        self._shared, self._adds, self._ids, self._news = shared, buffers is not None, dict(_OWN), news
        for key, one in shared.items():
            self._know(key, one)

    def persistent_id(self, obj: Any) -> tuple[Any, ...] | None:
        """Key of the object that has it, and the name that it has there; None for what is written as it is.

        Of a list that grows: which it is, and what is new of it.
        """
        if self._news is not None and type(obj) is Growing:
            return self._news(obj)
        known = self._ids.get(id(obj))
        if known is not None or type(obj) not in SHARED:
            return known
        key = key_of(obj)
        if key not in self._shared:
            if not self._adds:
                return None
            for part in _parts(obj):
                self.persistent_id(part)
            self._shared[key] = obj  # ids hold as long as their objects do: only of those kept here
            self._know(key, obj)
        return key, ""

    def _know(self, key: str, one: Any) -> None:
        for name in _PARTS.get(type(one), ()):
            part = vars(one).get(name)
            if part is not None:
                self._ids.setdefault(id(part), (key, name))
        self._ids[id(one)] = key, ""


class _Reader(pickle.Unpickler):
    def __init__(
        self, content: bytes, shared: dict[str, Any], buffers: Sequence[Any], grown: Callable[..., Any] | None = None
    ) -> None:
        super().__init__(io.BytesIO(content), buffers=buffers)
        self._shared, self._grown = shared, grown

    def persistent_load(self, pid: tuple[Any, ...]) -> Any:
        if self._grown is not None and len(pid) == 3:
            return self._grown(*pid)
        key, part = pid
        one: Any = self._shared[key] if key in self._shared else get_method(key)
        return getattr(one, part) if part else one


def _parts(shared: Any) -> Iterable[RankingData]:
    if isinstance(shared, FoldJudge):
        return shared.fold.parts().values()
    return (shared.data,) if isinstance(shared, Training) else ()


def _with(kind: type[Any], parts: dict[str, Any], known: dict[str, Any]) -> Any:
    """An object of which some properties need not be computed again."""
    made = kind(**parts)
    vars(made).update(known)
    return made


def _training(
    data: RankingData, recipe: LossRecipe, settings: dict[str, float], convention: Any, terms: int | None,
    known: dict[str, Any],
) -> Training:  # fmt: skip
    loss = recipe.make(data, settings)
    parts = {"data": data, "loss": loss, "recipe": recipe, "convention": convention, "counted_terms": terms}
    made: Training = _with(Training, parts, known)
    return made
