"""Small tables with queries, as pandas has them."""

from typing import Any

import numpy as np
import pandas as pd


def frame() -> pd.DataFrame:
    """Twelve documents of four queries with four features."""
    random = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "label": [2, 0, 1, 0, 1, 0, 0, 1, 0, 2, 1, 0],
            "qid": list("aaabbbbccddd"),
            "docid": [f"d{k}" for k in range(12)],
            "bm25": random.normal(size=12),
            "length": random.integers(1, 500, size=12),
            "title words": random.integers(1, 9, size=12).astype(np.int8),
            "fresh": random.random(12) < 0.5,
        }
    )


def small(**features: Any) -> pd.DataFrame:
    """Three documents of one query with these features."""
    return pd.DataFrame({"qid": ["a"] * 3, "label": [0, 1, 0]} | features)
