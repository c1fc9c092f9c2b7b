"""What an import has found, and what it has left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.names.counted import counted, features

NAMED = 5
"""So many of the rows that match nothing are named."""


@dataclass(frozen=True)
class ImportReport:
    """Counts of an import.

    Attributes
    ----------
    files : tuple of (str, str)
        Name and kind of every file.
    judgments, logged : int
        (query, document) pairs with a rating, and with features.
    matched : int
        Pairs with both: the documents of the data.
    queries : int
        Queries with a matched pair.
    features : tuple of str
    unmatched_judgments, unmatched_logged : int
        Pairs that have no features, and pairs that have no rating; both are left out.
    first_unmatched_judgments, first_unmatched_logged : tuple of str
        Some of them.
    repeated : int
        Rows of a log that repeat an earlier one.
    not_listed : int
        Values that a log does not list; they are 0.
    unmatched_relevant : int
        Those of the judgments without features whose rating is above 0.
    unrated : int
        Rows of the judgments without a rating.
    not_judged : int
        Rows with the rating -1; they are left out.
    below_zero : int
        Ratings below -1, which count as 0.
    repeated_judgments : int
        Rows of the judgments that repeat an earlier one.
    other_labels : int
        Matched rows of a log whose own label is not the judgment.
    """

    files: tuple[tuple[str, str], ...]
    judgments: int
    logged: int
    matched: int
    queries: int
    features: tuple[str, ...]
    unmatched_judgments: int = 0
    unmatched_logged: int = 0
    first_unmatched_judgments: tuple[str, ...] = ()
    first_unmatched_logged: tuple[str, ...] = ()
    repeated: int = 0
    not_listed: int = 0
    unmatched_relevant: int = 0
    unrated: int = 0
    not_judged: int = 0
    below_zero: int = 0
    repeated_judgments: int = 0
    other_labels: int = 0

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "files": [{"file": name, "kind": kind} for name, kind in self.files],
            "judgments": self.judgments,
            "logged": self.logged,
            "matched": self.matched,
            "unmatched": {
                "judgments": self.unmatched_judgments,
                "relevant": self.unmatched_relevant,
                "logged": self.unmatched_logged,
                "first_judgments": list(self.first_unmatched_judgments),
                "first_logged": list(self.first_unmatched_logged),
            },
            "queries": self.queries,
            "features": list(self.features),
            "repeated": self.repeated,
            "not_listed": self.not_listed,
            "unrated": self.unrated,
            "not_judged": self.not_judged,
            "below_zero": self.below_zero,
            "repeated_judgments": self.repeated_judgments,
            "other_labels": self.other_labels,
        }

    @property
    def headline(self) -> str:
        """What came out, in one sentence."""
        return (
            f"{counted(self.matched, 'document')} of {counted(self.queries, 'query', 'queries')} with "
            f"{features(len(self.features))}."
        )

    def sentences(self) -> list[str]:
        """What else there is to say: the files, and what was left out or filled in."""
        said = [f"{name}: {kind}." for name, kind in self.files]
        if self.unmatched_judgments:
            said.append(
                f"{self.unmatched_judgments:,} of {self.judgments:,} judgments have no logged features and are left "
                f"out: {_named(self.first_unmatched_judgments, self.unmatched_judgments)}. "
                f"{self.unmatched_relevant:,} of them {'is' if self.unmatched_relevant == 1 else 'are'} relevant "
                "(rated above 0), and no model can find what is not logged."
            )
        if self.unmatched_logged:
            said.append(
                f"{self.unmatched_logged:,} of {self.logged:,} logged documents have no judgment and are left out: "
                f"{_named(self.first_unmatched_logged, self.unmatched_logged)}."
            )
        for count, one, many in (
            (self.unrated, "judgment without a rating does not count", "judgments without a rating do not count"),
            (
                self.not_judged,
                "rating of -1 says not judged and is left out",
                "ratings of -1 say not judged and are left out",
            ),
            (self.below_zero, "rating below -1 counts as 0, not relevant", "ratings below -1 count as 0, not relevant"),
            (self.repeated_judgments, "judgment repeats an earlier one", "judgments repeat earlier ones"),
            (self.repeated, "logged row repeats an earlier one", "logged rows repeat an earlier one"),
            (
                self.not_listed,
                "value is missing from the logs and is read as 0",
                "values are missing from the logs and are read as 0",
            ),
            (
                self.other_labels,
                "logged row has a different label; the judgment counts",
                "logged rows have different labels; the judgments count",
            ),
        ):
            if count:
                said.append(f"{counted(count, one, many)}.")
        return said


def _named(first: Sequence[str], count: int) -> str:
    more = f" and {count - len(first):,} more" if count > len(first) else ""
    return ", ".join(f"“{name}”" for name in first) + more
