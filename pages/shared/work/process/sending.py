"""How work is sent to the process that computes: data and what is derived from it are sent once per process."""

from __future__ import annotations

import io
import pickle
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

import cloudpickle

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.fold_paths import FoldPlan
from core.data import Dataset, Fold, RankingData
from core.methods import METHODS, Method, Training, get_method
from core.methods.training import LossRecipe
from pages.shared.work.process.excerpt import Excerpt

SHARED = (RankingData, Fold, Dataset, Training, FoldJudge, FoldPlan, Method)
"""What is sent once, and kept there until nobody here has it any more. What comes back is the object that is here."""
_RETRIES = 5  # of reading what a page adds a cached value to at this moment
_Cached = type(lru_cache(lambda: None))
Buffers = list[pickle.PickleBuffer]


@dataclass(frozen=True)
class Parcel:
    """A pickle with its large arrays beside it, which are never copied here."""

    content: bytes
    buffers: Buffers


@dataclass
class _Known:
    """Objects of the same content, and the number they have in the other process."""

    number: int
    holders: list[weakref.ref[Any]] = field(default_factory=list)

    @property
    def alive(self) -> Any | None:
        return next((found for ref in list(self.holders) if (found := ref()) is not None), None)


class Registry:
    """The numbers of what one other process knows. Whoever uses it holds its `lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._known: dict[object, _Known] = {}
        self._by_number: dict[int, _Known] = {}
        self._dead: deque[object] = deque()  # written by the garbage collector, on any thread
        self._next = 0

    def number(self, shared: Any, send: Callable[[int, Any], None]) -> int:
        """Return the number of an object, which is sent where it is not known."""
        key = _key(shared)
        known = self._known.get(key)
        if known is None or known.alive is None:
            known = _Known(self._next)
            self._next += 1
            self._hold(known, key, shared)
            try:
                send(known.number, shared)
            except BaseException:
                known.holders.clear()
                raise
            self._known[key] = self._by_number[known.number] = known
        elif all(ref() is not shared for ref in known.holders):
            self._hold(known, key, shared)
        return known.number

    def known(self, number: int) -> Any:
        """Return the object of a number; the computation keeps it alive."""
        return self._by_number[number].alive

    def forgotten(self) -> list[int]:
        """Return the numbers that nobody needs any more, once each."""
        numbers = []
        while self._dead:
            key = self._dead.popleft()
            known = self._known.get(key)
            if known is not None and known.alive is None:
                del self._known[key], self._by_number[known.number]
                numbers.append(known.number)
        return numbers

    def _hold(self, known: _Known, key: object, shared: Any) -> None:
        known.holders = [ref for ref in known.holders if ref() is not None]
        known.holders.append(weakref.ref(shared, lambda _: self._dead.append(key)))


def _key(shared: Any) -> object:
    return shared.fingerprint if isinstance(shared, RankingData) else id(shared)


class _Packer(cloudpickle.Pickler):  # type: ignore[misc]
    """Replaces what is shared by its number."""

    def __init__(self, file: io.BytesIO, number: Callable[[Any], int], root: Any, buffers: Buffers) -> None:
        super().__init__(file, protocol=5, buffer_callback=buffers.append)
        self.excerpts: list[Excerpt] = []
        self._number, self._root = number, root

    def persistent_id(self, obj: Any) -> int | None:
        if not isinstance(obj, SHARED) or obj is self._root or (isinstance(obj, Method) and _registered(obj)):
            return None
        return self._number(obj)

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind is Method and _registered(obj):
            return get_method, (obj.id,)
        if kind is LossRecipe and (owner := _recipe_owner(obj)) is not None:
            return recipe_of, (owner,)
        if kind is RankingData:
            return rebuilt_data, ({one.name: getattr(obj, one.name) for one in fields(obj)}, obj.fingerprint)
        if kind is FoldJudge:
            return FoldJudge, (obj.fold, obj.convention)
        if kind is Training:  # without what has been kept of it: that is computed where it is needed
            known = {"lam_max": obj.lam_max} if "lam_max" in vars(obj) else {}
            return rebuilt_training, (obj.data, obj.loss, obj.recipe, obj.convention, known)
        if kind is Excerpt:
            if not any(one is obj for one in self.excerpts):
                self.excerpts.append(obj)
            place = next(k for k, one in enumerate(self.excerpts) if one is obj)
            return rebuilt_excerpt, (place, obj.known(), obj.wanted)
        if kind is _Cached and "<locals>" in obj.__qualname__:
            return rebuilt_cache, (obj.__wrapped__, obj.cache_parameters())
        return super().reducer_override(obj)


class Packing:
    """What is needed to send one piece of work.

    Parameters
    ----------
    registry : Registry
    send : callable
        Takes the number of an object that is shared and its `Parcel`.

    Attributes
    ----------
    held : list
        What is shared and must stay alive as long as the work does.
    excerpts : list of Excerpt
        In the order in which the work counts them.
    """

    def __init__(self, registry: Registry, send: Callable[[int, Parcel], None]) -> None:
        self.held: list[Any] = []
        self.excerpts: list[Excerpt] = []
        self._registry, self._send = registry, send

    def parcel(self, work: Any) -> Parcel:
        """Pickle the work; what it shares is sent first."""
        parcel, self.excerpts = self._packed(work)
        return parcel

    def _number(self, shared: Any) -> int:
        if not any(one is shared for one in self.held):
            self.held.append(shared)
        return self._registry.number(shared, lambda number, obj: self._send(number, self._packed(obj)[0]))

    def _packed(self, root: Any) -> tuple[Parcel, list[Excerpt]]:
        for attempt in range(_RETRIES):
            file, buffers = io.BytesIO(), Buffers()
            packer = _Packer(file, self._number, root, buffers)
            try:
                packer.dump(root)
            except RuntimeError as error:  # pages go on adding cached values to what they share with the work
                if "changed size" not in str(error) or attempt == _RETRIES - 1:
                    raise
                continue
            return Parcel(file.getvalue(), buffers), packer.excerpts
        raise AssertionError


class Unpacker(pickle.Unpickler):
    """Makes work of a parcel, in the process that computes."""

    def __init__(self, content: bytes, buffers: Iterator[Any], shared: Callable[[int], Any]) -> None:
        super().__init__(io.BytesIO(content), buffers=buffers)
        self._shared = shared

    def persistent_load(self, number: Any) -> Any:
        return self._shared(number)


class SentExcerpt(Excerpt):
    """An excerpt in the process that computes.

    Attributes
    ----------
    place : int
        Among the excerpts of its work.
    added : dict
        What has been added since it was emptied last.
    """

    def __init__(self, place: int, known: dict[Any, Any], wanted: tuple[Any, ...]) -> None:
        super().__init__(known, wanted)
        self.place = place
        self.added: dict[Any, Any] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.added[key] = value


rebuilt_excerpt = SentExcerpt


def rebuilt_data(parts: dict[str, Any], fingerprint: str) -> RankingData:
    """Make data that was sent; its fingerprint need not be computed again."""
    data = RankingData(**parts)
    vars(data)["fingerprint"] = fingerprint
    return data


def rebuilt_training(
    data: RankingData, loss: Any, recipe: LossRecipe, convention: Any, known: dict[str, Any]
) -> Training:
    """Make training data that was sent, with those of its cached values that were known."""
    training = Training(data, loss, recipe, convention)
    vars(training).update(known)
    return training


def rebuilt_cache(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    """Make a function that remembers its results; it begins without any."""
    remembering: Callable[..., Any] = lru_cache(**settings)(function)
    return remembering


def recipe_of(method_id: str) -> LossRecipe:
    """Return the recipe of a method's loss: there is one of each, and the program compares them by identity."""
    return get_method(method_id).loss


def _recipe_owner(recipe: LossRecipe) -> str | None:
    return next((method.id for method in METHODS if method.loss is recipe), None)


def _registered(method: Method) -> bool:
    return any(one is method for one in METHODS)
