"""What may be said of our numbers against print: of a table as a whole, and of every method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.experiments.results.published.beside_published import BesidePublished
from core.experiments.results.published.print_agreement import Direction, TogetherAgreement, together
from core.experiments.results.statistics import LEVEL
from core.experiments.results.summary import SHARES
from core.names.counted import counted

QUALITY, KEPT = "ranking quality", "features kept"
EVERY = "all"
_VERDICTS: dict[str, dict[Direction, str]] = {
    QUALITY: {"too high": "too high", "too low": "too low", "differ": "too far off", "agree": "explained"},
    KEPT: {"too high": "too many", "too low": "too few", "differ": "too far off", "agree": "explained"},
}
READING = (
    "Numbers made alike, against what choosing C again would change. The reference is the difference of two of our own "
    "choices on resampled validation queries: the paper's choice, with its own grid, is taken to be as uncertain as "
    f"ours. A number is within if {LEVEL:.0%} or more of such pairs differ by as much. Direction: the sum of the "
    "numbers' normal scores, which tells whether they are too high or too low together. Sizes: the sum of their "
    "squares, which tells whether they are too far off. Both are held against the same pairs of choices, so that "
    "numbers that move together count as such. Together: twice the smaller p. Numbers that no choice "
    "changes, such as the features of a dense method, are not among them. What a paper leaves open beside C, such as "
    "tolerances, may explain a difference that the choice does not."
).replace("%", " %")


@dataclass(frozen=True)
class PrintVerdict:
    """The numbers of one kind, of one method or of all, against print.

    Attributes
    ----------
    kind : {"ranking quality", "features kept"}
    method : str
        Label; "all" for all methods.
    found : TogetherAgreement
    """

    kind: str
    method: str
    found: TogetherAgreement

    @property
    def words(self) -> str:
        """The verdict in a word or two; "explained" if the choice of C explains the differences."""
        return _VERDICTS[self.kind][self.found.verdict]

    @property
    def sentence(self) -> str:
        """How many numbers lie within the noise of the choice, and what they say together."""
        found, start = self.found, f"{self.kind.capitalize()}: "
        if found.n == 1:
            lies = "within" if found.n_within else "outside"
            return f"{start}the only number lies {lies} the noise of the choice of C ({found.p.words})."
        start += (
            f"{found.n_within} of {counted(found.n, 'number')} lie within the noise of the choice of C "
            f"({found.n_above} above print, {found.n_below} below). Taken together they are "
        )
        if found.verdict == "agree":
            return f"{start}no further from print than choosing C again explains ({found.p.words})."
        if found.verdict == "differ":
            return f"{start}further from print than that explains, in no common direction ({found.p.words})."
        return f"{start}{self.words} ({found.p.words})."

    def record(self) -> dict[str, Any]:
        """Return the record that ``protocol --json`` prints."""
        found = self.found
        return {
            "numbers": self.kind,
            "method": self.method,
            "compared": found.n,
            "within": found.n_within,
            "above": found.n_above,
            "below": found.n_below,
            "direction_p": found.direction_p.value,
            "sizes_p": found.sizes_p.value,
            "p": found.p.value,
            "p_error": found.p.error,
            "verdict": self.words,
            "sentence": self.sentence,
        }


def print_verdicts(rows: Sequence[BesidePublished]) -> list[PrintVerdict]:
    """Judge the rows together: of either kind, those of all methods, then those of each.

    Rows that were not made alike, or whose noise of the choice is unknown, are left out, and so are those that no
    choice changes, such as the features of a dense method: whatever sets them apart from print, it is not the choice. A
    value that several papers print counts once.
    """
    judged = {(row.dataset, row.method, row.measure, row.published): row for row in rows if row.agreement is not None}
    methods = [EVERY, *dict.fromkeys(row.method for row in judged.values())]
    found = []
    for method in methods:
        for kind in (QUALITY, KEPT):
            chosen = [row for row in judged.values() if method in (EVERY, row.method) and kind_of(row) == kind]
            if chosen:
                found.append(PrintVerdict(kind, method, _together(chosen)))
    return found


def print_sentences(verdicts: Sequence[PrintVerdict]) -> list[str]:
    """Say what all methods say together, a sentence a kind; none where nothing could be judged."""
    return [verdict.sentence for verdict in verdicts if verdict.method == EVERY]


def print_title(verdicts: Sequence[PrintVerdict]) -> str:
    """Say the same in a line."""
    parts = []
    for one in verdicts:
        if one.method == EVERY:
            together = "and all together" if one.found.verdict == "agree" else f"but {one.words} together"
            parts.append(f"{one.kind} {one.found.n_within} of {one.found.n}{f', {together}' * (one.found.n > 1)}")
    return f"Within the noise of the choice of C against print: {'; '.join(parts)}"


def print_verdict_rows(verdicts: Sequence[PrintVerdict]) -> list[dict[str, Any]]:
    """Return the verdicts as a table for people."""
    return [
        {
            "method": verdict.method,
            "numbers": verdict.kind,
            "within": f"{verdict.found.n_within} of {verdict.found.n}",
            "above print": verdict.found.n_above,
            "below print": verdict.found.n_below,
            "direction p": f"{verdict.found.direction_p.value:.3f}",
            "sizes p": f"{verdict.found.sizes_p.value:.3f}",
            "together p": f"{verdict.found.p.value:.3f}",
            "verdict": verdict.words,
        }
        for verdict in verdicts
    ]


def kind_of(row: BesidePublished) -> str:
    """Return the kind of a number: ranking quality, or features kept."""
    return KEPT if row.measure in SHARES else QUALITY


def _together(rows: Sequence[BesidePublished]) -> TogetherAgreement:
    draws = [row.draws for row in rows if row.draws is not None]
    return together([row.difference for row in rows], draws, [row.hidden for row in rows])
