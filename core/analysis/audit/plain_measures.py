"""Measures of ranked lists as their definitions say, query by query and rank by rank."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from core.data import Convention, RankingData

MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10")


def plain_measure(name: str, data: RankingData, scores: ArrayLike, convention: Convention) -> float:
    """Return the mean of a measure over all queries, and over the orders of tied documents.

    Parameters
    ----------
    name : str
        One of `MEASURES`, with any cutoff.
    data : RankingData
    scores : array-like, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}
        The scripts of LETOR discount rank 2 as rank 1, and count NDCG@k as 0 in a list of fewer than k documents;
        LETOR 3.0's also counts P@k as 0 there.
    """
    kind, _, cutoff = name.partition("@")
    return math.fsum(_of_list(kind, groups, int(cutoff or 0), convention) for groups in _ranked(data, scores)) / (
        data.n_queries
    )


def ir_measures_mean(name: str, data: RankingData, scores: ArrayLike) -> float:
    """Return the mean of a measure by the library ir_measures; raises ImportError where it is not installed.

    Scores are replaced by places, because trec_eval breaks ties by the names of documents.
    """
    import ir_measures

    qrels, run = [], []
    for q, (first, last) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
        order = np.argsort(-np.asarray(scores)[first:last], kind="stable")
        for place, row in enumerate(order):
            run.append(ir_measures.ScoredDoc(str(q), str(row), float(len(order) - place)))
            qrels.append(ir_measures.Qrel(str(q), str(row), int(data.relevance[first + row])))
    asked = ir_measures.parse_measure(name)
    return math.fsum(found.value for found in ir_measures.iter_calc([asked], qrels, run)) / data.n_queries


def places(data: RankingData, scores: ArrayLike) -> np.ndarray:
    """Return scores of the same order without ties: tied documents keep the order of the file."""
    found, values = np.empty(data.n_documents), np.asarray(scores)
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        found[first + np.argsort(-values[first:last], kind="stable")] = -np.arange(last - first)
    return found


def _ranked(data: RankingData, scores: ArrayLike) -> Iterator[list[list[int]]]:
    """The labels of each query, best score first, those of tied documents together."""
    values = np.asarray(scores)
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        order = sorted(range(first, last), key=lambda row: -values[row])
        rounding = 1e-15 * float(np.abs(values[first:last]).max())
        groups: list[list[int]] = []
        for place, row in enumerate(order):
            if place == 0 or not math.isclose(values[row], values[order[place - 1]], rel_tol=1e-12, abs_tol=rounding):
                groups.append([])
            groups[-1].append(int(data.relevance[row]))
        yield groups


def _of_list(kind: str, groups: list[list[int]], k: int, convention: Convention) -> float:
    n_documents = sum(map(len, groups))
    if kind == "MAP":
        return _average_precision(groups)
    if kind == "NDCG":
        if convention != "standard" and n_documents < k:
            return 0.0
        best = _gained(
            [[label] for label in sorted(itertools.chain(*groups), reverse=True)], k, letor=convention != "standard"
        )
        return _gained(groups, k, letor=convention != "standard") / best if best > 0.0 else 0.0
    if convention == "letor3" and n_documents < k:
        return 0.0
    return (
        math.fsum(
            sum(label > 0 for label in labels) * sum(rank <= k for rank in ranks) / len(labels)
            for labels, ranks in _with_ranks(groups)
        )
        / k
    )


def _with_ranks(groups: list[list[int]]) -> Iterator[tuple[list[int], range]]:
    """The labels of tied documents, and the ranks that they share; each is equally often at each."""
    above = 0
    for labels in groups:
        yield labels, range(above + 1, above + len(labels) + 1)
        above += len(labels)


def _average_precision(groups: list[list[int]]) -> float:
    found, total = 0, 0.0
    for labels, ranks in _with_ranks(groups):
        n, relevant = len(labels), sum(label > 0 for label in labels)
        for rank in ranks:
            # That many of the others are relevant and before a relevant document at this rank, on average.
            others = (rank - ranks[0]) * (relevant - 1) / max(n - 1, 1)
            total += relevant / n * (found + 1 + others) / rank
        found += relevant
    return total / found if found else 0.0


def _gained(groups: list[list[int]], cutoff: int, *, letor: bool) -> float:
    def weight(rank: int) -> float:
        if rank > cutoff:
            return 0.0
        return 1.0 / (1.0 if rank <= 2 else math.log2(rank)) if letor else 1.0 / math.log2(rank + 1)

    return math.fsum(
        sum(2.0**label - 1.0 for label in labels) * sum(map(weight, ranks)) / len(labels)
        for labels, ranks in _with_ranks(groups)
    )
