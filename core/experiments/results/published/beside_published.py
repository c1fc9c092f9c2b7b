"""Our numbers beside published ones: whether both were made alike, and whether the choice explains the difference.

The papers' p-values beside ours, too: of the paired one-sided t-test over the queries of all folds. Tables 3 and 9 of
Lai et al. (FenchelRank) print p of FenchelRank against each baseline, whether small or not; Tables V and VI of Laporte
et al. print p of the best method against those significantly below it. Ours is of the same two rows in the same
direction, where both have the paper's settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.experiments.results.comparison import p_text
from core.experiments.results.published.numbers import (
    LAPORTE,
    P_VALUE,
    SYSTEMS,
    Printed,
    PublishedNumber,
    letor3_baselines,
    printed_settings,
    published_numbers,
    rows_of,
)
from core.experiments.results.statistics import LEVEL, one_sided_t_test
from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import TESTED
from core.metrics.equal_values import rounded

FloatArray = NDArray[np.float64]

HIDDEN = 0.5e-4
"""Difference that printing with four digits hides."""
HIDDEN_OF_RATIOS = 0.5e-2
"""Difference that printing with two digits hides, as the sparsity ratios are."""
LAGS = 40
"""Every choice is compared with so many that follow it."""


@dataclass(frozen=True)
class BesidePublished(Printed):
    """A published number with our number for the settings that the paper prints.

    Attributes
    ----------
    source, dataset, system, measure : str
        The published number. If a paper prints a number in several tables, the source names all of them.
    """

    system: str
    measure: str
    method: str  # label of ours
    # published, ours: means over folds
    published: float
    ours: float
    spread: float  # standard deviation of our number over folds
    chosen_by: str | None  # the measure by which the paper chose C on the validation part; None if it is unknown
    ours_chosen_by: str  # the measure by which we chose C
    convention: str  # metric convention of our number
    open: str  # settings that the paper does not print
    # shape (n_resamples,): our number under choices on resampled validation queries; None if they are unknown.
    draws: FloatArray | None = field(default=None, repr=False, compare=False)

    @property
    def difference(self) -> float:
        """Our number minus the published one."""
        return self.ours - self.published

    @property
    def unlike(self) -> str:
        """In what respect the two were not made alike, in a few words; empty if they were."""
        if self.chosen_by != self.ours_chosen_by:
            return f"chosen by {self.chosen_by or 'a measure that is not known'}, ours by {self.ours_chosen_by}"
        official = "letor4" if self.dataset.startswith("MQ") else "letor3"
        counted = (self.measure, self.ours_chosen_by)
        if self.convention != official and any(name.startswith("NDCG") for name in counted):
            return f"counted as {official}, ours as {self.convention}"
        return ""

    @property
    def hidden(self) -> float:
        """The largest difference that the printed digits hide."""
        return HIDDEN_OF_RATIOS if self.measure == "sparsity ratio" else HIDDEN

    @cached_property
    def choice_limit(self) -> float | None:
        """The difference that choosing C again explains: no more is between 95 % of pairs of our own choices.

        It is the reproducibility limit of ISO 5725-6 (1994, §4.1) without its assumption of a normal distribution, plus
        what the printed digits hide. The paper's choice is taken to be as uncertain as ours. None if the two were not
        made alike, if our other choices are unknown, or if none changes the number.
        """
        if self.unlike or self.draws is None or np.ptp(self.draws) == 0.0:
            return None
        lags = range(1, min(LAGS, max((len(self.draws) - 1) // 2, 1)) + 1)
        pairs = np.abs([self.draws - np.roll(self.draws, -lag) for lag in lags])
        return float(np.quantile(pairs, 1.0 - LEVEL)) + self.hidden

    @property
    def within(self) -> bool | None:
        """Whether the difference lies within ± by choice; None where that is unknown."""
        limit = self.choice_limit
        return None if limit is None else bool(rounded(abs(self.difference)) <= rounded(limit))

    def record(self) -> dict[str, Any]:
        """Return the record that ``protocol --json`` prints."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "draws"} | {
            "difference": self.difference,
            "unlike": self.unlike,
            "choice_limit": self.choice_limit,
            "within_choice": self.within,
        }


