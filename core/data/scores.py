"""Reader of score files: one score a line, as the LETOR evaluation scripts take them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.file_content import file_label, read_content


def read_scores(path: Path, n_documents: int) -> NDArray[np.float64]:
    """Read one score a line, shape (n_documents,), gzipped or not; blank lines at the end are ignored.

    Raises
    ------
    DataError
        If the file cannot be read, a line is not a finite number, or the number of lines is not ``n_documents``.
    """
    label = file_label(path)
    lines = read_content(path, label).decode("utf-8", errors="replace").rstrip().split("\n")
    scores = np.empty(len(lines))
    for number, line in enumerate(lines, start=1):
        try:
            scores[number - 1] = float(line)
        except ValueError:
            msg = f"{line.strip()[:40]!r} is not a number; a score file has one number a line"
            raise DataError(msg, file=label, line=number) from None
        if not np.isfinite(scores[number - 1]):
            msg = f"the score is {line.strip()}; it must be a finite number"
            raise DataError(msg, file=label, line=number)
    if len(lines) != n_documents:
        msg = f"{len(lines)} scores for {n_documents} documents; give one score a line, in the order of the documents"
        raise DataError(msg, file=label)
    return scores
