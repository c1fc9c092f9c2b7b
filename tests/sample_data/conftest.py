"""The sample sets as their files say, read by a parser that shares nothing with the readers of the program."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

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
        return [_blocks(self.folder / "partitions" / f"S{k}.txt.gz") for k in range(1, 6)]

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


def _blocks(path: Path) -> list[Block]:
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


def _mean_ndcg(blocks: list[Block], weights: np.ndarray) -> float:
    """NDCG@10, gain 2^l − 1, discount log2(rank + 1), summed rank by rank."""
    total = 0.0
    for block in blocks:
        order = sorted(range(len(block.relevance)), key=lambda i, s=block.features @ weights: -s[i])
        best = sorted(block.relevance, reverse=True)
        given = sum((2 ** block.relevance[d] - 1) / np.log2(r + 2) for r, d in enumerate(order[:10]))
        total += given / sum((2**level - 1) / np.log2(r + 2) for r, level in enumerate(best[:10]))
    return total / len(blocks)


def _ridge(blocks: list[Block], penalty: float = 1.0) -> np.ndarray:
    """Weights of a ridge regression of relevance on features, both centred in each query."""
    x = np.vstack([block.features - block.features.mean(axis=0) for block in blocks])
    y = np.concatenate([block.relevance - block.relevance.mean() for block in blocks])
    return np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y)


def _script(name: str) -> ModuleType:
    """A module of ``sample_data/``, which is a folder of scripts and no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def retrieval_features() -> ModuleType:
    return _script("retrieval_features")


@pytest.fixture(scope="session")
def python_documentation() -> ModuleType:
    return _script("python_documentation")


@pytest.fixture(scope="session")
def python_docs() -> SampleFiles:
    return SampleFiles(ROOT / "python-docs")


@pytest.fixture(scope="session")
def planted() -> SampleFiles:
    return SampleFiles(ROOT / "planted")


@pytest.fixture(scope="session")
def mean_ndcg():
    return _mean_ndcg


@pytest.fixture(scope="session")
def ridge():
    return _ridge
