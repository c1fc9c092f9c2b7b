"""The papers' p-values beside ours: the paired one-sided t-test over the queries of all folds.

Tables 3 and 9 of Lai et al. (FenchelRank) print p of FenchelRank against each baseline, whether small or not; Tables V
and VI of Laporte et al. print p of the best method against those significantly below it. Ours is of the same two rows
in the same direction, where both have the paper's settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.experiments.results.comparison import p_text
from core.experiments.results.published.beside_published import chosen_by
from core.experiments.results.published.numbers import P_VALUE, SYSTEMS, published_numbers, rows_of
from core.experiments.results.published.settings import LAPORTE, Printed, printed_settings
from core.experiments.results.statistics import one_sided_t_test
from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import TESTED

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
    found = [_beside(test, complete) for test in printed_tests() if test.dataset in datasets]
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


def _beside(test: PublishedTest, complete: dict[tuple[str, str], MethodLine]) -> PublishedTest:
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
