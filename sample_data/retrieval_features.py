"""The features of LETOR for text in fields: term statistics, BM25 and language models, in plain Python.

Definitions follow LETOR (Qin, Liu, Xu and Li, "LETOR: a benchmark collection for research on learning to rank
for information retrieval", Information Retrieval 13, 2010), with these constants: BM25 with k1 = 2.5 and b =
0.8; LMIR.ABS with δ = 0.7, LMIR.DIR with μ = 2000, LMIR.JM with λ = 0.1 (Zhai and Lafferty, SIGIR 2001).
"Covered terms" is MSLR's covered query term ratio. One definition differs: LETOR's IDF sums over all terms of
the query, is therefore constant within it, and query-level normalisation turns it into 0; here it sums over
the terms that the field contains. Sums run in a fixed order, so that no result depends on the hash seed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

BM25_K1, BM25_B = 2.5, 0.8
ABS_DELTA, DIR_MU, JM_LAMBDA = 0.7, 2000.0, 0.1

KINDS = ("TF", "IDF", "TF·IDF", "length", "BM25", "LMIR.ABS", "LMIR.DIR", "LMIR.JM", "covered terms")

STOP_WORDS = frozenset(
    """
    a an and are as at be been but by can could do does for from had has have if in into is it its may
    more must no not of on or other should so some such than that the their them then there these they
    this those to was were when where which while will with would you your
    """.split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def terms(text: str) -> list[str]:
    """Lower-case words but no stop words; identifiers split at underscores and capitals, plural s dropped."""
    words = (word.lower() for word in _WORD.findall(text))
    return [_singular(word) for word in words if len(word) > 1 and word not in STOP_WORDS]


def _singular(word: str) -> str:
    """Harman's s-stemmer, the mildest of stemmers."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


class Field:
    """One field of all documents, with the statistics of the collection.

    Parameters
    ----------
    texts : sequence of sequences of str
        The field's terms, document by document.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.counts = [Counter(text) for text in texts]
        self.lengths = [len(text) for text in texts]
        self.mean_length = sum(self.lengths) / len(texts)

    @cached_property
    def document_frequency(self) -> Counter[str]:
        """Number of documents that contain each term."""
        return Counter(term for counts in self.counts for term in counts)

    @cached_property
    def collection_frequency(self) -> Counter[str]:
        """Number of occurrences of each term in all documents."""
        total: Counter[str] = Counter()
        for counts in self.counts:
            total.update(counts)
        return total

    @cached_property
    def collection_length(self) -> int:
        """Number of terms in all documents."""
        return sum(self.lengths)

    def idf(self, term: str) -> float:
        """ln((N − n + 0.5) / (n + 0.5) + 1), positive for every term; n documents of N have the term."""
        n = self.document_frequency[term]
        return math.log((len(self.counts) - n + 0.5) / (n + 0.5) + 1.0)

    def bm25(self, query: Sequence[str], document: int) -> float:
        """Compute the BM25 score of a document for a query."""
        counts = self.counts[document]
        norm = BM25_K1 * (1.0 - BM25_B + BM25_B * self.lengths[document] / self.mean_length)
        return sum(
            self.idf(term) * counts[term] * (BM25_K1 + 1.0) / (counts[term] + norm) for term in query if term in counts
        )

    def features(self, query: Sequence[str], document: int) -> list[float]:
        """One number for each of `KINDS`."""
        counts = self.counts[document]
        found = [term for term in query if term in counts]
        return [
            float(sum(counts[term] for term in found)),
            sum(self.idf(term) for term in found),
            sum(counts[term] * self.idf(term) for term in found),
            float(self.lengths[document]),
            self.bm25(query, document),
            *self._language_models(query, document),
            len(found) / len(query),
        ]

    def _language_models(self, query: Sequence[str], document: int) -> tuple[float, float, float]:
        """Log likelihood of the query under three smoothings; terms the whole collection lacks say nothing.

        An empty field is the collection's model under all three, save for Jelinek–Mercer's constant factor.
        """
        counts, length = self.counts[document], self.lengths[document]
        saved = ABS_DELTA * len(counts) / length if length else 1.0
        absolute = dirichlet = mercer = 0.0
        for term in query:
            background = self.collection_frequency[term] / self.collection_length
            if background == 0.0:
                continue
            count = counts[term]
            seen = count / length if length else 0.0
            discounted = max(count - ABS_DELTA, 0.0) / length if length else 0.0
            absolute += math.log(discounted + saved * background)
            dirichlet += math.log((count + DIR_MU * background) / (length + DIR_MU))
            mercer += math.log((1.0 - JM_LAMBDA) * seen + JM_LAMBDA * background)
        return absolute, dirichlet, mercer


def query_normalised(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Rows (documents of one query) with each feature brought to [0, 1]; a constant feature becomes 0."""
    columns = [_normalised(column) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _normalised(values: Sequence[float]) -> list[float]:
    low = min(values)
    span = max(values) - low
    return [(value - low) / span if span > 0 else 0.0 for value in values]
