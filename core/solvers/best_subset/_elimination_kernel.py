"""Compiled step of an elimination: the inverse of a matrix without one of its rows and columns."""

from __future__ import annotations

from core.kernels import kernel


@kernel
def without_feature(inverse, left, j):  # type: ignore[no-untyped-def]
    """Change the inverse of a matrix into that of the matrix without row and column j, in place.

    Parameters
    ----------
    inverse : ndarray of float64, shape (d, d)
    left : ndarray of bool, shape (d,)
        The rows and columns that are left beside j; no others are looked at.
    j : int
    """
    pivot = inverse[j, j]
    for i in range(len(left)):
        if left[i]:
            for k in range(len(left)):
                if left[k]:
                    inverse[i, k] -= inverse[i, j] * inverse[j, k] / pivot
