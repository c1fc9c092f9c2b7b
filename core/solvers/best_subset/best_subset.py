"""Branch and bound for the best model within a budget of features, with a certified gap at every step."""

import hashlib
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.data.files.disk import usual_mode, whole_file
from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Signed
from core.solvers.base import Certificate, Iterate
from core.solvers.best_subset.looking import Node, Place
from core.solvers.best_subset.space import Point
from core.solvers.best_subset.tree import Reached, Search
from core.solvers.problem import FloatArray, Problem

VERSION = 3
Arrays = dict[str, NDArray[Any]]
Item = TypeVar("Item")

_log = logging.getLogger(__name__)


class KeptSearch:
    """A search and the file where it is kept.

    Parameters
    ----------
    search : Search
        That has not begun.
    """

    def __init__(self, search: Search, file: Path) -> None:
        self.file = file
        self._search, self._name = search, name_of(search)

    def resume(self) -> bool:
        """Put the search where the file left it; False, and nothing else, where there is no such search."""
        arrays = _read(self.file) if self.file.exists() else None
        if arrays is None or str(arrays["problem"]) != self._name:
            return False
        _restore(self._search, arrays)
        return True

    def keep(self) -> None:
        """Write the search, whole or not at all; one that has no tree yet leaves the file as it is.

        Raises an `OSError` if the file cannot be written.
        """
        if len(self._search.curve) < 2:
            return
        arrays = _arrays(self._search) | {"version": np.array(VERSION), "problem": np.array(self._name)}
        with whole_file(self.file, usual_mode()) as stream:
            np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]


class _KeptIfPossible(KeptSearch):
    """A search in a file of a folder that no other problem has; it goes on, or begins anew, whatever befalls that.

    It is kept from its root on: what goes on without some of the first models would not take the same steps.
    """

    def __init__(self, search: Search, folder: Path) -> None:
        super().__init__(search, folder / f"{name_of(search)}.npz")

    def resume(self) -> bool:
        resumed = super().resume()
        if not resumed and self.file.exists():
            _log.warning("The saved search %s is damaged; it starts again.", self.file)
        return resumed

    def keep(self) -> None:
        if self._search.tree.visited == 0:
            return
        try:
            super().keep()
        except OSError as error:
            _say_once(
                f"Searches cannot be saved in {self.file.parent} and start again if they are interrupted: {error}"
            )


@cache
def _say_once(sentence: str) -> None:
    _log.warning(sentence)


def refusal_of(file: Path, problem: Problem) -> str | None:
    """Return None, or one sentence that says why the search in the file cannot go on with this problem."""
    if not file.exists():
        return None
    arrays = _read(file)
    if arrays is None:
        return f"{file.name} does not hold a search of this version; delete it to start again"
    if str(arrays["problem"]) != name_of(Search.begun(problem, 1.0)):
        return f"{file.name} holds the search of another problem: other data, k, lambda or rules for features"
    return None


def name_of(search: Search) -> str:
    """A name that two searches share only if their problems are the same: data, lambda, budget, prices and signs."""
    digest = hashlib.sha256()
    space = search.space
    numbers = np.array([space.budget, space.lam, space.threshold])
    for array in (space.columns, space.costs, space.signs, search.incumbent.at_zero.gradient, numbers):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _restore(search: Search, arrays: Arrays) -> None:
    """Put a search that has not begun where the arrays left it."""
    space, incumbent, tree = search.space, search.incumbent, search.tree
    incumbent.w, incumbent.objective = arrays["incumbent"], float(arrays["objective"])
    incumbent.tol = min(float(arrays["tol"]), incumbent.tol)
    triangles = list(arrays["triangles"])
    places = [
        Place(Point(w, float(loss), gradient, float(slope)), triangles[number])
        for w, gradient, (loss, slope), number in zip(
            arrays["weights"], arrays["gradients"], arrays["losses"], arrays["triangle_of"], strict=True
        )
    ]
    nodes = [
        Node(float(bound), int(serial), inside, free, float(left), places[place])
        for bound, serial, inside, free, left, place in zip(
            *(arrays[name] for name in ("bounds", "serials", "inside", "free", "left", "place_of")), strict=True
        )
    ]
    n_open = int(arrays["n_open"])
    tree.open, tree.waiting = nodes[:n_open], nodes[n_open:]  # a heap stays one
    tree.floor, tree.visited, tree.serial = float(arrays["floor"]), int(arrays["visited"]), int(arrays["serial"])
    tree.rays.gradients, tree.rays.numbers = arrays["ray_gradients"], arrays["ray_numbers"]
    tree.rays.count = int(arrays["ray_count"])
    models = list(arrays["models"])
    search.curve = [
        Reached(float(objective), float(bound), int(nodes), float(passes), models[model], float(seconds))
        for (objective, bound, nodes, passes, seconds), model in zip(arrays["curve"], arrays["model_of"], strict=True)
    ]
    space.passes.total = search.curve[-1].passes


