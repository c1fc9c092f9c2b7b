"""Measures of ranked lists as their definitions say, query by query and rank by rank."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from core.data import Convention, RankingData

MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10")


def plain_measure(name: str, data: RankingData, scores: ArrayLike, convention: Convention) -> float:
    """Return the mean of a measure over all queries; ties keep the order of the file.

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
    values = []
    for labels in _ranked(data, np.asarray(scores)):
        if kind == "MAP":
            values.append(_average_precision(labels))
        elif kind == "NDCG":
            values.append(_ndcg(labels, int(cutoff), letor=convention != "standard"))
        else:
            short = convention == "letor3" and len(labels) < int(cutoff)
            values.append(0.0 if short else sum(label > 0 for label in labels[: int(cutoff)]) / int(cutoff))
    return math.fsum(values) / len(values)


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


def _ranked(data: RankingData, scores: np.ndarray) -> Iterator[Sequence[int]]:
    """The labels of each query, best score first."""
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        order = sorted(range(first, last), key=lambda row: -scores[row])  # stable
        yield [int(data.relevance[row]) for row in order]


def _average_precision(labels: Sequence[int]) -> float:
    found, total = 0, 0.0
    for rank, label in enumerate(labels, start=1):
        if label > 0:
            found += 1
            total += found / rank
    return total / found if found else 0.0


def _ndcg(labels: Sequence[int], cutoff: int, *, letor: bool) -> float:
    if letor and len(labels) < cutoff:
        return 0.0

    def gained(ranked: Sequence[int]) -> float:
        total = 0.0
        for rank, label in enumerate(ranked[:cutoff], start=1):
            discount = (1.0 if rank <= 2 else math.log2(rank)) if letor else math.log2(rank + 1)
            total += (2.0**label - 1.0) / discount
        return total

    best = gained(sorted(labels, reverse=True))
    return gained(labels) / best if best > 0.0 else 0.0
