"""The measures and their names: ``MAP``, ``NDCG@10``, ``P@5``, ``MeanNDCG``, ``Top``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_AT_A_CUTOFF = re.compile(r"(NDCG|P)@([1-9][0-9]*)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Measure:
    """One measure of a ranked list; ``str(measure)`` is its name.

    Parameters
    ----------
    kind : {"MAP", "NDCG", "P", "MeanNDCG", "Top"}
        MAP averages the average precision of queries; MeanNDCG averages NDCG over all ranks of a list; Top is the
        share of relevant documents above every irrelevant one.
    cutoff : int, optional
        The k of NDCG@k and P@k, at least 1; None for the measures of the whole list.
    """

    kind: Literal["MAP", "NDCG", "P", "MeanNDCG", "Top"]
    cutoff: int | None = None

    def __str__(self) -> str:
        return self.kind if self.cutoff is None else f"{self.kind}@{self.cutoff}"

    @classmethod
    def parse(cls, name: str) -> Measure:
        """Return the measure with this name, in upper or lower case.

        Raises
        ------
        ValueError
            If no measure has this name.
        """
        match name.upper():
            case "MAP":
                return cls("MAP")
            case "MEANNDCG":
                return cls("MeanNDCG")
            case "TOP":
                return cls("Top")
        found = _AT_A_CUTOFF.fullmatch(name)
        if found is None:
            msg = f"there is no measure {name!r}; there are MAP, MeanNDCG, Top, and NDCG@k and P@k for k = 1, 2, …"
            raise ValueError(msg)
        return cls("P" if found[1].upper() == "P" else "NDCG", int(found[2]))


def measures_at(cutoffs: Iterable[int]) -> tuple[Measure, ...]:
    """List MAP, NDCG and P at every cutoff, MeanNDCG and Top, in this order.

    Raises
    ------
    ValueError
        If a cutoff is below 1.
    """
    ks = tuple(cutoffs)
    if any(k < 1 for k in ks):
        msg = f"cutoffs count ranks from 1, which {min(ks)} does not"
        raise ValueError(msg)
    return (
        Measure("MAP"),
        *(Measure("NDCG", k) for k in ks),
        *(Measure("P", k) for k in ks),
        Measure("MeanNDCG"),
        Measure("Top"),
    )
