"""Small files with many lists to drop into the app."""

import numpy as np


def nothing_on_top(queries: int = 12) -> bytes:
    """Every relevant document scores between one irrelevant one and four lower ones, whatever the weight.

    The single highest cannot be beaten; the mean of half the irrelevant ones can.
    """
    rows = [(1, 1.0), (0, 2.0), (0, 0.0), (0, 0.0), (0, 0.0), (0, 0.0)]
    lines = [f"{label} qid:{q} 1:{x + 0.01 * q:g} 2:{2 * x:g}\n" for q in range(1, queries + 1) for label, x in rows]
    return "".join(lines).encode()


def noisy_lists(queries: int = 20, documents: int = 8) -> bytes:
    """Relevance follows the first of four features, more or less."""
    rng = np.random.default_rng(0)
    lines = []
    for q in range(1, queries + 1):
        x = rng.normal(size=(documents, 4))
        relevance = np.maximum(np.round(x[:, 0] + 0.5 * rng.normal(size=documents)), 0).astype(int)
        lines += [
            f"{label} qid:{q} " + " ".join(f"{j}:{value:.4f}" for j, value in enumerate(row, start=1)) + "\n"
            for label, row in zip(relevance, x, strict=True)
        ]
    return "".join(lines).encode()


def one_list(documents: int = 120, noise: float = 0.3) -> bytes:
    """A CSV with two classes that overlap, told apart by two of four features."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(documents, 4))
    positive = x[:, 0] + 0.4 * x[:, 1] + noise * rng.normal(size=documents) > 0.5
    rows = [",".join(f"{value:.4f}" for value in row) for row in x]
    return "".join(f"{row},{'active' if up else 'inactive'}\n" for row, up in zip(rows, positive, strict=True)).encode()
