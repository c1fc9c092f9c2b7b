"""How work is pickled on its way to the process that computes, and its snapshots on their way back.

Functions go by `cloudpickle`, snapshots by the ordinary pickle. `copyreg` knows how objects are pickled that are sent
once, or that only work under way needs; outside `referring` all but methods and their recipes are pickled as ever.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from typing import Any

import cloudpickle

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.fold_paths import FoldPlan
from core.data import RankingData
from core.experiments.papers.folds import FoldRef
from core.methods import METHODS, Fit, Method, Training, get_method
from core.methods.training import LossRecipe
from core.penalties import Penalty
from core.solvers import Problem
from pages.shared.work.process.excerpt import Excerpt, SentExcerpt
from pages.shared.work.process.references import SHARED, References, current, referring

_RETRIES = 5  # of reading what a page adds a cached value to at this moment
_Cached = type(lru_cache(lambda: None))
Buffers = list[pickle.PickleBuffer]


@dataclass(frozen=True)
class Parcel:
    """A pickle with its large arrays beside it, which are never copied here."""

    content: bytes
    buffers: Buffers


def parcel(work: Callable[[], Any], objects: dict[str, Any]) -> Parcel:
    """Pickle a function that makes work; what it shares is added to the objects."""
    for attempt in range(_RETRIES):
        buffers: Buffers = []
        try:
            with referring(References(objects, growing=True)):
                return Parcel(cloudpickle.dumps(work, protocol=5, buffer_callback=buffers.append), buffers)
        except RuntimeError as error:  # pages go on adding cached values to what they share with the work
            if "changed size" not in str(error) or attempt == _RETRIES - 1:
                raise
    raise AssertionError


def maker_of(shared: Any) -> Callable[[], Any]:
    """Return a function that makes an equal object in the process that computes."""
    if isinstance(shared, RankingData):
        parts = {one.name: getattr(shared, one.name) for one in fields(shared)}
        return partial(_data, parts, shared.fingerprint)
    if isinstance(shared, FoldJudge):
        return partial(FoldJudge, shared.fold, shared.convention)
    # Without what has been kept of it: that is computed where it is needed.
    settings = {name: getattr(shared.loss, name) for name in shared.recipe.parameters}
    lam_max = shared.lam_max if shared.knows_lam_max else None
    return partial(_training, shared.data, shared.recipe, settings, shared.convention, shared.counted_terms, lam_max)


def loaded(content: bytes, objects: dict[str, Any], buffers: Sequence[Any] = ()) -> Any:
    """Unpickle what refers to these objects."""
    with referring(References(objects, growing=False)):
        return pickle.loads(content, buffers=buffers)


def pickled(shown: Any, objects: dict[str, Any]) -> bytes:
    """Pickle what is read where these objects are known."""
    with referring(References(objects, growing=False)):
        return pickle.dumps(shown, protocol=5)


def _pickled_shared(shared: Any) -> Any:
    references = current()
    key = None if references is None else references.key(shared)
    return object.__reduce_ex__(shared, 5) if key is None else (_shared, (key,))


def _shared(key: str) -> Any:
    references = current()
    assert references is not None, "it was pickled by its key"
    return references.objects[key]


def _pickled_problem(problem: Problem) -> Any:
    """A problem of known training data refers to it: features and loss are large."""
    references = current()
    for training in () if references is None else references.of_kind(Training):
        if training.loss is problem.loss and training.features is problem.features:
            return _problem, (training, problem.penalty, problem.lam)
    return object.__reduce_ex__(problem, 5)


def _pickled_fit(fit: Fit) -> Any:
    """A fit of known data has that data's feature names, not a copy of its own."""
    references = current()
    for data in () if references is None else references.of_kind(RankingData):
        if data.feature_names is fit.feature_names:
            return _fit, (data, {**vars(fit), "feature_names": None})
    return object.__reduce_ex__(fit, 5)


def _pickled_excerpt(excerpt: Excerpt) -> Any:
    references = current()
    if references is None:
        return object.__reduce_ex__(excerpt, 5)
    return SentExcerpt, (references.key(excerpt), excerpt.known(), excerpt.wanted)


def _pickled_sent_excerpt(excerpt: SentExcerpt) -> Any:
    new, excerpt.added = excerpt.added, {}
    return _added, (excerpt.key, new)


def _without(opener: str) -> Callable[[Any], Any]:
    """Pickle an object that can open a fold without its data; the page never opens it."""

    def pickled(obj: Any) -> Any:
        references = current()
        if references is None or references.growing:
            return object.__reduce_ex__(obj, 5)
        return _made_of, (type(obj), {**vars(obj), opener: _no_fold_here})

    return pickled


def _made_of(kind: type[Any], parts: dict[str, Any]) -> Any:
    return kind(**parts)


def _no_fold_here() -> Any:
    msg = "only work under way opens folds"
    raise RuntimeError(msg)


def _pickled_method(method: Method) -> Any:
    """There is one of each registered method, and the program compares them by identity; so with recipes."""
    if any(one is method for one in METHODS):
        return get_method, (method.id,)
    return object.__reduce_ex__(method, 5)


def _pickled_recipe(recipe: LossRecipe) -> Any:
    owner = next((method.id for method in METHODS if method.loss is recipe), None)
    return object.__reduce_ex__(recipe, 5) if owner is None else (_recipe, (owner,))


def _pickled_cache(function: Any) -> Any:
    """A function that remembers its results begins without any; one of a module is found by its name."""
    if "<locals>" not in function.__qualname__:
        return function.__qualname__
    return _remembering, (function.__wrapped__, function.cache_parameters())


def _added(key: str, new: dict[Any, Any]) -> Excerpt:
    excerpt: Excerpt = _shared(key)
    excerpt.update(new)
    return excerpt


def _data(parts: dict[str, Any], fingerprint: str) -> RankingData:
    data = RankingData(**parts)
    vars(data)["fingerprint"] = fingerprint  # it need not be computed again
    return data


def _training(
    data: RankingData,
    recipe: LossRecipe,
    settings: dict[str, float],
    convention: Any,
    counted_terms: int | None,
    lam_max: float | None,
) -> Training:
    training = Training(
        data=data, loss=recipe.make(data, settings), recipe=recipe, convention=convention, counted_terms=counted_terms
    )
    if lam_max is not None:
        vars(training)["lam_max"] = lam_max
    return training


def _problem(training: Training, penalty: Penalty, lam: float) -> Problem:
    return training.problem(penalty, lam)


def _fit(data: RankingData, parts: dict[str, Any]) -> Fit:
    return Fit(**{**parts, "feature_names": data.feature_names})


def _recipe(method_id: str) -> LossRecipe:
    return get_method(method_id).loss


def _remembering(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    remembering: Callable[..., Any] = lru_cache(**settings)(function)
    return remembering


for _type, _how in (
    *((shared, _pickled_shared) for shared in SHARED),
    (Problem, _pickled_problem),
    (Fit, _pickled_fit),
    (Excerpt, _pickled_excerpt),
    (SentExcerpt, _pickled_sent_excerpt),
    (FoldPlan, _without("open")),
    (FoldRef, _without("opener")),
    (Method, _pickled_method),
    (LossRecipe, _pickled_recipe),
    (_Cached, _pickled_cache),
):
    copyreg.pickle(_type, _how)  # type: ignore[arg-type]
