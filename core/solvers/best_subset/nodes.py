"""The nodes of the search tree, kept small: thousands of them wait at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.solvers.best_subset.relaxation import Part, Relaxed
from core.solvers.best_subset.space import IntArray, Point
from core.solvers.problem import FloatArray

Bits = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Place:
    """Where the relaxation of a node ended; its children begin there and share it.

    Attributes
    ----------
    point : Point
    triangle : ndarray of float32, shape (n_columns * (n_columns + 1) / 2,)
        The lower triangle of a Hessian nearby. Steps are taken by it, and no bound depends on it. It is of float64
        where single precision would overflow.
    """

    point: Point
    triangle: NDArray[np.floating]

    @classmethod
    def of(cls, found: Relaxed) -> Place:
        """Keep the end of a relaxation."""
        triangle = found.hessian[_lower(len(found.hessian))]
        fits = np.abs(triangle).max(initial=0.0) <= np.finfo(np.float32).max
        return cls(found.point, triangle.astype(np.float32) if fits else triangle)

    @property
    def hessian(self) -> FloatArray:
        """The Hessian, shape (n_columns, n_columns)."""
        d = len(self.point.w)
        rows, columns = _lower(d)
        full = np.empty((d, d))
        full[rows, columns] = self.triangle
        full[columns, rows] = self.triangle
        return full


@cache
def _lower(d: int) -> tuple[IntArray, IntArray]:
    return np.tril_indices(d)


@dataclass(order=True)
class Node:
    """A part of the models that has still to be looked at.

    Attributes
    ----------
    bound : float
    serial : int
        Of two nodes with the same bound the older one comes first.
    inside, free : ndarray of uint8
        The features of its part, a bit each.
    left : float
        What is left of the budget for free features.
    place : Place
        Where the relaxation above ended.
    """

    bound: float
    serial: int
    inside: Bits = field(compare=False)
    free: Bits = field(compare=False)
    left: float = field(compare=False)
    place: Place = field(compare=False)

    @classmethod
    def of(cls, bound: float, serial: int, part: Part, place: Place) -> Node:
        """Make the node of a part."""
        d = len(place.point.w)
        return cls(bound, serial, _bits(part.inside, d), _bits(part.free, d), part.left, place)

    @property
    def part(self) -> Part:
        """The models of the node."""
        return Part(_places(self.inside), _places(self.free), self.left)


def _bits(columns: IntArray, d: int) -> Bits:
    present = np.zeros(d, dtype=np.bool_)
    present[columns] = True
    return np.packbits(present)


def _places(bits: Bits) -> IntArray:
    return np.flatnonzero(np.unpackbits(bits))
