"""Positives on top as published: Table 1 of Rakotomamonjy (2012).

Alain Rakotomamonjy: Sparse Support Vector Infinite Push, ICML 2012, Table 1. Means and standard deviations over ten
iterations, as printed: the infinite push with ℓ1 and with ℓ2, and an ℓ1 RankSVM.

The caption calls the two printed sizes "the number of training and testing examples". For colon they add up to its 62
examples, but for the sets of UCI the second number is that of all examples, so that sonar's 187 of 208 is a training
share of 90 %. `PublishedSet.training_share` reads it so, for yeast as well. wpbc's 194 are UCI's 198 examples without
the four in which a cell is missing, and its 33 variables those of UCI with the time and without the id. UCI's SPECTF
has 80 and 187 examples, 267 in all, where 269 are printed; its ionosphere has 34 variables, one of them constant.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = "Rakotomamonjy 2012, Table 1"


@dataclass(frozen=True)
class PublishedTop:
    """One line of the table; ``n_features`` is None if no feature is selected.

    Attributes
    ----------
    top, top_deviation : float
        Rate of positives on top, in [0, 1].
    n_features, n_features_deviation : float or None
        Number of variables used.
    """

    top: float
    top_deviation: float
    n_features: float | None = None
    n_features_deviation: float | None = None


@dataclass(frozen=True)
class PublishedSet:
    """A dataset of the table."""

    name: str  # as printed
    d: int  # features, as printed
    sizes: tuple[int, int]  # the two numbers in parentheses
    # Number of all examples as far as the printed sizes show it: their sum, or the second size. None for BCI, where
    # neither is known.
    n_examples: int | None
    by_method: tuple[tuple[str, PublishedTop], ...]  # lines by method id

    @property
    def training_share(self) -> float | None:
        """Share of the examples used for training, as far as the printed sizes show it."""
        return None if self.n_examples is None else self.sizes[0] / self.n_examples

    def may_be(self, n_examples: int, n_features: int) -> bool:
        """Tell whether a set of this size can be that of the table; variants of a UCI set differ by a few examples."""
        alike = self.n_examples is None or abs(n_examples - self.n_examples) <= _ALIKE * self.n_examples
        return alike and abs(n_features - self.d) <= 1

    def top(self, method: str) -> PublishedTop | None:
        """Return the line of a method; None if there is none."""
        return dict(self.by_method).get(method)


def _set(
    name: str, d: int, sizes: tuple[int, int], n_examples: int | None, *rows: tuple[float, ...]
) -> PublishedSet:  # fmt: skip
    methods = ("infinite-push-l1", "infinite-push-l2", "l1")
    return PublishedSet(
        name, d, sizes, n_examples, tuple(zip(methods, (PublishedTop(*row) for row in rows), strict=True))
    )


TABLE_1: tuple[PublishedSet, ...] = (
    _set("colon", 2000, (43, 19), 62, (0.41, 0.3, 68.2, 25.4), (0.36, 0.2), (0.40, 0.3, 572.4, 320.1)),
    _set("yeast", 79, (124, 208), 208, (0.85, 0.2, 25.9, 5.3), (0.53, 0.4), (0.86, 0.2, 64.2, 2.8)),
    _set("sonar", 60, (187, 208), 208, (0.44, 0.2, 23.7, 6.5), (0.48, 0.3), (0.39, 0.2, 59.8, 0.4)),
    _set("wpbc", 33, (174, 194), 194, (0.18, 0.3, 26.0, 12.8), (0.34, 0.3), (0.34, 0.1, 32.7, 0.7)),
    _set("iono", 33, (245, 351), 351, (0.64, 0.2, 15.0, 5.1), (0.66, 0.1), (0.69, 0.1, 33.0, 0.0)),
    _set("spectf", 44, (215, 269), 269, (0.14, 0.1, 40.7, 4.4), (0.10, 0.1), (0.19, 0.2, 43.9, 0.3)),
    _set("BCI", 310, (288, 2592), None, (0.06, 0.04, 71.1, 16.0), (0.06, 0.04), (0.07, 0.06, 272.0, 7.9)),
)
_ALIKE = 0.03
CATALOGUE_NAMES = {"ionosphere": "iono"}


def published_set(name: str) -> PublishedSet | None:
    """Return the lines of a dataset, by its name in the catalogue in any case; None if the paper has none."""
    printed = CATALOGUE_NAMES.get(name.lower(), name.lower())
    return next((found for found in TABLE_1 if found.name.lower() == printed), None)


def name_if_published(name: str, n_examples: int, n_features: int) -> str:
    """Return the name of a dataset if the paper has one of that name and about that size, else ""."""
    printed = published_set(name)
    return name if printed is not None and printed.may_be(n_examples, n_features) else ""
