"""How good the order of the file itself is: what ties, and models that know nothing, would borrow from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure


@dataclass(frozen=True)
class FileOrder:
    """A measure of the documents as they stand in the file, beside all orders of them.

    Attributes
    ----------
    measure : str
    file : float
        Every query's documents in the order of the file: what the official scripts give a model that scores all alike.
    expected : float
        Mean over all orders of the documents; calculated, not drawn.
    """

    measure: str
    file: float
    expected: float


def file_order(data: RankingData, convention: Convention, measure: str) -> FileOrder:
    """Judge the order of the file.

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    measure : str
        ``"MAP"``, ``"NDCG@10"``, ...

    Raises
    ------
    ValueError
        If there is no such measure or convention.
    """
    wanted = Measure.parse(measure)
    alike = JudgedLists(data, convention).rank(np.zeros(data.n_documents))
    return FileOrder(str(wanted), alike.mean(wanted), alike.expected.mean(wanted))
