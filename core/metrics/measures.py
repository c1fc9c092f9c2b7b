"""The measures and their names: ``MAP``, ``NDCG@10``, ``P@5``, ``R@5``, ``RR``, ``ERR@10``, ``MeanNDCG``, ``Top``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from core.data import Convention, RankingData

Kind = Literal["MAP", "NDCG", "P", "R", "RR", "ERR", "MeanNDCG", "Top"]
MeasureName = Literal["NDCG@10", "MAP", "Top"]
"""The measures by which models, and features alone, are compared."""
_NAMES: dict[str, Kind] = {
    "MAP": "MAP",
    "AP": "MAP",
    "NDCG": "NDCG",
    "P": "P",
    "R": "R",
    "RECALL": "R",
    "RR": "RR",
    "MRR": "RR",
    "ERR": "ERR",
    "MEANNDCG": "MeanNDCG",
    "TOP": "Top",
}
"""Kinds by the names that people use, in capitals."""
_WITH_CUTOFF, _WITHOUT = ("NDCG", "P", "R", "ERR"), ("MAP", "RR", "ERR", "MeanNDCG", "Top")
_BY_RELEVANCE = ("MAP", "P", "R", "RR", "Top")
"""Kinds that only ask whether a document is relevant."""
_NAME = re.compile(r"([A-Za-z]+)(?:\(rel=([1-9][0-9]?)\))?(?:@([1-9][0-9]*))?", re.ASCII)


@dataclass(frozen=True)
class Measure:
    """One measure of a ranked list; ``str(measure)`` is its name.

    Parameters
    ----------
    kind : {"MAP", "NDCG", "P", "R", "RR", "ERR", "MeanNDCG", "Top"}
        MAP averages the average precision of queries; R is the recall; RR is 1 over the rank of the first relevant
        document (its mean is MRR); ERR is the expected reciprocal rank; MeanNDCG averages NDCG over all ranks of a
        list; Top is the share of relevant documents above every irrelevant one.
    cutoff : int, optional
        The k of NDCG@k, P@k, R@k and ERR@k, at least 1; None for the measures of the whole list.
    rel : int
        The grade from which on a document counts as relevant, for MAP, P, R, RR and Top; written as in ir_measures,
        ``MAP(rel=4)`` and ``P(rel=2)@10``.
    """

    kind: Kind
    cutoff: int | None = None
    rel: int = 1

    def __str__(self) -> str:
        called = self.kind if self.rel == 1 else f"{self.kind}(rel={self.rel})"
        return called if self.cutoff is None else f"{called}@{self.cutoff}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the measure with this name, in upper or lower case; AP, MRR and Recall@k are names, too.

        Raises a `ValueError` if no measure has this name.
        """
        found = _NAME.fullmatch(name)
        kind = None if found is None else _NAMES.get(found[1].upper())
        if (
            found is None
            or kind is None
            or kind not in (_WITHOUT if found[3] is None else _WITH_CUTOFF)
            or (found[2] is not None and kind not in _BY_RELEVANCE)
        ):
            msg = (
                f"there is no measure {name!r}; choose one of {', '.join(_WITHOUT)}, and "
                f"{', '.join(f'{kind}@k' for kind in _WITH_CUTOFF)} for k = 1, 2, …; {', '.join(_BY_RELEVANCE)} may "
                "name the grade from which on documents are relevant, as in MAP(rel=2)"
            )
            raise ValueError(msg)
        return cls(kind, None if found[3] is None else int(found[3]), int(found[2] or 1))

    def ir_measures_name(self, convention: Convention) -> str | None:
        """Return the name that the library ir_measures has for the same quantity, if it has one.

        LETOR's own rules for NDCG, and for precision in short lists, have no name there.
        """
        level = "" if self.rel == 1 else f"(rel={self.rel})"
        match self:
            case Measure("MAP"):
                return f"AP{level}"
            case Measure("NDCG", k):
                return f"nDCG(dcg='exp-log2')@{k}" if convention == "standard" else None
            case Measure("P", k):
                return f"P{level}@{k}" if convention != "letor3" else None
            case Measure("R") | Measure("RR") | Measure("ERR", int()):
                return str(self)
            case _:
                return None


def telling_measures(data: RankingData) -> tuple[MeasureName, ...]:
    """The measures that tell models of this data apart, the most telling first.

    The first ten of one long list are soon all relevant. Where no document is irrelevant, only grades tell.
    """
    if data.relevance.min() >= 1:
        return ("NDCG@10",)
    return ("Top", "MAP", "NDCG@10") if data.n_queries == 1 else ("NDCG@10", "MAP", "Top")


def measures_at(cutoffs: Iterable[int]) -> tuple[Measure, ...]:
    """List MAP, NDCG and P at every cutoff, MeanNDCG and Top, in this order.

    Raises a `ValueError` if a cutoff is below 1.
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


def further_measures_at(cutoffs: Iterable[int]) -> tuple[Measure, ...]:
    """List what people know from other tools, too: RR, ERR, and ERR and R at every cutoff, in this order."""
    ks = tuple(cutoffs)
    return (Measure("RR"), Measure("ERR"), *(Measure("ERR", k) for k in ks), *(Measure("R", k) for k in ks))
