"""Who suffers: what a change of the model does to each query, worst first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge

RELEVANT = 1  # the lowest relevance that MAP counts


@dataclass(frozen=True)
class QueryChange:
    """A query under two models.

    Attributes
    ----------
    before, after : float
        A measure of its list.
    """

    query_id: str
    before: float
    after: float
    n_documents: int
    n_relevant: int

    @property
    def change(self) -> float:
        """What the query gains; below 0 where it loses."""
        return self.after - self.before


def query_changes(
    judge: FoldJudge, before: FloatArray, after: FloatArray, part: str, measure: str
) -> tuple[QueryChange, ...]:
    """List the queries of a part, the one that loses most first; equal ones keep the order of the file.

    Ties count as in `model_difference`, so the mean of the changes is the difference that pages quote.

    Parameters
    ----------
    before, after : ndarray, shape (n_features,)
        Weights of two linear models.
    """
    data = judge.fold.parts()[part]
    old, new = (judge.per_query(weights, part, measure) for weights in (before, after))
    sizes = np.diff(data.query_offsets)
    relevant = np.add.reduceat(data.relevance >= RELEVANT, data.query_offsets[:-1], dtype=np.int64)
    return tuple(
        QueryChange(str(data.query_ids[q]), float(old[q]), float(new[q]), int(sizes[q]), int(relevant[q]))
        for q in np.argsort(new - old, kind="stable")
    )
