"""The data that defaults are chosen on: none of the sets whose published numbers the program is compared with.

In LETOR's folds the validation part of one fold is the test part of another, so a default that is fixed on the mean of
all validation parts has seen every test query. Defaults are therefore chosen here, on sets that everybody has: the two
samples, two class sets of scikit-learn in five splits, and five generated draws with lists of their own for each part.
These sets are spent by that: figures of the methods on them are not independent of their defaults.
"""

from __future__ import annotations

from benchmarks.shapes import Shape, generate
from core.data import Dataset, Fold, Reading, open_dataset
from core.data.division import split_with_validation

GENERATED = "generated"
SHAPE = Shape(n_queries=90, documents_per_query=100, n_features=40, relevant_per_query=5)
"""A small relative of TD2004: 44 lists to train on, 19 to validate, 27 to test."""
DRAWS = 5
CHOOSING = ("python-docs", "planted", "breast-cancer", "digits", GENERATED)


def open_choosing(name: str) -> Dataset:
    """One of ``CHOOSING``, with folds of train, vali and test part; any other name as the catalogue has it."""
    if name == GENERATED:
        return _generated()
    if name in ("breast-cancer", "digits"):
        return Reading(repeats=DRAWS, scale="minmax").open(name)
    return open_dataset(name)


def _generated() -> Dataset:
    def draw(position: int) -> Fold:
        train, vali, test = split_with_validation(generate(SHAPE, seed=position), 0.7, position)
        return Fold(f"draw {position + 1}", train, vali, test)

    return Dataset(
        name=GENERATED,
        fold_names=tuple(f"draw {number}" for number in range(1, DRAWS + 1)),
        convention="standard",
        provenance=f"Generated ({SHAPE}), each draw with a true model of its own.",
        load=draw,
    )