def _arrays(search: Search) -> Arrays:
    nodes = [*search.tree.open, *search.tree.waiting]
    d, tree, incumbent = search.space.n_columns, search.tree, search.incumbent
    places, place_of = _once([node.place for node in nodes])
    triangles, triangle_of = _once([place.triangle for place in places])
    models, model_of = _once([reached.w for reached in search.curve])
    curve = [(p.objective, p.bound, p.nodes, p.passes, p.seconds) for p in search.curve]
    width = (d + 7) // 8
    return {
        "incumbent": incumbent.w,
        "objective": np.array(incumbent.objective),
        "tol": np.array(incumbent.tol),
        "n_open": np.array(len(tree.open)),
        "floor": np.array(tree.floor),
        "visited": np.array(tree.visited),
        "serial": np.array(tree.serial),
        "bounds": np.array([node.bound for node in nodes], dtype=np.float64),
        "serials": np.array([node.serial for node in nodes], dtype=np.int64),
        "inside": np.array([node.inside for node in nodes], dtype=np.uint8).reshape(len(nodes), width),
        "free": np.array([node.free for node in nodes], dtype=np.uint8).reshape(len(nodes), width),
        "left": np.array([node.left for node in nodes], dtype=np.float64),
        "place_of": place_of,
        "weights": np.array([place.point.w for place in places], dtype=np.float64).reshape(len(places), d),
        "gradients": np.array([place.point.gradient for place in places], dtype=np.float64).reshape(len(places), d),
        "losses": np.array([(p.point.loss, p.point.dual_slope) for p in places], dtype=np.float64).reshape(-1, 2),
        "triangle_of": triangle_of,
        "triangles": np.array(triangles, dtype=np.result_type(np.float32, *triangles)).reshape(
            len(triangles), d * (d + 1) // 2
        ),
        "ray_gradients": tree.rays.gradients,
        "ray_numbers": tree.rays.numbers,
        "ray_count": np.array(tree.rays.count),
        "curve": np.array(curve, dtype=np.float64),
        "models": np.array(models, dtype=np.float64),
        "model_of": model_of,
    }


def _once(things: Sequence[Item]) -> tuple[list[Item], NDArray[np.int64]]:
    """Return each thing once, and which of these every one is: many nodes share a place."""
    found = {id(thing): thing for thing in things}
    number = {place: n for n, place in enumerate(found)}
    return list(found.values()), np.array([number[id(thing)] for thing in things], dtype=np.int64)