def beside_published(lines: Sequence[MethodLine]) -> list[BesidePublished]:
    """List every published number whose dataset and settings are complete here; those that were made alike come first.

    A row of ours counts only with the settings that the paper prints (`printed_settings`): ``mcp`` with a knee of its
    own is no row of Laporte et al., ``mcp:gamma=2`` is. A number that the paper chose by another measure is included,
    and `BesidePublished.unlike` says so.
    """
    by_choice = _by_choice()
    found = [
        _beside(number, source, line)
        for line in lines
        if line.complete
        for number, source in by_choice.get((line.dataset, line.choice.label), ())
    ]
    return sorted(found, key=lambda row: row.unlike != "")


def made_alike(lines: Sequence[MethodLine]) -> list[BesidePublished]:
    """Return the rows of `beside_published` whose settings, choice and counting are the paper's."""
    return [row for row in beside_published(lines) if not row.unlike]


def published_elsewhere(datasets: Sequence[str]) -> list[PublishedNumber]:
    """List the other published numbers of these datasets: facts of the data, and systems not implemented here."""
    numbers = (*published_numbers(), *letor3_baselines())
    return [
        number
        for number in numbers
        if number.dataset in datasets and number.settings is None and not number.measure.startswith(P_VALUE)
    ]


def chosen_by(line: MethodLine) -> str:
    """Return the measure by which C was chosen on the validation parts of a line."""
    return str(next(iter(line.results.values())).record["chosen_by"])


def beside_rows(found: Sequence[BesidePublished]) -> list[dict[str, Any]]:
    """Return the rows as a table for people."""
    return [
        {
            "dataset": row.dataset,
            "method": row.method,
            "measure": row.measure,
            "ours": row.ours,
            "published": row.published,
            "difference": f"{row.difference:+.4f}",
            "explained by choice": "–" if row.choice_limit is None else f"± {row.choice_limit:.4f}",
            "within": "–" if row.within is None else "yes" if row.within else "no",
            "made alike": row.unlike or "yes",
            "source": row.source,
        }
        for row in found
    ]


def _by_choice() -> dict[tuple[str, str], list[tuple[PublishedNumber, str]]]:
    """Map dataset and label to numbers with their sources; a number that a paper repeats is listed once."""
    tables: dict[PublishedNumber, list[str]] = {}
    for number in (*published_numbers(), *letor3_baselines()):
        if number.settings is not None:
            bare = PublishedNumber(number.paper, number.dataset, number.system, number.measure, number.value)
            tables.setdefault(bare, []).append(number.source)
    found: dict[tuple[str, str], list[tuple[PublishedNumber, str]]] = {}
    for number, sources in tables.items():
        if (settings := number.settings) is not None:
            found.setdefault((number.dataset, settings.choice.label), []).append((number, _together(sources)))
    return found


def _together(sources: Sequence[str]) -> str:
    """Join ``"Paper, Table 5"`` and ``"Paper, Table 7"`` to ``"Paper, Tables 5, 7"``."""
    paper, _, first = sources[0].partition(", Table ")
    rest = [source.partition(", Table ")[2] for source in sources[1:]]
    return sources[0] if not rest else f"{paper}, Tables {', '.join([first, *rest])}"


def _beside(number: PublishedNumber, source: str, line: MethodLine) -> BesidePublished:
    ours, settings = line.official(number.measure), number.settings
    assert settings is not None
    return BesidePublished(
        source=source,
        dataset=number.dataset,
        system=number.system,
        measure=number.measure,
        method=line.choice.label,
        published=number.value,
        ours=ours.mean,
        spread=ours.deviation,
        chosen_by=settings.chosen_by,
        ours_chosen_by=chosen_by(line),
        convention=line.convention,
        open=settings.open,
        draws=line.over_choices(number.measure),
    )


