"""Warm-up: compile or load every kernel on a toy problem, so that no fit waits for it.

Compiled kernels are cached on disk beside their source; a fresh process still has to load them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from core.data import RankingData
from core.data.letor.letor_format import read_letor
from core.kernels import is_cached, kernel
from core.losses import SquaredHinge
from core.methods import METHODS, Method, Training, get_method
from core.metrics import JudgedLists
from core.solvers import Stop
from core.threads import use_one_blas_thread


def warm_up() -> None:
    """Compile or load every kernel: those of `usual_parts`, of every other solver and of single precision."""
    for _ in usual_parts():
        pass
    for method in METHODS:
        training = _toy_problem(method)
        for solver in method.solvers[1:]:
            method.fit(training, 0.1 * (training.lam_max or 1.0), solver=solver.id, stop=Stop(max_steps=1))
    _read_once(np.float32)


def usual_parts() -> Iterator[None]:
    """Compile or load what pages and most fits use, the most used first; a turn of the iterator each part.

    A file is read, a ranking measured and every method fitted a few steps by its usual solver, all tiny.
    """
    use_one_blas_thread()
    _measure()
    yield
    for method in METHODS:
        training = _toy_problem(method)
        fewest = {parameter.name: parameter.minimum for parameter in method.parameters if parameter.counts}
        method.fit(training, 0.1 * (training.lam_max or 1.0), parameters=fewest, stop=Stop(max_steps=2))
        yield
        if method is METHODS[0]:
            _read_once(np.float64)
            yield
            spaces = b" " * (1 << 20)  # so that the text is read in two parts
            read_letor(b"1 qid:1 1:0.5 #" + spaces + b"\n0 qid:1 1:0.25\n", name="warm-up")
            yield
    _last(0)
    yield


def is_compiled() -> bool:
    """Whether all of `usual_parts` has been compiled before."""
    return is_cached(lambda: _last(0))


@kernel
def _last(number: int) -> int:
    """Return the number: in the cache once all others are."""
    return number


@cache
def warm_up_method(method_id: str, solver: str | None = None) -> None:
    """Load what one solver of a method needs, once: a fit with a time limit is not to pay for it."""
    use_one_blas_thread()
    method = get_method(method_id)
    training = _toy_problem(method)
    method.fit(training, 0.1 * (training.lam_max or 1.0), solver=solver, stop=Stop(max_steps=2))
    _measure()


def _toy_problem(method: Method) -> Training:
    return method.training(_documents())


def _read_once(precision: type[np.floating]) -> None:
    """Evaluate as fits and paths of a large X do."""
    data, columns = _documents(), np.arange(2)
    loss, features = SquaredHinge.of(data), data.features.astype(precision)
    loss.at(features, np.ones(2), columns)
    loss.hessian_at_zero(features, columns)
    loss.at_each(features, np.eye(2))


def _measure() -> None:
    data = _documents()
    JudgedLists(data, "standard").rank(data.features[:, 0]).summary()


@cache
def _documents() -> RankingData:
    features = np.array([[1.0, 0.2], [0.3, 0.9], [0.1, 0.1], [0.8, 0.5], [0.2, 0.7], [0.0, 0.3]])
    return RankingData.build(features, [2, 1, 0, 1, 0, 0], [0, 3, 6])
