"""The texts of the page How numbers are made: those of ``numbers.md``, which a test holds against the program."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def sections() -> dict[str, str]:
    """Text by heading, in order."""
    text = Path(__file__).with_name("numbers.md").read_text(encoding="utf-8")
    _, *parts = text.split("\n## ")
    return {heading: body.strip() for heading, _, body in (part.partition("\n") for part in parts)}


CHOICES: list[dict[str, str]] = [
    {
        "what": "C, and parameters tried with it (k, t, c, λ1, keep, ridge)",
        "by": "MAP by default (Laporte et al.), NDCG@10 (Lai et al.) or Top",
        "on": "validation part",
        "among": "the method's own grid; every value tried with every C",
        "ties": "in expectation",
    },
    {
        "what": "the best model within a number of features (Trade-off)",
        "by": "the measure shown",
        "on": "validation part, training part where there is none",
        "among": "the models of the paths drawn",
        "ties": "in expectation",
    },
    {
        "what": "the best single feature, and its direction",
        "by": "the measure shown",
        "on": "training part",
        "among": "all features, rising and falling",
        "ties": "in expectation",
    },
    {
        "what": "features of FS-Rank and GAS-E",
        "by": "NDCG@10 and MAP of each alone, in the dataset's convention",
        "on": "training part",
        "among": "all features",
        "ties": "in expectation",
    },
    {
        "what": "trees of LambdaMART",
        "by": "as C",
        "on": "validation part",
        "among": "all sizes, rates and numbers of trees",
        "ties": "in expectation",
    },
    {
        "what": "features of FSMSVM",
        "by": "the size of FSMRank's weights; t and λ1 as C",
        "on": "training part; t and λ1 on the validation part",
        "among": "all features",
        "ties": "in expectation",
    },
    {
        "what": "λ, and the number of features of the elimination, in the infinite push's tables",
        "by": "Top",
        "on": "a random 30 % of the training part (Rakotomamonjy 2012)",
        "among": "12 λ (a hundred times as large for ℓ2); for the elimination six, with every number of features",
        "ties": "against the relevant document",
    },
]