AGAINST = " against "
BELOW = 0.001
"""The p-value that stands for "<0.001" in Laporte et al."""


@dataclass(frozen=True)
class PublishedTest(Printed):
    """A published p-value, with ours for the same two rows.

    Attributes
    ----------
    source, dataset, measure : str
    higher, lower : str
        The two systems. p tests the hypothesis that the first is no higher.
    p : float
    less_than : bool
        Whether only an upper bound is printed.
    ours : float or None
        Our p-value. None if one of the two rows is incomplete here, we do not test the measure, or another measure
        chose C; ``why`` says which.
    why : str
    """

    measure: str
    higher: str
    lower: str
    p: float
    less_than: bool = False
    ours: float | None = None
    why: str = ""

    def record(self) -> dict[str, Any]:
        """Return the record that ``protocol --json`` prints."""
        return asdict(self)


def printed_tests() -> tuple[PublishedTest, ...]:
    """List every p-value of the papers' tables."""
    lai = (
        PublishedTest(n.source, n.dataset, n.measure.removeprefix(P_VALUE), higher, lower, n.value)
        for n in published_numbers()
        if n.measure.startswith(P_VALUE)
        for higher, _, lower in [n.system.partition(AGAINST)]
    )
    best = {(n.dataset, n.measure): n.system for n in published_numbers() if n.paper == LAPORTE}
    laporte = (
        PublishedTest(
            f"{LAPORTE}, Table {'V' if d['measure'] == 'MAP' else 'VI'}", d["dataset"], d["measure"],
            best[d["dataset"], d["measure"]], SYSTEMS[d["method"]], float(d["p"]), float(d["p"]) == BELOW,
        )
        for d in rows_of("laporte2014_degradations")
    )  # fmt: skip
    return (*lai, *laporte)


def tests_beside(lines: Sequence[MethodLine]) -> list[PublishedTest]:
    """List the published p-values of the datasets of these lines; those with one of ours come first."""
    complete = {(line.dataset, line.choice.label): line for line in lines if line.complete}
    datasets = {line.dataset for line in lines}
    found = [_tested(test, complete) for test in printed_tests() if test.dataset in datasets]
    return sorted(found, key=lambda test: test.ours is None)


def published_test_rows(found: Sequence[PublishedTest]) -> list[dict[str, Any]]:
    """Return the tests as a table for people; a column says why ours is missing, if any is."""
    wanting = any(test.why for test in found)
    return [
        {
            "dataset": test.dataset,
            "measure": test.measure,
            "higher": test.higher,
            "lower": test.lower,
            "p published": f"{'<' if test.less_than else ''}{test.p:g}",
            "p ours": "–" if test.ours is None else p_text(test.ours),
            **({"why not": test.why} if wanting else {}),
            "source": test.source,
        }
        for test in found
    ]


def _tested(test: PublishedTest, complete: dict[tuple[str, str], MethodLine]) -> PublishedTest:
    settings = [printed_settings(test.paper, name, test.dataset, test.measure) for name in (test.higher, test.lower)]
    if None in settings:
        absent = next(name for name, found in zip((test.higher, test.lower), settings, strict=True) if found is None)
        return replace(test, why=f"{absent} is not here")
    if test.measure not in TESTED:
        return replace(test, why=f"we test by {' and '.join(TESTED)} only")
    labels = [found.choice.label for found in settings if found is not None]
    lines = [complete.get((test.dataset, label)) for label in labels]
    if None in lines:
        missing = next(label for label, line in zip(labels, lines, strict=True) if line is None)
        return replace(test, why=f"{missing} is not complete in this run")
    higher, lower = (line for line in lines if line is not None)
    # The paper's own system tells how the paper chose: a baseline may be cited from elsewhere.
    wanted = settings[0].chosen_by if settings[0] is not None else None
    if chosen_by(higher) != wanted:
        return replace(test, why=f"{test.higher} was chosen by {wanted}, ours by {chosen_by(higher)}")
    p = one_sided_t_test(higher.per_query(test.measure), lower.per_query(test.measure))
    return replace(test, ours=p)
