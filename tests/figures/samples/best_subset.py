"""Examples of the pictures of best and near-optimal subsets."""

from __future__ import annotations

import core
from core.api import pictures
from tests.figures.samples.sample import Sample, fold, path

SAMPLES: dict[str, Sample] = {
    "best_subsets": Sample(
        lambda: pictures.best_subsets(fold(), ridge=0.5, most=2),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "ridge": 0.03,
            "most": 1,
            "paths": [path("l1")],
            "view": "how far",
            "seconds": 10.0,
            "convention": "letor4",
        },
    ),
    "near_optimal_sets": Sample(
        lambda: pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=0.05),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "ridge": 0.03,
            "k": 1,
            "within": 0.02,
            "part": "vali",
            "measure": "MAP",
            "view": "shares",
            "convention": "letor4",
        },
    ),
}