def _read(file: Path) -> Arrays | None:
    """The arrays of a file, or None if it is damaged or not one of this version."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return arrays if int(arrays["version"]) == VERSION else None
    except Exception:  # whatever a damaged file brings about
        return None


SECONDS_BETWEEN = 10.0  # after which a search is kept again
QUICK = 0.5  # seconds of keeping it; if that takes longer, it is kept less often, so that it takes a twentieth at most


@dataclass(frozen=True)
class BranchAndBound:
    """Best-first branch and bound on the perspective relaxation.

    A step is a round of the search for a first model, or a group of nodes of the tree. The weights are those of the
    best model so far. The gap is its objective minus the lowest bound of all that is left, so it holds at every step.

    Parameters
    ----------
    tol : float
        Relative gap at which a part of the models is left aside; it is refined where that is not enough.
    group : int
        Nodes of a step.
    file : Path, optional
        Where the search is kept, every ten seconds and when it is left. If it is there already, the search goes on
        from it, in whatever process, to the same proof. Steps and seconds are those since then.
    folder : Path, optional
        Where searches are kept like that, each in a file of its own, so that a killed fit that is asked for again has
        the steps and seconds of one that was not killed. A damaged file is ignored, and where nothing can be written
        the search is only not kept; the log says so.
    """

    id: ClassVar[str] = "branch-and-bound"
    title: ClassVar[str] = "branch and bound"
    explanation: ClassVar[str] = (
        "Splits the sets of features into parts and bounds what each part can reach. A part whose bound is above the "
        "best model so far is discarded. When no part is left, that model is proven to be the best. With 200,000 "
        "documents or more, the first model is improved on a sample of the queries; objective and gap are always "
        "those of all."
    )

    tol: float = 1e-5
    group: int = 25
    file: Path | None = None
    folder: Path | None = None

    def accepts(self, problem: Problem) -> str | None:
        penalty = problem.penalty.penalty if isinstance(problem.penalty, Signed) else problem.penalty
        if not isinstance(penalty, L2Budget | L0):
            return "branch and bound is for the ℓ2 penalty within a budget of features, or with a price for each"
        if not isinstance(problem.loss, SquaredHinge):
            return "branch and bound is for RankSVM's squared hinge"
        return refusal_of(self.file, problem) if self.file is not None else None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        begun = time.perf_counter()
        search = Search.begun(problem, self.tol)
        kept = KeptSearch(search, self.file) if self.file is not None else None
        kept = _KeptIfPossible(search, self.folder) if kept is None and self.folder is not None else kept
        if kept is not None and kept.resume():
            yield from self._steps_before(search, problem)
            steps = search.further_steps(self.group)
            begun = time.perf_counter()
        else:
            if not np.isfinite(problem.penalty.value(start)):
                start = np.zeros(problem.n_features)
            steps = search.steps(start[search.space.columns], self.group)
        keeping, last, longest = 0.0, time.monotonic(), 0.0
        try:
            for _ in steps:
                search.curve[-1] = replace(search.curve[-1], seconds=time.perf_counter() - begun - keeping)
                yield replace(_iterate(search, problem, -1), measuring=keeping)
                begun, keeping = time.perf_counter(), 0.0
                if kept is not None and time.monotonic() - last > SECONDS_BETWEEN * max(longest / QUICK, 1.0):
                    kept.keep()
                    keeping, last = time.perf_counter() - begun, time.monotonic()
                    longest = max(keeping, longest)
        except GeneratorExit:  # between two steps: an error within one leaves a tree without what it was looking at
            if kept is not None:
                kept.keep()
            raise
        if kept is not None:
            kept.keep()

    def _steps_before(self, search: Search, problem: Problem) -> Iterator[Iterate]:
        """The steps of a search that was left: all of them with their seconds, or in a file the last one."""
        if self.folder is None:
            yield _iterate(search, problem, -1)
            return
        for place, reached in enumerate(search.curve):
            yield replace(_iterate(search, problem, place), spent=reached.seconds)


def _iterate(search: Search, problem: Problem, place: int) -> Iterate:
    """The step at a place of the curve."""
    now = search.curve[place]
    step = range(len(search.curve))[place]
    return Iterate(
        step=step,
        weights=search.space.spread(now.w),
        objective=now.objective,
        certificate=Certificate.of_bound(now.objective, now.bound, problem.penalty.among),
        passes=now.passes,
        hidden=(now.bound, float(now.nodes), 0.0 if now.nodes else float(step)),
    )
