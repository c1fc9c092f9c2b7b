"""Quality of the order of the file itself, from which ties and empty models would profit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure


@dataclass(frozen=True)
class FileOrder:
    """A measure of the file's own order, beside its expectation over all orders.

    Attributes
    ----------
    measure : str
    file : float
        What tables print for a constant score: under LETOR's conventions the measure of the order of the file, as the
        official scripts count; under the standard one the mean over all orders.
    expected : float
        The exact mean over all orders of the documents.
    """

    measure: str
    file: float
    expected: float


def file_order(data: RankingData, convention: Convention, measure: str) -> FileOrder:
    """Measure the order of the file.

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
    return FileOrder(str(wanted), alike.official.mean(wanted), alike.mean(wanted))
