"""Print how a sample set behaves: random order, single features, sparse linear models, redundancy.

    python sample_data/check.py sample_data/python-docs

Needs scikit-learn. Reads the files with a few lines of its own and fits an ℓ1 RankSVM on explicit pairs, so that
the figures owe nothing to the program they are a sample for. Fold k trains on partitions k, k+1, k+2, leaves
k+3 to validation, and tests on k+4 (mod 5), as LETOR rotates them. NDCG: gain 2^l − 1, discount log2(rank + 1).
"""

from __future__ import annotations

import argparse
import gzip
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

Array = NDArray[np.float64]

LAMBDA_RATIOS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.002)
REDUNDANT = 0.9


@dataclass(frozen=True)
class QueryBlock:
    """One query: features, shape (n_documents, n_features), and relevance, shape (n_documents,)."""

    features: Array
    relevance: NDArray[np.int64]


def read_partition(path: Path) -> list[QueryBlock]:
    """Queries in file order."""
    rows: dict[str, list[tuple[int, list[float]]]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        grade, qid, *pairs = line.partition("#")[0].split()
        values = [float(pair.partition(":")[2]) for pair in pairs]
        rows.setdefault(qid, []).append((int(grade), values))
    return [
        QueryBlock(np.array([values for _, values in block]), np.array([grade for grade, _ in block]))
        for block in rows.values()
    ]


def ndcg_at_10(relevance: NDArray[np.int64], scores: Array) -> float:
    """Compute the standard NDCG@10 of one query; ties keep file order."""
    discount = 1.0 / np.log2(np.arange(2, 12))
    best = np.sort(relevance)[::-1][:10]
    given = relevance[np.argsort(-scores, kind="stable")][:10]
    ideal = float(((2.0**best - 1.0) * discount[: len(best)]).sum())
    return float(((2.0**given - 1.0) * discount[: len(given)]).sum()) / ideal if ideal > 0 else 0.0


def mean_ndcg(queries: list[QueryBlock], weights: Array) -> float:
    """Compute the mean NDCG@10 of a linear model over queries."""
    return float(np.mean([ndcg_at_10(block.relevance, block.features @ weights) for block in queries]))


def random_ndcg(queries: list[QueryBlock], repeats: int = 20) -> float:
    """Mean over random orders."""
    rng = np.random.default_rng(0)
    blocks = [block for block in queries for _ in range(repeats)]
    return float(np.mean([ndcg_at_10(block.relevance, rng.random(len(block.relevance))) for block in blocks]))


def redundant_pairs(queries: list[QueryBlock]) -> int:
    """Pairs of features whose correlation over all documents exceeds 0.9 in absolute value."""
    features = np.vstack([block.features for block in queries])
    varying = features[:, features.std(axis=0) > 0]
    correlation = np.abs(np.corrcoef(varying.T))
    return int((np.triu(correlation, k=1) > REDUNDANT).sum())


def preference_differences(queries: list[QueryBlock]) -> Array:
    """x_i − x_j for all pairs where i is more relevant than j, shape (n_pairs, n_features)."""
    differences = []
    for block in queries:
        better, worse = np.nonzero(block.relevance[:, None] > block.relevance[None, :])
        differences.append(block.features[better] - block.features[worse])
    return np.vstack(differences)


def fit_l1(differences: Array, ratio: float) -> Array:
    """Weights that minimise mean(max(0, 1 − x·w)²) + λ‖w‖₁ with λ = ratio · λ_max, shape (n_features,)."""
    lambda_max = 2.0 * float(np.abs(differences.mean(axis=0)).max())
    signs = np.where(np.arange(len(differences)) % 2 == 0, 1.0, -1.0)
    model = LinearSVC(
        penalty="l1",
        loss="squared_hinge",
        dual=False,
        fit_intercept=False,
        C=1.0 / (ratio * lambda_max * len(differences)),
        tol=1e-3,
        max_iter=200,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(differences * signs[:, None], signs)
    weights: Array = model.coef_[0]
    return weights


def best_single_feature(queries: list[QueryBlock]) -> Array:
    """Weight 1 or −1 on the feature that ranks these queries best, else 0."""
    candidates = [sign * row for row in np.eye(queries[0].features.shape[1]) for sign in (1.0, -1.0)]
    return max(candidates, key=lambda weights: mean_ndcg(queries, weights))


def fold(partitions: list[list[QueryBlock]], k: int) -> tuple[list[QueryBlock], list[QueryBlock]]:
    """Training and test queries of fold k, from 0."""
    train = [block for part in range(3) for block in partitions[(k + part) % 5]]
    return train, partitions[(k + 4) % 5]


def report(folder: Path) -> list[str]:
    """The figures, a line each."""
    partitions = [read_partition(path) for path in sorted((folder / "partitions").glob("S*.txt.gz"))]
    names = (folder / "feature_names.txt").read_text(encoding="utf-8").splitlines()
    queries = [block for partition in partitions for block in partition]
    grades = np.bincount(np.concatenate([block.relevance for block in queries])) / len(queries)
    single = best_single_feature(queries)
    lines = [
        f"{len(queries)} queries, {sum(grades):.1f} documents each, {len(names)} features",
        "documents a query by relevance: " + ", ".join(f"{g}: {n:.1f}" for g, n in enumerate(grades)),
        f"pairs of features with |correlation| > {REDUNDANT}: {redundant_pairs(queries)}",
        f"NDCG@10, all queries: random order {random_ndcg(queries):.3f}, "
        f"best single feature {mean_ndcg(queries, single):.3f} ({names[int(np.abs(single).argmax())]})",
        "NDCG@10 on test, mean over five folds:",
    ]
    folds = [fold(partitions, k) for k in range(5)]
    singles = [mean_ndcg(test, best_single_feature(train)) for train, test in folds]
    lines.append(f"  best single feature of train   {np.mean(singles):.3f}")
    differences = [preference_differences(train) for train, _ in folds]
    for ratio in LAMBDA_RATIOS:
        models = [fit_l1(pairs, ratio) for pairs in differences]
        kept = np.mean([np.count_nonzero(weights) for weights in models])
        score = np.mean([mean_ndcg(test, w) for (_, test), w in zip(folds, models, strict=True)])
        lines.append(f"  l1, lambda/lambda_max {ratio:<5}    {score:.3f} with {kept:.1f} features")
    return lines


def main() -> None:
    """Print the report of the folder given on the command line."""
    parser = argparse.ArgumentParser(description="Print how a sample set behaves.")
    parser.add_argument("folder", type=Path)
    print("\n".join(report(parser.parse_args().folder)))


if __name__ == "__main__":
    main()
