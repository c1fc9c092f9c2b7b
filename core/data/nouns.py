"""The words for what a dataset holds: documents of queries, or rows of two classes."""

from __future__ import annotations

from dataclasses import dataclass

from core.data.ranking_data import RankingData
from core.names.counted import counted

AGAINST = "against"
"""Between the classes in the query id of class data, as in ``b-against-g``."""


@dataclass(frozen=True)
class Nouns:
    """What the parts of a dataset are called; ``by_class`` if it has classes in place of queries and levels.

    A row is what is ranked, and relevant or not; samples are judged one by one, and drawn again by a resampling; a
    grade tells rows apart.
    """

    row: str
    rows: str
    relevant: str
    irrelevant: str
    relevant_rows: str
    samples: str
    grade: str
    by_class: bool

    @property
    def compared(self) -> str:
        """What a model ranks against each other."""
        return self.rows if self.by_class else "documents of a query"

    @property
    def at_each_level(self) -> str:
        """Where several grades are told apart, for a sentence."""
        return "in each class" if self.by_class else "at each relevance level"

    def level(self, grade: int) -> str:
        """What rows of one grade are: "relevance 2", or "positive"."""
        return (self.relevant if grade else self.irrelevant) if self.by_class else f"relevance {grade}"

    def counted(self, n: int) -> str:
        """So many of what is ranked: "1 document"."""
        return counted(n, self.row, self.rows)


_OF_QUERIES = ("document", "documents", "relevant", "irrelevant", "relevant documents")
_OF_CLASSES = ("row", "rows", "positive", "negative", "positives")
DOCUMENTS = Nouns(*_OF_QUERIES, samples="queries", grade="relevance", by_class=False)
CLASSES = Nouns(*_OF_CLASSES, samples="rows", grade="class", by_class=True)


def nouns_of(data: RankingData) -> Nouns:
    """The words for this data: rows where it was read from a column of classes, else documents of queries."""
    single = data.n_queries == 1 and f"-{AGAINST}-" in data.query_ids[0]
    return CLASSES if single and int(data.relevance.max()) <= 1 else DOCUMENTS
