"""Reader of score files: one score a line, as the LETOR evaluation scripts take them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.file_content import file_label
from core.data.imports.text_file import TextFile
from core.data.numbers import read_number


def read_scores(path: Path, n_documents: int) -> NDArray[np.float64]:
    """Read one score a line, shape (n_documents,), gzipped or not; blank lines at the end are ignored.

    Raises
    ------
    DataError
        If the file cannot be read, a line is not a finite number, or the number of lines is not ``n_documents``.
    """
    label = file_label(path)
    scores = np.empty(n_documents)
    n_scores, blank = 0, 0
    for number, line in TextFile(path, label).lines():
        if not line.strip():
            blank = blank or number
            continue
        if blank:
            msg = "'' is not a number; a score file has one number a line"
            raise DataError(msg, file=label, line=blank)
        score = _score(line, number, label)
        if n_scores < n_documents:
            scores[n_scores] = score
        n_scores += 1
    if n_scores != n_documents:
        msg = f"{n_scores} scores for {n_documents} documents; give one score a line, in the order of the documents"
        raise DataError(msg, file=label)
    return scores


def _score(line: str, number: int, label: str) -> float:
    try:
        score = read_number(line)
    except ValueError:
        msg = f"{line.strip()[:40]!r} is not a number; a score file has one number a line"
        raise DataError(msg, file=label, line=number) from None
    if not math.isfinite(score):
        msg = f"the score is {line.strip()[:40]}; it must be a finite number"
        raise DataError(msg, file=label, line=number)
    return score
