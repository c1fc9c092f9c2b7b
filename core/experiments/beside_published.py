"""Our numbers beside the published ones: the difference, and whether the folds alone could explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.experiments.published_numbers import LETOR3, PublishedNumber, letor3_baselines, published_numbers
from core.experiments.summary import MethodLine, OverFolds

LAST_DIGIT = 1e-4
"""What printing with four digits may hide."""


@dataclass(frozen=True)
class BesidePublished:
    """One number twice.

    Attributes
    ----------
    source, dataset, system, measure : str
        Of the published number.
    method : str
        Label of ours.
    published, ours : float
        Means over folds.
    spread : float
        Standard deviation of ours from fold to fold.
    """

    source: str
    dataset: str
    system: str
    measure: str
    method: str
    published: float
    ours: float
    spread: float

    @property
    def difference(self) -> float:
        """Ours minus the published one."""
        return self.ours - self.published

    @property
    def within_spread(self) -> bool:
        """Whether the difference is no larger than one standard deviation of ours from fold to fold, or than a digit.

        Folds differ in how hard their queries are, which a published mean over the same folds does not: a difference
        outside is large indeed, and one within may still be one.
        """
        return abs(self.difference) <= max(self.spread, LAST_DIGIT)

    def record(self) -> dict[str, Any]:
        """As ``protocol --json`` prints it."""
        return asdict(self) | {"difference": self.difference, "within_spread": self.within_spread}


def beside_published(lines: Sequence[MethodLine]) -> list[BesidePublished]:
    """Every published number of a dataset and method that is complete here.

    A method counts with its parameters as they are by default, which are the papers'.
    """
    numbers = (*published_numbers(), *_site_averages())
    return [
        _beside(number, line)
        for line in lines
        if line.complete and not line.choice.given
        for number in numbers
        if number.dataset == line.dataset and number.method == line.choice.method
    ]


def published_elsewhere(datasets: Sequence[str]) -> list[PublishedNumber]:
    """Numbers of systems that this program does not have, on these datasets: cited only."""
    numbers = (*published_numbers(), *_site_averages())
    return [number for number in numbers if number.dataset in datasets and number.method is None]


def beside_rows(found: Sequence[BesidePublished]) -> list[dict[str, Any]]:
    """As a table for people."""
    return [
        {
            "dataset": row.dataset,
            "method": row.method,
            "measure": row.measure,
            "ours": row.ours,
            "published": row.published,
            "difference": f"{row.difference:+.4f}",
            "spread": row.spread,
            "within": "yes" if row.within_spread else "no",
            "source": row.source,
        }
        for row in found
    ]


def _beside(number: PublishedNumber, line: MethodLine) -> BesidePublished:
    ours = _ours(number.measure, line)
    return BesidePublished(
        number.source,
        number.dataset,
        number.system,
        number.measure,
        line.choice.label,
        number.value,
        ours.mean,
        ours.deviation,
    )


def _ours(measure: str, line: MethodLine) -> OverFolds:
    match measure:
        case "sparsity ratio":
            return line.sparsity_ratio
        case "share of features":
            return line.share_of_features
        case _:
            return line.measure(measure)


def _site_averages() -> list[PublishedNumber]:
    return [
        PublishedNumber(LETOR3, row.dataset, row.algorithm, measure, value)
        for row in letor3_baselines()
        if row.fold == "average"
        for measure, value in row.values.items()
    ]
