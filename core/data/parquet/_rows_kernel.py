"""Compiled kernel that turns columns into rows."""

from __future__ import annotations

import numpy as np

from core.kernels import kernel

COLUMNS = 16
"""Columns that `write_columns` takes: one or two cache lines of a row."""


@kernel
def write_columns(columns, rows, first, last):  # type: ignore[no-untyped-def]
    """Write columns into ``rows[:, first : last + 1]``; return whether all their values are finite.

    ``columns`` is a tuple of `COLUMNS` arrays; those beyond ``last`` must be the last one again. They are taken in
    pairs: all at once, LLVM gathers the values of a row into one vector first, which takes up to three times as long.
    """
    zero = rows.dtype.type(0)
    even = odd = zero
    for i in range(rows.shape[0]):
        for k in range(0, len(columns), 2):
            a, b = columns[k][i], columns[k + 1][i]
            rows[i, min(first + k, last)] = a
            rows[i, min(first + k + 1, last)] = b
            even += a * zero  # not a number where a is none or infinite
            odd += b * zero
    return np.isfinite(even + odd)
