"""The sample sets as their files say, read by a parser that shares nothing with the readers of the program."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2] / "sample_data"


@dataclass(frozen=True)
class Block:
    """One query of one partition."""

    qid: str
    relevance: np.ndarray
    features: np.ndarray
    documents: list[str]


@dataclass(frozen=True)
class SampleFiles:
    folder: Path

    @cached_property
    def description(self) -> dict[str, Any]:
        return json.loads((self.folder / "dataset.json").read_text(encoding="utf-8"))

    @cached_property
    def feature_names(self) -> list[str]:
        return (self.folder / "feature_names.txt").read_text(encoding="utf-8").splitlines()

    @cached_property
    def partitions(self) -> list[list[Block]]:
        return [blocks_of(self.folder / "partitions" / f"S{k}.txt.gz") for k in range(1, 6)]

    @property
    def queries(self) -> list[Block]:
        return [block for partition in self.partitions for block in partition]

    def table(self, key: str) -> dict[str, str]:
        lines = (self.folder / self.description[key]).read_text(encoding="utf-8").splitlines()
        return dict(line.split("\t") for line in lines)

    def folds(self) -> list[tuple[list[Block], list[Block]]]:
        """Train and test, rotated as LETOR does."""
        parts = self.partitions
        return [([b for i in range(3) for b in parts[(k + i) % 5]], parts[(k + 4) % 5]) for k in range(5)]


def blocks_of(path: Path) -> list[Block]:
    grouped: dict[str, list[tuple[int, list[float], str]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            values, comment = line.rstrip("\n").split(" #docid = ")
            grade, qid, *pairs = values.split(" ")
            assert [pair.split(":")[0] for pair in pairs] == [str(j) for j in range(1, len(pairs) + 1)]
            row = [float(pair.split(":")[1]) for pair in pairs]
            grouped.setdefault(qid.removeprefix("qid:"), []).append((int(grade), row, comment))
    blocks = []
    for qid, rows in grouped.items():
        grades, features, documents = zip(*rows, strict=True)
        blocks.append(Block(qid, np.array(grades), np.array(features), list(documents)))
    return blocks


DISCOUNT = 1.0 / np.log2(np.arange(2, 12))


def mean_ndcg(blocks: list[Block], weights: np.ndarray) -> float:
    """NDCG@10, gain 2^l − 1, discount log2(rank + 1), in the order of the file where scores are equal."""
    total = 0.0
    for block in blocks:
        gains = 2.0**block.relevance - 1.0
        order = np.argsort(-(block.features @ weights), kind="stable")[:10]
        total += gains[order] @ DISCOUNT / (np.sort(gains)[::-1][:10] @ DISCOUNT)
    return float(total / len(blocks))


def ridge(blocks: list[Block], penalty: float = 1.0) -> np.ndarray:
    """Weights of a ridge regression of relevance on features, both centred in each query."""
    x = np.vstack([block.features - block.features.mean(axis=0) for block in blocks])
    y = np.concatenate([block.relevance - block.relevance.mean() for block in blocks])
    return np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y)


PYTHON_DOCS, PLANTED = SampleFiles(ROOT / "python-docs"), SampleFiles(ROOT / "planted")
