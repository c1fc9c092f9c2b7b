"""Scores of documents from a text file, one a line, as the LETOR evaluation scripts take them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError


def read_scores(path: Path, n_documents: int) -> NDArray[np.float64]:
    """Read one score a line, shape (n_documents,). Blank lines at the end are ignored.

    Raises
    ------
    DataError
        If a line is not a finite number, or there is not one line a document.
    """
    try:
        lines = path.read_text(encoding="utf-8").rstrip().splitlines()
    except FileNotFoundError:
        msg = "there is no such file of scores"
        raise DataError(msg, file=path.name) from None
    except (UnicodeDecodeError, OSError):
        msg = "cannot be read as text; a score file has one number a line"
        raise DataError(msg, file=path.name) from None
    scores = np.empty(len(lines))
    for number, line in enumerate(lines, start=1):
        try:
            scores[number - 1] = float(line)
        except ValueError:
            msg = f"{line.strip()[:40]!r} is not a number; a score file has one number a line"
            raise DataError(msg, file=path.name, line=number) from None
        if not np.isfinite(scores[number - 1]):
            msg = "a score must be finite"
            raise DataError(msg, file=path.name, line=number)
    if len(lines) != n_documents:
        msg = f"{len(lines)} scores for {n_documents} documents; give one score a line, in the order of the documents"
        raise DataError(msg, file=path.name)
    return scores
