"""Reader of score files: one score a line, as the LETOR evaluation scripts take them."""

from __future__ import annotations

import math
from array import array
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.file_content import file_label
from core.data.imports.text_file import Place, TextFile
from core.data.numbers import is_number, read_number


def read_scores(path: Path, n_documents: int) -> NDArray[np.float64]:
    """Read one score a line, shape (n_documents,), gzipped or not; blank lines at the end are ignored.

    Raises a `DataError` if a line is not a finite number, or the number of lines is not ``n_documents``.
    """
    label = file_label(path)
    scores, blank = array("d"), 0
    for number, line in TextFile(path, label).lines():
        if not line.strip():
            blank = blank or number
            continue
        shown = "" if blank else line.strip()[:40]
        place = Place(label, blank or number)
        if not is_number(shown and line):
            place.refuse(f"{shown!r} is not a number; a score file has one number a line")
        if not math.isfinite(score := read_number(line)):
            place.refuse(f"the score is {shown}; it must be a finite number")
        scores.append(score)
    if len(scores) != n_documents:
        msg = f"{len(scores)} scores for {n_documents} documents; give one score a line, in the order of the documents"
        raise DataError(msg, file=label)
    return np.array(scores)
