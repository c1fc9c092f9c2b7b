"""Comparison of methods with a reference, and with the best one as in Tables V and VI of Laporte et al. (2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.analysis.choosing import FEWEST_QUERIES
from core.experiments.results.choice_comparison import DEFAULT_MARGIN, ChoiceComparison, compare_choices
from core.experiments.results.difference import TOO_FEW
from core.experiments.results.statistics import CONFIDENCE, LEVEL, RESAMPLES, PairedComparison, compare, holm
from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import TESTED
from core.metrics.equal_values import first_highest

DEFAULT_REFERENCE = "l2"
READING = (
    "Over the test queries of all folds together. The t-test is the papers' paired Student test, one-sided: that the "
    "method is no worse than the reference. The randomization changes the signs of the queries' differences "
    f"({RESAMPLES:,} draws), two-sided: that the two are alike. The interval holds the method's mean minus the "
    f"reference's with {CONFIDENCE:.0%} confidence, by {RESAMPLES:,} bootstrap draws of queries. The Holm values are "
    "the p-values corrected (Holm 1979) for the number of methods compared on the dataset by the measure. All of "
    "these take the chosen models as given. The test with the choice too resamples the validation queries as well, "
    "and both methods choose again on the same draws. Its mean ± deviation is over those choices; the difference of "
    "the two chosen models is one of them. Its p and intervals include the noise of choosing C, and are conservative. "
    "The verdict says what follows for a margin: equivalent if the 90 % interval lies within ± the margin (two "
    "one-sided tests at 5 %), different if the 95 % interval excludes 0, different but by less than the margin if both "
    "hold, and undecided otherwise: no difference found is not equality. Narrowly: other resamples could change it."
)
HEADING = (
    "Against {reference}, over all test queries: the papers' one-sided t-test, a two-sided randomization test, Holm's "
    "correction of it for the methods compared, a bootstrap interval of the difference"
)


@dataclass(frozen=True)
class Compared:
    """A method compared with the reference, on a dataset, by a measure.

    Attributes
    ----------
    dataset, measure, reference, method : str
        Methods by their labels.
    found : PairedComparison
    t_test_holm, randomization_holm : float or None
        p-values corrected for the number of methods compared with this reference; None where queries are too few.
    again : ChoiceComparison or None
        The comparison with both choices repeated on resampled validation queries; None where there are no such.
    again_holm : float or None
        Its p-value with the same correction.
    margin : float
        Differences of the measure as small as this make no difference to the reader.
    """

    dataset: str
    measure: str
    reference: str
    method: str
    found: PairedComparison
    t_test_holm: float | None
    randomization_holm: float | None
    again: ChoiceComparison | None = None
    again_holm: float | None = None
    margin: float = DEFAULT_MARGIN

    @property
    def verdict(self) -> str:
        """What may be said of the two with the choice included, for the margin; empty where the choice is unknown."""
        if self.found.interval is None:
            return TOO_FEW
        return "" if self.again is None else self.again.words(self.margin)

    @property
    def significantly_worse(self) -> bool:
        """Whether it is below the reference with a one-sided p below 5 %, as the papers count."""
        return self.found.difference < 0.0 and self.found.t_test_p is not None and self.found.t_test_p < LEVEL

    def record(self) -> dict[str, Any]:
        """Return the record that ``protocol --json`` prints."""
        return {
            "dataset": self.dataset,
            "measure": self.measure,
            "reference": self.reference,
            "method": self.method,
            "queries": self.found.n_queries,
            "difference": self.found.difference,
            "decrease_percent": self.found.decrease_percent,
            "t_test_p": self.found.t_test_p,
            "t_test_holm": self.t_test_holm,
            "randomization_p": self.found.randomization_p,
            "randomization_holm": self.randomization_holm,
            "interval": None if self.found.interval is None else list(self.found.interval),
            "choice_too": None
            if self.again is None
            else {
                "mean": self.again.mean,
                "deviation": self.again.deviation,
                "interval": list(self.again.interval),
                "p": self.again.p,
                "holm": self.again_holm,
                "inner_interval": list(self.again.inner),
                "error": self.again.error,
                "margin": self.margin,
                "verdict": self.again.verdict(self.margin),
                "narrow": self.again.narrow(self.margin),
            },
        }


def against(reference: MethodLine, lines: Sequence[MethodLine], measure: str) -> list[Compared]:
    """Compare every other complete line of the reference's dataset with it.

    Parameters
    ----------
    reference : MethodLine
        A complete line.
    lines : sequence of MethodLine
    measure : {"MAP", "NDCG@10"}
    """
    others = [
        line
        for line in lines
        if line.dataset == reference.dataset and line.complete and line.choice != reference.choice
    ]
    theirs = reference.per_query(measure)
    found = [compare(line.per_query(measure), theirs) for line in others]
    t_tests = _holm([one.t_test_p for one in found])
    randomizations = _holm([one.randomization_p for one in found])
    again = [_again(line, reference, measure) for line in others]
    corrected = iter(holm([one.p for one in again if one is not None]))
    return [
        Compared(
            line.dataset,
            measure,
            reference.choice.label,
            line.choice.label,
            one,
            t,
            r,
            anew,
            None if anew is None else next(corrected),
        )
        for line, one, t, r, anew in zip(others, found, t_tests, randomizations, again, strict=True)
    ]


def _holm(values: Sequence[float | None]) -> Sequence[float | None]:
    """Correct p-values of the same queries: all are known, or none."""
    known = [p for p in values if p is not None]
    return holm(known) if len(known) == len(values) else [None] * len(values)


def _again(line: MethodLine, reference: MethodLine, measure: str) -> ChoiceComparison | None:
    """Compare with both choices repeated on the same resampled validation queries."""
    if not (line.chosen_again and reference.chosen_again) or len(line.per_query(measure)) < FEWEST_QUERIES:
        return None
    return compare_choices(line.per_query_by_choice(measure), reference.per_query_by_choice(measure))


def against_reference(lines: Sequence[MethodLine], reference: str) -> list[Compared]:
    """Compare, for every dataset and measure, the other methods with the reference where it is complete."""
    return [
        compared
        for line in lines
        if line.choice.label == reference and line.complete
        for measure in TESTED
        for compared in against(line, lines, measure)
    ]


def against_best(lines: Sequence[MethodLine]) -> list[Compared]:
    """Compare, on every dataset and by either measure, all complete lines with the best one (Tables V and VI).

    The best method is chosen on the same queries, so these p-values overstate the difference; so do the papers'.
    """
    found: list[Compared] = []
    for dataset in dict.fromkeys(line.dataset for line in lines):
        complete = [line for line in lines if line.dataset == dataset and line.complete]
        for measure in TESTED if complete else ():
            best = complete[first_highest([line.measure(measure).mean for line in complete])]
            found += against(best, complete, measure)
    return found


@dataclass(frozen=True)
class Comparisons:
    """All comparisons of a run, computed once for all of its tables because resampling is slow.

    Attributes
    ----------
    with_reference, with_best : tuple of Compared
        The results of `against_reference` and `against_best`.
    """

    with_reference: tuple[Compared, ...]
    with_best: tuple[Compared, ...]

    @classmethod
    def of(cls, lines: Sequence[MethodLine], reference: str | None) -> Comparisons:
        """Compute the comparisons of these lines."""
        return cls(tuple(against_reference(lines, reference) if reference else ()), tuple(against_best(lines)))

    def within(self, margin: float) -> Comparisons:
        """Return the same comparisons judged for another margin, which takes no resampling."""
        every = self.with_reference, self.with_best
        return Comparisons(*(tuple(replace(one, margin=margin) for one in compared) for compared in every))


def comparison_rows(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return the comparisons as a table for people."""
    return [
        {
            "dataset": one.dataset,
            "measure": one.measure,
            "method": one.method,
            f"against {one.reference}": one.found.difference,
            **({} if one.again is None else {f"equivalent within {one.margin:g}?": one.verdict}),
            "decrease %": "" if one.found.decrease_percent is None else f"{one.found.decrease_percent:.1f}",
            "t-test p": p_text(one.found.t_test_p),
            "randomization p": p_text(one.found.randomization_p),
            "Holm": p_text(one.randomization_holm),
            "95 % interval": TOO_FEW if one.found.interval is None else _range(one.found.interval),
        }
        | _again_columns(one)
        for one in compared
    ]


def _again_columns(one: Compared) -> dict[str, Any]:
    again = one.again
    if again is None or one.again_holm is None:
        return {}
    return {
        "choice too: mean": f"{again.mean:+.4f} ± {again.deviation:.4f}",
        "choice too: 95 % interval": _range(again.interval),
        "choice too: p": p_text(again.p),
        "choice too: Holm": p_text(one.again_holm),
        "choice too: 90 % interval": _range(again.inner),
    }


def _range(ends: tuple[float, float]) -> str:
    return f"{ends[0]:+.4f} to {ends[1]:+.4f}"


def p_text(p: float | None) -> str:
    """Write a p-value with two significant digits, or as "<0.001"; nothing where it is not known."""
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.2g}"
