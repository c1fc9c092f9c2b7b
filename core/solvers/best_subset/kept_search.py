"""A search in a file: plain arrays, with which another process goes on to the same proof."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.solvers.best_subset.nodes import Node, Place
from core.solvers.best_subset.search import Reached, Search
from core.solvers.best_subset.space import Point, Space
from core.solvers.problem import Problem

VERSION = 2
Arrays = dict[str, NDArray[Any]]


def keep(search: Search, file: Path, name: str) -> None:
    """Write a search, whole or not at all; one that has no tree yet leaves the file as it is.

    Parameters
    ----------
    search : Search
    file : Path
    name : str
        `name_of` its problem.
    """
    if len(search.curve) < 2:
        return
    arrays = _arrays(search) | {"version": np.array(VERSION), "problem": np.array(name)}
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with part.open("wb") as stream:
            np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def refusal_of(file: Path, problem: Problem) -> str | None:
    """Return None, or one sentence that says why the search in the file cannot go on with this problem."""
    if not file.exists():
        return None
    arrays = _read(file)
    if arrays is None:
        return f"{file.name} does not hold a search of this version; delete it to begin anew"
    if str(arrays["problem"]) != name_of(problem):
        return f"{file.name} holds the search of another problem: other data, k, lambda or rules for features"
    return None


def resumed(file: Path, problem: Problem, tol: float) -> Search | None:
    """Return the search in the file, or None if there is none."""
    arrays = _read(file) if file.exists() else None
    if arrays is None:
        return None
    search = Search.begun(problem, tol)
    space, incumbent, tree = search.space, search.incumbent, search.tree
    incumbent.w, incumbent.objective = arrays["incumbent"], float(arrays["objective"])
    incumbent.tol = min(float(arrays["tol"]), tol)
    places = _places(space, arrays)
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
    search.curve = [Reached(float(f), float(b), int(n), float(p)) for f, b, n, p in arrays["curve"]]
    space.passes.total = search.curve[-1].passes
    return search


def curve_of(file: Path) -> list[Reached]:
    """Return the convergence curve of the search in a file; empty if there is none."""
    arrays = _read(file) if file.exists() else None
    return [] if arrays is None else [Reached(float(f), float(b), int(n), float(p)) for f, b, n, p in arrays["curve"]]


def name_of(problem: Problem) -> str:
    """A name that two problems share only if they are the same: data, lambda, budget, costs and signs."""
    digest = hashlib.sha256()
    space = Space(problem)
    at_zero = space.at(np.zeros(space.n_columns))
    numbers = (space.columns, space.costs, space.signs, at_zero.gradient, np.array([space.budget, space.lam]))
    for array in numbers:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _arrays(search: Search) -> Arrays:
    nodes = [*search.tree.open, *search.tree.waiting]
    d, tree, incumbent = search.space.n_columns, search.tree, search.incumbent
    places = list({id(node.place): node.place for node in nodes}.values())
    place_number = {id(place): number for number, place in enumerate(places)}
    triangles = list({id(place.triangle): place.triangle for place in places}.values())
    triangle_number = {id(triangle): number for number, triangle in enumerate(triangles)}
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
        "place_of": np.array([place_number[id(node.place)] for node in nodes], dtype=np.int64),
        "weights": np.array([place.point.w for place in places], dtype=np.float64).reshape(len(places), d),
        "gradients": np.array([place.point.gradient for place in places], dtype=np.float64).reshape(len(places), d),
        "losses": np.array([(p.point.loss, p.point.dual_slope) for p in places], dtype=np.float64).reshape(-1, 2),
        "triangle_of": np.array([triangle_number[id(place.triangle)] for place in places], dtype=np.int64),
        "triangles": np.array(triangles, dtype=np.float32).reshape(len(triangles), d * (d + 1) // 2),
        "ray_gradients": tree.rays.gradients,
        "ray_numbers": tree.rays.numbers,
        "ray_count": np.array(tree.rays.count),
        "curve": np.array([(p.objective, p.bound, p.nodes, p.passes) for p in search.curve], dtype=np.float64),
    }


def _places(space: Space, arrays: Arrays) -> list[Place]:
    triangles = list(arrays["triangles"])
    return [
        Place(Point(w, float(loss), gradient, float(slope)), triangles[number])
        for w, gradient, (loss, slope), number in zip(
            arrays["weights"], arrays["gradients"], arrays["losses"], arrays["triangle_of"], strict=True
        )
    ]


def _read(file: Path) -> Arrays | None:
    """The arrays of a file, or None if it is not one of this version."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, EOFError, KeyError, BadZipFile):
        return None
    return arrays if int(arrays.get("version", np.array(0))) == VERSION else None
