"""How work under way is shown to the pages: a copy as of now, which leaves out what only goes on with the work.

Lists that only grow send what is new. What came with the work, such as its data, comes back as the very object that the
pages have.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import FunctionType, GeneratorType
from typing import Any

from core.analysis.evaluation import FoldJudge
from core.analysis.features.stability import SelectionRun
from core.data import Fold, RankingData
from core.methods import METHODS, Fit, Method, Training, get_method
from core.methods.training import LossRecipe
from core.solvers.run import SolverRun
from core.work import Steps
from pages.shared.work.process.excerpt import Excerpt
from pages.shared.work.process.sending import SentExcerpt, recipe_of

GROWING: tuple[tuple[type, str], ...] = ((SolverRun, "trace"), (Steps, "found"), (SelectionRun, "_kept"))
"""Lists to which work only adds, by the class of their owner."""
LASTING = (RankingData, Fold, Training, FoldJudge, Fit)
"""What never changes is sent once for each piece of work."""
_FUNCTIONS = (FunctionType, type(lru_cache(lambda: None)))
_LOSSES = "core.losses."


class Owned:
    """What the process that computes knows by number, and the parts by which work refers to it."""

    def __init__(self) -> None:
        self._objects: dict[int, Any] = {}
        self._parts: dict[int, tuple[int, str]] = {}

    def add(self, number: int, shared: Any) -> None:
        """Keep an object until `forget`."""
        self._objects[number] = shared
        for name in ("", *_PARTS.get(type(shared), ())):
            self._parts.setdefault(id(_part(shared, name)), (number, name))

    def get(self, number: int) -> Any:
        """The object of this number."""
        return self._objects[number]

    def forget(self, number: int) -> None:
        """Nobody needs it any more."""
        shared = self._objects.pop(number)
        for name in ("", *_PARTS.get(type(shared), ())):
            part = id(_part(shared, name))
            if self._parts.get(part) == (number, name):
                del self._parts[part]

    def reference(self, obj: Any) -> tuple[int, str] | None:
        """The number and the name of the part that an object is."""
        return self._parts.get(id(obj))


_PARTS: dict[type, tuple[str, ...]] = {
    RankingData: ("features", "relevance", "query_offsets", "feature_names"),
    Training: ("loss",),
}


def _part(shared: Any, name: str) -> Any:
    return getattr(shared, name) if name else shared


class Showing:
    """Makes the copies of one piece of work, in the process that computes.

    Parameters
    ----------
    owned : Owned
    """

    def __init__(self, owned: Owned) -> None:
        self._owned = owned
        self._lists: dict[int, tuple[int, list[Any], int]] = {}  # by identity: number, list, items sent
        self._lasting: dict[int, tuple[int, Any]] = {}
        self._next = 0

    def copy(self, work: Any) -> bytes:
        """Pickle the work as it stands."""
        file = io.BytesIO()
        pickler = _Pickler(file, self._owned, self)
        pickler.dump(work)
        self._lists = {key: value for key, value in self._lists.items() if key in pickler.seen}
        return file.getvalue()

    def news(self, items: list[Any], seen: dict[int, _News]) -> _News:
        """What is new of a list since the copy before."""
        if id(items) in seen:
            return seen[id(items)]
        number, _, sent = self._lists.get(id(items), (-1, items, 0))
        if number < 0 or sent > len(items):
            number, sent = self._number(), 0
        new = items[sent:]
        self._lists[id(items)] = (number, items, sent + len(new))
        seen[id(items)] = _News(number, sent, new)
        return seen[id(items)]

    def lasting(self, obj: Any) -> tuple[int, bool]:
        """The number of an object that never changes, and whether it has been sent."""
        known = id(obj) in self._lasting
        if not known:
            self._lasting[id(obj)] = (self._number(), obj)
        return self._lasting[id(obj)][0], known

    def _number(self) -> int:
        self._next += 1
        return self._next


class _Reference:
    def __init__(self, number: int, part: str) -> None:
        self.number, self.part = number, part


class _News:
    def __init__(self, number: int, start: int, items: list[Any]) -> None:
        self.number, self.start, self.items = number, start, items


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, owned: Owned, showing: Showing) -> None:
        super().__init__(file, protocol=5)
        self.seen: dict[int, _News] = {}
        self._owned, self._showing = owned, showing

    def reducer_override(self, obj: Any) -> Any:
        known = self._owned.reference(obj)
        if known is not None:
            return Seeing.shared, (_RECEIVER, *known)
        kind = type(obj)
        if kind is _Reference:
            return Seeing.shared, (_RECEIVER, obj.number, obj.part)
        if kind is _News:
            return Seeing.grown, (_RECEIVER, obj.number, obj.start, obj.items)
        if kind is SentExcerpt:
            new, obj.added = obj.added, {}
            return Seeing.excerpt, (_RECEIVER, obj.place, new)
        if kind is Method and (found := _method_id(obj)):
            return get_method, (found,)
        if kind is LossRecipe and (method_id := next((m.id for m in METHODS if m.loss is obj), "")):
            return recipe_of, (method_id,)
        if isinstance(obj, LASTING) or kind.__module__.startswith(_LOSSES):
            number, sent = self._showing.lasting(obj)
            if sent:
                return Seeing.lasting, (_RECEIVER, number)
            return Seeing.begun, (_RECEIVER, number, kind), self._state(obj)
        if kind is GeneratorType or isinstance(obj, Iterator):
            return gone, ()
        if kind in _FUNCTIONS and "<" in obj.__qualname__:
            return gone, ()
        for owner, attribute in GROWING:
            if isinstance(obj, owner):
                state = dict(vars(obj))
                state[attribute] = self._showing.news(state[attribute], self.seen)
                return _empty, (kind,), state
        return NotImplemented

    def _state(self, obj: Any) -> dict[str, Any]:
        """What an object consists of. Names of features come back as those of the data, not as a copy for each fit."""
        state = dict(vars(obj))
        for name, value in state.items():
            if type(value) is tuple and (known := self._owned.reference(value)) is not None:
                state[name] = _Reference(*known)
        return state


def _method_id(method: Method) -> str:
    return method.id if any(one is method for one in METHODS) else ""


def _empty(kind: type[Any]) -> Any:
    return object.__new__(kind)


def gone() -> None:
    """What only goes on with the work: a generator, or a function made for it."""


class Seeing:
    """Makes objects of the copies of one piece of work, in the process of the pages.

    Parameters
    ----------
    known : callable
        From the number of what came with the work to the object.
    excerpts : list of Excerpt
        That came with the work.
    """

    def __init__(self, known: Callable[[int], Any], excerpts: list[Excerpt]) -> None:
        self._known, self._excerpts = known, excerpts
        self._lists: dict[int, list[Any]] = {}
        self._lasting: dict[int, Any] = {}

    def work(self, copy: bytes) -> Any:
        """Return the work as it stood."""
        kept, self._lists = self._lists, {}
        self._before = kept
        return _Unpickler(io.BytesIO(copy), self).load()

    def shared(self, number: int, part: str) -> Any:
        """An object that came with the work, or a part of one."""
        return _part(self._known(number), part)

    def grown(self, number: int, start: int, items: list[Any]) -> list[Any]:
        """A list of which the first items are known."""
        # A list of its own for every copy: pages that look at the one before see it as it was.
        self._lists[number] = [*self._before.get(number, [])[:start], *items]
        return self._lists[number]

    def begun(self, number: int, kind: type[Any]) -> Any:
        """An object that is sent for the first time, still without what it consists of."""
        self._lasting[number] = _empty(kind)
        return self._lasting[number]

    def lasting(self, number: int) -> Any:
        """An object that was sent before."""
        return self._lasting[number]

    def excerpt(self, place: int, new: dict[Any, Any]) -> Excerpt:
        """An excerpt of results, with what has been added to it."""
        found = self._excerpts[place]
        found.update(new)
        return found


class _Receiver:
    """Stands in a copy for the `Seeing` that makes objects of it, which the copy calls by its methods."""

    def __reduce__(self) -> str:
        return "_RECEIVER"


_RECEIVER = _Receiver()


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, receiver: Seeing) -> None:
        super().__init__(file)
        self._receiver = receiver

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (__name__, "_RECEIVER"):
            return self._receiver
        return super().find_class(module, name)
