"""How far every method is from the best possible: excess of the objective and overlap of the features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.best_subset.refitted_sets import RefittedSet
from core.analysis.best_subset.yardstick import CertifiedSubset
from core.metrics.equal_values import rounded


@dataclass(frozen=True, eq=False)
class Excess:
    """A method's best set of at most k features beside the certified one.

    Attributes
    ----------
    method : str
    k : int
    found : RefittedSet
        Of the sets of at most k features that the method keeps, that with the lowest objective after the refit.
    excess : float
        Its objective over that of the best known set, minus 1; at least 0.
    at_most : float
        The same over the bound: as large as the excess can be.
    shared : int
        Features that both sets have.
    """

    method: str
    k: int
    found: RefittedSet
    excess: float
    at_most: float
    shared: int


def best_set(sets: Iterable[RefittedSet], k: int) -> RefittedSet | None:
    """Return the set of at most k features with the lowest objective, among equals the smallest; None without one."""
    small = [found for found in sets if found.kept <= k]
    return min(small, key=lambda found: (rounded(found.objective), found.kept), default=None)


def excesses(rows: Sequence[CertifiedSubset], sets: Mapping[str, Sequence[RefittedSet]]) -> list[Excess]:
    """Compare every method with every row, as far as it keeps so few features; methods in their order.

    Parameters
    ----------
    rows : sequence of CertifiedSubset
        From `best_known` with the same sets, so that none of them is better.
    sets : mapping
        By method.
    """
    compared = []
    for method, own in sets.items():
        for row in rows:
            found = best_set(own, row.k)
            if found is not None:
                shared = len(set(found.columns) & set(row.columns))
                excess = max(found.objective / row.objective - 1.0, 0.0)
                at_most = max(found.objective / row.bound - 1.0, excess) if row.bound > 0.0 else float("inf")
                compared.append(Excess(method, row.k, found, excess, at_most, shared))
    return compared
